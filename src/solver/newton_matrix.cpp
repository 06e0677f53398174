#include "uzawa/solver/newton_matrix.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <map>

#include "uzawa/problem/block_matrix.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Up to this size dense wins whatever the pattern; measured with benchmarks/solvers.
constexpr int kAlwaysDense = 60;
/// Dense Cholesky runs at about this many times the rate of the sparse one.
constexpr double kDenseAdvantage = 12;

/// Calls visit(i, j, value) for the entries of the lower triangle of beta J_c^T D J_c (all entries where `full`).
template <typename Visit>
void for_each_product(const CompactRows& rows, int c, const Mat3* contact, double slope, double beta, bool full,
                      Visit&& visit) {
  const int width = rows.width(c);
  const int* column = rows.columns(c);
  if (contact == nullptr) {
    if (slope == 0) return;
    const double* j = rows.row(c, 0);
    for (int p = 0; p < width; ++p) {
      const double scaled_entry = beta * slope * j[p];
      for (int q = 0; q < (full ? width : p + 1); ++q) visit(column[p], column[q], p, q, scaled_entry * j[q]);
    }
    return;
  }
  const double *j0 = rows.row(c, 0), *j1 = rows.row(c, 1), *j2 = rows.row(c, 2);
  for (int p = 0; p < width; ++p) {
    // Row p of J^T D, then times J.
    const Vec3 jp{j0[p], j1[p], j2[p]};
    const Vec3 left = transpose_times(*contact, jp) * beta;
    for (int q = 0; q < (full ? width : p + 1); ++q) {
      visit(column[p], column[q], p, q, left.x() * j0[q] + left.y() * j1[q] + left.z() * j2[q]);
    }
  }
}

bool is_zero(const Mat3& m) { return dot(m.col[0], m.col[0]) + dot(m.col[1], m.col[1]) + dot(m.col[2], m.col[2]) == 0; }

}  // namespace

