#include "uzawa/solver/linear/nodal_newton.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

bool couples(const NodalPattern& pattern, int row, int column) {
  return std::binary_search(pattern.column.begin() + pattern.start[at(row)],
                            pattern.column.begin() + pattern.start[at(row) + 1], column);
}

/// block += J_a^T W J_b, row by row
void add_product(const double (&a)[3][3], const Mat3& w, const double (&b)[3][3], double* block) {
  double wb[3][3];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) wb[r][c] = w(r, 0) * b[0][c] + w(r, 1) * b[1][c] + w(r, 2) * b[2][c];
  }
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) block[3 * r + c] += a[0][r] * wb[0][c] + a[1][r] * wb[1][c] + a[2][r] * wb[2][c];
  }
}

}  // namespace

bool keeps_pattern(const NodalPattern& pattern, const CompactRows& rows) {
  for (int c = 0; c < rows.constraints(); ++c) {
    const std::span<const int> columns(rows.columns(c), at(rows.width(c)));
    for (const int k : columns) {
      for (const int l : columns) {
        if (k / 3 > l / 3 && !couples(pattern, k / 3, l / 3)) return false;
      }
    }
  }
  return true;
}

void NodalNewton::prepare(const NodalMatrix& a, const CompactRows& rows, int iterations) {
  a_ = &a;
  rows_ = &rows;
  iterations_ = iterations;
  several_ = false;
  for (int c = 0; c < rows.constraints() && !several_; ++c) {
    const int width = rows.width(c);
    several_ = width > 0 && rows.columns(c)[0] / 3 != rows.columns(c)[width - 1] / 3;
  }
}

void NodalNewton::find_shares(int c) {
  shares_.clear();
  const int* column = rows_->columns(c);
  for (int k = 0; k < rows_->width(c); ++k) {
    if (shares_.empty() || shares_.back().node != column[k] / 3) shares_.push_back({column[k] / 3, {}});
    for (int d = 0; d < rows_->dims(c); ++d) shares_.back().j[d][column[k] % 3] = rows_->row(c, d)[k];
  }
}

void NodalNewton::add_constraint(const Mat3& weight, bool general) {
  for (std::size_t p = 0; p < shares_.size(); ++p) {
    double own[9] = {};
    add_product(shares_[p].j, weight, shares_[p].j, own);
    sweeps_.add_to_diagonal(shares_[p].node, own);
    for (std::size_t q = 0; q < p; ++q) {  // of a node before it
      const std::size_t place = 9 * a_->pattern->place(shares_[p].node, shares_[q].node);
      add_product(shares_[p].j, weight, shares_[q].j, lower_.data() + place);
      if (general) add_product(shares_[p].j, transpose(weight), shares_[q].j, upper_.data() + place);
    }
  }
}

bool NodalNewton::assemble(const Problem& problem, double beta, const LawDerivatives& d, bool general) {
  general_ = general;
  const double* lower = a_->value.data();
  const double* upper = lower;
  if (several_) {
    lower_ = a_->value;
    if (general) upper_ = a_->value;
    lower = lower_.data();
    upper = general ? upper_.data() : lower;
  }
  sweeps_.start(*a_->pattern, lower, upper);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    Mat3 weight;
    if (ref.kind == ConstraintKind::Contact) {
      weight = d.contact[at(ref.index)] * beta;
    } else if (d.scalar[at(ref.row)] != 0) {
      weight.col[0] = Vec3::unit(0) * (beta * d.scalar[at(ref.row)]);
    } else {
      continue;
    }
    find_shares(static_cast<int>(c));
    add_constraint(weight, general);
  }
  return sweeps_.finish();
}

void NodalNewton::solve(std::span<double> x, double goal) {
  constexpr double kExact = 1e-10;  // of the right side
  constexpr int kPatience = 4, kFew = 100;
  const int most = kPatience * std::max(iterations_, kFew);
  right_.assign(x.begin(), x.end());
  if (general_) {
    krylov_.solve_general(sweeps_, right_, goal > 0 ? goal : kExact * norm(right_), most, x);
    return;
  }
  std::fill(x.begin(), x.end(), 0.0);
  krylov_.solve_symmetric(sweeps_, right_, kExact * krylov_.energy_size(sweeps_, right_), 0, most, x);
}

double NodalNewton::work() const {
  constexpr double kBlock = 36;  // multiply-adds in an iteration
  return kBlock * iterations_ * static_cast<double>(a_->pattern->blocks());
}

}  // namespace uzawa
