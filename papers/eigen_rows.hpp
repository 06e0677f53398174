#pragma once

#include <Eigen/SparseCore>

#include "uzawa/math/sparse_rows.hpp"

namespace uzawa::papers {

inline Eigen::SparseMatrix<double> to_eigen(const SparseRows& rows) {
  return Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>>(
      rows.rows(), rows.columns, static_cast<Eigen::Index>(rows.value.size()), rows.start.data(), rows.column.data(),
      rows.value.data());
}

}  // namespace uzawa::papers