SparseRows lower_triangle(const Problem& problem) {
  SparseRows out;
  out.columns = problem.n();
  const auto add_row = [&](int offset, int count, const int* columns, const double* values) {
    for (int k = 0; k < count; ++k) {
      out.column.push_back(offset + columns[k]);
      out.value.push_back(values[k]);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  };
  for (const Block& block : problem.blocks) {
    switch (block.kind) {
      case BlockKind::FreeBody: {
        const SpatialInertia& inertia = problem.bodies[at(block.index)];
        for (int r = 0; r < 6; ++r) {
          const Vec3 axis = Vec3::unit(r % 3);
          const Force momentum = inertia * (r < 3 ? Motion{{}, axis} : Motion{axis, {}});
          const int columns[6] = {0, 1, 2, 3, 4, 5};
          double values[6];
          momentum.force.store(values);
          momentum.moment.store(values + 3);
          add_row(block.offset, r + 1, columns, values);
        }
        break;
      }
      case BlockKind::Tree: {
        const TreeInertia& tree = problem.trees[at(block.index)];
        TreeMatrix a(tree.topology);
        std::vector<SpatialInertia> composite(tree.inertia.size());
        assemble(tree, composite, a);
        for (int r = 0; r < block.size; ++r) {
          const std::span<const int> path = tree.topology->path(r);
          add_row(block.offset, static_cast<int>(path.size()), path.data(), a.row(r));
        }
        break;
      }
      case BlockKind::Sparse: {
        const SparseRows& lower = problem.sparse[at(block.index)].lower;
        for (int r = 0; r < block.size; ++r) {
          const std::size_t k = lower.begin(r);
          add_row(block.offset, static_cast<int>(lower.end(r) - k), lower.column.data() + k, lower.value.data() + k);
        }
        break;
      }
    }
  }
  return out;
}

struct NewtonMatrix::Impl {
  using SparseMatrix = Eigen::SparseMatrix<double>;
  int n = 0;
  bool dense = true, general = false;
  SparseRows a;       // lower triangle of A
  Eigen::MatrixXd h;  // dense H
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  SparseMatrix sparse;  // lower triangle of H, by columns
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> sparse_llt;
  std::vector<int> a_slot;        // where each entry of A lands in sparse
  std::vector<int> product_slot;  // where each product of a constraint lands, constraint after constraint
  SparseMatrix full;              // both triangles, for LU
  Eigen::SparseLU<SparseMatrix> sparse_lu;

  void build_pattern(const CompactRows& rows) {
    std::vector<Eigen::Triplet<double>> triplets;
    for (int r = 0; r < n; ++r) {
      triplets.emplace_back(r, r, 0.0);
      for (std::size_t k = a.begin(r); k < a.end(r); ++k) triplets.emplace_back(r, a.column[k], 0.0);
    }
    for (int c = 0; c < rows.constraints(); ++c) {
      const int* column = rows.columns(c);
      for (int p = 0; p < rows.width(c); ++p) {
        for (int q = 0; q <= p; ++q) triplets.emplace_back(column[p], column[q], 0.0);
      }
    }
    sparse.resize(n, n);
    sparse.setFromTriplets(triplets.begin(), triplets.end());
    sparse.makeCompressed();
  }
  int slot(int row, int column) const {
    const int* begin = sparse.innerIndexPtr() + sparse.outerIndexPtr()[column];
    const int* end = sparse.innerIndexPtr() + sparse.outerIndexPtr()[column + 1];
    return static_cast<int>(std::lower_bound(begin, end, row) - sparse.innerIndexPtr());
  }
  void build_slots(const CompactRows& rows) {
    a_slot.clear();
    product_slot.clear();
    for (int r = 0; r < n; ++r) {
      for (std::size_t k = a.begin(r); k < a.end(r); ++k) a_slot.push_back(slot(r, a.column[k]));
    }
    for (int c = 0; c < rows.constraints(); ++c) {
      const int* column = rows.columns(c);
      for (int p = 0; p < rows.width(c); ++p) {
        for (int q = 0; q <= p; ++q) product_slot.push_back(slot(column[p], column[q]));
      }
    }
  }
  /// Calls visit(constraint, its contact derivative or null, its scalar slope) for constraints that push back.
  template <typename Visit>
  static void for_each_active(const Problem& problem, const LawDerivatives& d, Visit&& visit) {
    for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
      const ConstraintRef& ref = problem.constraints[c];
      if (ref.kind == ConstraintKind::Contact) {
        const Mat3& derivative = d.contact[at(ref.index)];
        if (!is_zero(derivative)) visit(static_cast<int>(c), &derivative, 0.0);
      } else if (d.scalar[at(ref.row)] != 0) {
        visit(static_cast<int>(c), nullptr, d.scalar[at(ref.row)]);
      }
    }
  }
  void assemble_dense(const Problem& problem, const CompactRows& rows, double beta, const LawDerivatives& d,
                      bool full_) {
    h.setZero();
    for (int r = 0; r < n; ++r) {
      for (std::size_t k = a.begin(r); k < a.end(r); ++k) {
        h(r, a.column[k]) = a.value[k];
        if (full_) h(a.column[k], r) = a.value[k];
      }
    }
    for_each_active(problem, d, [&](int c, const Mat3* contact, double slope) {
      for_each_product(rows, c, contact, slope, beta, full_,
                       [&](int row, int column, int, int, double value) { h(row, column) += value; });
    });
  }
  void assemble_sparse(const Problem& problem, const CompactRows& rows, double beta, const LawDerivatives& d) {
    double* values = sparse.valuePtr();
    std::fill_n(values, sparse.nonZeros(), 0.0);
    for (std::size_t k = 0; k < a_slot.size(); ++k) values[a_slot[k]] += a.value[k];
    std::size_t start = 0;
    int next = 0;
    const auto skip_to = [&](int c) {
      for (; next < c; ++next) start += at(rows.width(next)) * at(rows.width(next) + 1) / 2;
    };
    for_each_active(problem, d, [&](int c, const Mat3* contact, double slope) {
      skip_to(c);
      const int* slots = product_slot.data() + start;
      for_each_product(rows, c, contact, slope, beta, false,
                       [&](int, int, int p, int q, double value) { values[slots[p * (p + 1) / 2 + q]] += value; });
    });
  }
};

