#pragma once

#include <Eigen/Dense>
#include <span>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/math/tree_matrix.hpp"

/// Dense linear algebra as an independent oracle.
namespace uzawa::test {

inline Eigen::MatrixXd dense(const TreeMatrix& a) {
  Eigen::MatrixXd out(a.size(), a.size());
  a.to_dense({out.data(), static_cast<std::size_t>(out.size())});
  return out;
}
inline Eigen::Map<const Eigen::VectorXd> vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
/// Largest entry of a - b over the largest of b (or 1, where b is smaller).
inline double relative_error(std::span<const double> a, std::span<const double> b) {
  if (a.empty()) return 0;
  return (vector(a) - vector(b)).cwiseAbs().maxCoeff() / std::max(1.0, vector(b).cwiseAbs().maxCoeff());
}
inline Eigen::MatrixXd point_jacobian(const Model& model, const DynamicsData& data, int link, const Vec3& point) {
  std::vector<double> rows(3 * static_cast<std::size_t>(model.nv()));
  uzawa::point_jacobian(model, data, link, point, rows);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(rows.data(), 3,
                                                                                                  model.nv());
}

}  // namespace uzawa::test