NewtonMatrix::NewtonMatrix() : impl_(std::make_unique<Impl>()) {}
NewtonMatrix::~NewtonMatrix() = default;
NewtonMatrix::NewtonMatrix(NewtonMatrix&&) noexcept = default;
NewtonMatrix& NewtonMatrix::operator=(NewtonMatrix&&) noexcept = default;

bool NewtonMatrix::is_dense() const { return impl_->dense; }

void NewtonMatrix::prepare(const Problem& problem, const CompactRows& rows) {
  Impl& m = *impl_;
  m.n = problem.n();
  m.a = lower_triangle(problem);
  m.dense = m.n <= kAlwaysDense;
  if (!m.dense) {
    m.build_pattern(rows);
    m.sparse_llt.analyzePattern(m.sparse);
    // Flops of the two factorisations decide. The sparse count needs the pattern of L: factorise A once, with the
    // pattern of H.
    LawDerivatives none;
    none.resize(problem);
    std::fill(none.contact.begin(), none.contact.end(), Mat3{});
    std::fill(none.scalar.begin(), none.scalar.end(), 0.0);
    m.build_slots(rows);
    m.assemble_sparse(problem, rows, 1, none);
    m.sparse_llt.factorize(m.sparse);
    const auto& l = m.sparse_llt.matrixL().nestedExpression();
    double flops = 0;
    for (int c = 0; c < m.n; ++c) {
      const double count = l.outerIndexPtr()[c + 1] - l.outerIndexPtr()[c];
      flops += count * count;
    }
    m.dense = flops * kDenseAdvantage > std::pow(m.n, 3) / 3;
  }
  if (m.dense) m.h.resize(m.n, m.n);
}

bool NewtonMatrix::factorize(const Problem& problem, const CompactRows& rows, double beta, const LawDerivatives& d) {
  Impl& m = *impl_;
  m.general = false;
  if (m.dense) {
    m.assemble_dense(problem, rows, beta, d, false);
    m.llt.compute(m.h);
    return m.llt.info() == Eigen::Success;
  }
  m.assemble_sparse(problem, rows, beta, d);
  m.sparse_llt.factorize(m.sparse);
  return m.sparse_llt.info() == Eigen::Success;
}

bool NewtonMatrix::factorize_general(const Problem& problem, const CompactRows& rows, double beta,
                                     const LawDerivatives& d) {
  Impl& m = *impl_;
  m.general = true;
  if (m.dense) {
    m.assemble_dense(problem, rows, beta, d, true);
    m.lu.compute(m.h);
    return true;  // a singular H shows in the solution, which the caller checks
  }
  std::vector<Eigen::Triplet<double>> triplets;
  for (int r = 0; r < m.n; ++r) {
    for (std::size_t k = m.a.begin(r); k < m.a.end(r); ++k) {
      triplets.emplace_back(r, m.a.column[k], m.a.value[k]);
      if (m.a.column[k] != r) triplets.emplace_back(m.a.column[k], r, m.a.value[k]);
    }
  }
  Impl::for_each_active(problem, d, [&](int c, const Mat3* contact, double slope) {
    for_each_product(rows, c, contact, slope, beta, true,
                     [&](int row, int column, int, int, double value) { triplets.emplace_back(row, column, value); });
  });
  m.full.resize(m.n, m.n);
  m.full.setFromTriplets(triplets.begin(), triplets.end());
  m.sparse_lu.compute(m.full);
  return m.sparse_lu.info() == Eigen::Success;
}

void NewtonMatrix::solve(std::span<double> x) {
  Impl& m = *impl_;
  Eigen::Map<Eigen::VectorXd> map(x.data(), static_cast<Eigen::Index>(x.size()));
  if (m.dense) {
    if (m.general) {
      map = m.lu.solve(map).eval();
    } else {
      m.llt.solveInPlace(map);
    }
  } else if (m.general) {
    map = m.sparse_lu.solve(map).eval();
  } else {
    map = m.sparse_llt.solve(map).eval();
  }
}

}  // namespace uzawa
