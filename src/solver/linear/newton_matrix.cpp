#include "uzawa/solver/linear/newton_matrix.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/math/eight.hpp"

namespace uzawa {

namespace {

constexpr int kStride = BlockSparse::kStride;

bool is_zero(const Mat3& m) { return dot(m.col[0], m.col[0]) + dot(m.col[1], m.col[1]) + dot(m.col[2], m.col[2]) == 0; }

/// Eight rows of J^T times a 3x3 weight, by columns.
struct Weighted {
  Eight columns[3];

  /// J^T W
  Weighted(const double* j, const Mat3& w) {
    for (int d = 0; d < 3; ++d) {
      columns[d] =
          Eight::load(j) * w(0, d) + Eight::load(j + kStride) * w(1, d) + Eight::load(j + 2 * kStride) * w(2, d);
    }
  }
  /// block += (J^T W) J_other, `width` columns.
  void add_product(const double* other, int width, double* block) const {
    for (int q = 0; q < width; ++q, block += kStride) {
      const double a = other[q], b = other[kStride + q], c = other[2 * kStride + q];
      (Eight::load(block) + columns[0] * a + columns[1] * b + columns[2] * c).store(block);
    }
  }
};

/// block += j_row j_other^T weight
void add_outer_product(const double* j, const double* other, double weight, int width, double* block) {
  const Eight row = Eight::load(j) * weight;
  for (int q = 0; q < width; ++q, block += kStride) (Eight::load(block) + row * other[q]).store(block);
}

bool is_single(const CompactRows& rows, int c) { return rows.dims(c) == 1 && rows.width(c) == 1; }

}  // namespace

/// One soft body, where iterations cost less than many a factor: that of H has more fill than that of A.
bool NewtonMatrix::prepare_nodal(const Problem& problem, const CompactRows& rows, const BlockFactor* known) {
  constexpr double kFactors = 10;
  if (known == nullptr || problem.blocks.size() != 1 || problem.blocks[0].kind != BlockKind::Nodal) return false;
  if (problem.moments.size() > 0) return false;  // they couple constraints
  // Edges of a net outweigh A by far: iterations with A, of which the cost speaks, may be few, and those with H are
  // not.
  if (std::any_of(problem.equality.constraint.begin(), problem.equality.constraint.end(), [&](int c) {
        const int* column = rows.columns(c);
        return rows.width(c) > 0 && column[0] / 3 != column[rows.width(c) - 1] / 3;
      })) {
    return false;
  }
  const NodalCost cost = known->nodal_cost(0);
  const NodalMatrix& a = problem.nodal[at(problem.blocks[0].index)];
  if (!(cost.iterate < kFactors * cost.factor) || !keeps_pattern(*a.pattern, rows)) return false;
  nodal_.prepare(a, rows, cost.iterations);
  compact_ = &rows;
  return true;
}

void NewtonMatrix::prepare(const Problem& problem, const CompactRows& rows, const BlockFactor* known) {
  rows_ = problem.rows;
  is_nodal_ = prepare_nodal(problem, rows, known);
  if (is_nodal_) return;
  a_.build(problem, known);
  if (!pattern_.update(problem, a_.rows(), rows)) return fill_segments(rows);
  partition_.build(problem, a_.rows(), rows);
  find_segments(rows);
  find_couplings(problem);
  matrix_.analyse(partition_.start(), couplings_);
  find_places(problem);
}

double NewtonMatrix::work() const {
  // A row of J: its part of the assembly, of the laws and of the judge. Fitted to times on 37 problems.
  constexpr double kRow = 800;
  return (is_nodal_ ? nodal_.work() : 2 * matrix_.work()) + kRow * static_cast<double>(rows_);
}

bool NewtonMatrix::Pattern::update(const Problem& problem, const SparseRows& a, const CompactRows& rows) {
  const auto same_block = [](const Block& x, const Block& y) { return x.kind == y.kind && x.size == y.size; };
  if (a.start == a_start_ && a.column == a_column_ && rows.pattern() == rows_ &&
      problem.moments.constraint == moments_ &&
      std::equal(problem.blocks.begin(), problem.blocks.end(), blocks_.begin(), blocks_.end(), same_block)) {
    return false;
  }
  a_start_ = a.start;
  a_column_ = a.column;
  rows_ = rows.pattern();
  moments_ = problem.moments.constraint;
  blocks_ = problem.blocks;
  return true;
}

/// J's numbers into segments that are there.
void NewtonMatrix::fill_segments(const CompactRows& rows) {
  const Segment* segment = segments_.data();
  Single* single = singles_.data();
  for (int c = 0; c < rows.constraints(); ++c) {
    const int* column = rows.columns(c);
    const int dims = rows.dims(c), width = rows.width(c);
    if (is_single(rows, c)) {
      (single++)->value = *rows.row(c, 0);
      continue;
    }
    for (int k = 0; k < width; ++segment) {
      const int start = partition_.start()[at(segment->node)], end = partition_.start()[at(segment->node) + 1];
      double* values = values_.data() + segment->values;
      for (; k < width && column[k] >= start && column[k] < end; ++k) {
        for (int d = 0; d < dims; ++d) values[d * kStride + column[k] - start] = rows.row(c, d)[k];
      }
    }
  }
}

void NewtonMatrix::find_segments(const CompactRows& rows) {
  segments_.clear();
  singles_.clear();
  segment_start_.assign(1, 0);
  values_.clear();
  first_row_.clear();
  dims_.clear();
  padded_.assign((partition_.start().size() - 1) * at(kStride), 0.0);
  for (int c = 0; c < rows.constraints(); ++c) {
    const int* column = rows.columns(c);
    const int dims = rows.dims(c);
    first_row_.push_back(rows.first_row(c));
    dims_.push_back(dims);
    if (is_single(rows, c)) singles_.push_back({rows.first_row(c), *column, 0, 0});
    int node = -1;
    for (int k = 0; k < rows.width(c) && !is_single(rows, c); ++k) {
      if (partition_.node_of(column[k]) == node) continue;
      node = partition_.node_of(column[k]);
      segments_.push_back({node, values_.size()});
      values_.resize(values_.size() + at(dims * kStride), 0.0);
    }
    segment_start_.push_back(static_cast<int>(segments_.size()));
  }
  fill_segments(rows);
}

void NewtonMatrix::multiply_rows(std::span<const double> v, std::span<double> u) {
  if (is_nodal_) return compact_->multiply(v.data(), u.data());
  const std::span<const int> start = partition_.start();
  for (std::size_t k = 0; k + 1 < start.size(); ++k) {
    std::copy(v.begin() + start[k], v.begin() + start[k + 1],
              padded_.begin() + static_cast<std::ptrdiff_t>(k * kStride));
  }
  for (std::size_t c = 0; c + 1 < segment_start_.size(); ++c) {
    const int first = first_row_[c], dims = dims_[c];
    Eight sums[3] = {};
    for (int p = segment_start_[c]; p < segment_start_[c + 1]; ++p) {
      const double* j = values_.data() + segments_[at(p)].values;
      const double* x = padded_.data() + at(segments_[at(p)].node * kStride);
      const Eight part = Eight::load(x);
      for (int d = 0; d < dims; ++d) sums[d] += Eight::load(j + d * kStride) * part;
    }
    for (int d = 0; d < dims; ++d) u[at(first + d)] = sum(sums[d]);
  }
  for (const Single& single : singles_) u[at(single.row)] = single.value * v[at(single.column)];
}

void NewtonMatrix::add_transposed_rows(std::span<const double> lambda, std::span<double> v) {
  if (is_nodal_) return compact_->add_transposed(lambda.data(), v.data());
  std::fill(padded_.begin(), padded_.end(), 0.0);
  for (std::size_t c = 0; c + 1 < segment_start_.size(); ++c) {
    const double* l = &lambda[at(first_row_[c])];
    const int dims = dims_[c];
    if (l[0] == 0 && (dims == 1 || (l[1] == 0 && l[2] == 0))) continue;
    for (int p = segment_start_[c]; p < segment_start_[c + 1]; ++p) {
      const double* j = values_.data() + segments_[at(p)].values;
      double* x = padded_.data() + at(segments_[at(p)].node * kStride);
      Eight part = Eight::load(x);
      for (int d = 0; d < dims; ++d) part += Eight::load(j + d * kStride) * l[d];
      part.store(x);
    }
  }
  const std::span<const int> start = partition_.start();
  for (std::size_t k = 0; k + 1 < start.size(); ++k) {
    for (int i = start[k]; i < start[k + 1]; ++i) v[at(i)] += padded_[k * kStride + at(i - start[k])];
  }
  for (const Single& single : singles_) v[at(single.column)] += single.value * lambda[at(single.row)];
}

/// Pairs of nodes that A or a constraint couples, the later first; sorted, each once.
void NewtonMatrix::find_couplings(const Problem& problem) {
  couplings_.clear();
  const SparseRows& a = a_.rows();
  for (int r = 0; r < a.rows(); ++r) {
    int last = -1;
    for (std::size_t k = a.begin(r); k < a.end(r); ++k) {
      const int i = partition_.node_of(r), j = partition_.node_of(a.column[k]);
      if (i != j && j != last) couplings_.emplace_back(i, j);
      last = j;
    }
  }
  for (std::size_t c = 0; c + 1 < segment_start_.size(); ++c) {
    for (int p = segment_start_[c]; p < segment_start_[c + 1]; ++p) {
      for (int q = segment_start_[c]; q < p; ++q) {
        const auto [first, second] = std::minmax(segments_[at(p)].node, segments_[at(q)].node);
        couplings_.emplace_back(second, first);
      }
    }
  }
  for (const int moment : problem.moments.constraint) {
    const std::size_t m = at(moment);
    for (int p = segment_start_[m]; p < segment_start_[m + 1]; ++p) {
      for (int q = segment_start_[m - 1]; q < segment_start_[m]; ++q) {
        const auto [first, second] = std::minmax(segments_[at(p)].node, segments_[at(q)].node);
        if (first != second) couplings_.emplace_back(second, first);
      }
    }
  }
  std::sort(couplings_.begin(), couplings_.end());
  couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
}

void NewtonMatrix::find_places(const Problem& problem) {
  places_.clear();
  place_start_.assign(1, 0);
  for (std::size_t c = 0; c + 1 < segment_start_.size(); ++c) {
    for (int p = segment_start_[c]; p < segment_start_[c + 1]; ++p) {
      for (int q = segment_start_[c]; q < p; ++q) {
        places_.push_back(matrix_.place(segments_[at(p)].node, segments_[at(q)].node));
      }
    }
    place_start_.push_back(places_.size());
  }
  cross_places_.clear();
  cross_start_.assign(1, 0);
  for (const int moment : problem.moments.constraint) {
    const std::size_t m = at(moment);
    for (int p = segment_start_[m]; p < segment_start_[m + 1]; ++p) {
      for (int q = segment_start_[m - 1]; q < segment_start_[m]; ++q) {
        const int own = segments_[at(p)].node, other = segments_[at(q)].node;
        if (own == other) {
          cross_places_.push_back({p, q, matrix_.diagonal_offset(own), CrossPlace::Part::Diagonal});
        } else {
          const BlockSparse::Place place = matrix_.place(std::max(own, other), std::min(own, other));
          const bool lower = (own > other) != place.transposed;
          cross_places_.push_back({p, q, place.offset, lower ? CrossPlace::Part::Lower : CrossPlace::Part::Upper});
        }
      }
    }
    cross_start_.push_back(cross_places_.size());
  }
  for (Single& single : singles_) {
    const int node = partition_.node_of(single.column), local = single.column - partition_.start()[at(node)];
    single.place = matrix_.diagonal_offset(node) + at(local * kStride + local);
  }
  const SparseRows& a = a_.rows();
  entry_places_.clear();
  for (int r = 0; r < a.rows(); ++r) {
    const int i = partition_.node_of(r), local_r = r - partition_.start()[at(i)];
    for (std::size_t k = a.begin(r); k < a.end(r); ++k) {
      const int j = partition_.node_of(a.column[k]), local_c = a.column[k] - partition_.start()[at(j)];
      const std::size_t straight = at(local_c * kStride + local_r), mirrored = at(local_r * kStride + local_c);
      if (i == j) {
        const std::size_t offset = matrix_.diagonal_offset(i);
        entry_places_.push_back({offset + straight, offset + mirrored, true});
      } else {
        const BlockSparse::Place place = matrix_.place(i, j);
        entry_places_.push_back({place.offset + (place.transposed ? mirrored : straight), 0, false});
      }
    }
  }
}

/// J_c^T W J_c for all pairs of its segments. W need not be symmetric: block (p, q) is J_p^T W J_q, and the block
/// across the diagonal, kept transposed in the same place, is J_p^T W^T J_q.
void NewtonMatrix::add_constraint(std::size_t c, const Mat3& weight, bool general) {
  const std::span<const int> start = partition_.start();
  const Mat3 transposed = transpose(weight);
  const BlockSparse::Place* place = places_.data() + place_start_[c];
  for (int p = segment_start_[c]; p < segment_start_[c + 1]; ++p) {
    const Segment& mine = segments_[at(p)];
    const double* j = values_.data() + mine.values;
    const int width = start[at(mine.node) + 1] - start[at(mine.node)];
    const Weighted left(j, weight);
    left.add_product(j, width, matrix_.diagonal() + matrix_.diagonal_offset(mine.node));
    for (int q = segment_start_[c]; q < p; ++q, ++place) {
      const Segment& other = segments_[at(q)];
      const double* k = values_.data() + other.values;
      const int other_width = start[at(other.node) + 1] - start[at(other.node)];
      if (!place->transposed) {
        left.add_product(k, other_width, matrix_.lower() + place->offset);
        if (general) Weighted(j, transposed).add_product(k, other_width, matrix_.upper() + place->offset);
      } else {
        Weighted(k, weight).add_product(j, width, matrix_.lower() + place->offset);
        if (general) Weighted(k, transposed).add_product(j, width, matrix_.upper() + place->offset);
      }
    }
  }
}

void NewtonMatrix::add_scalar(std::size_t c, double weight, bool general) {
  const std::span<const int> start = partition_.start();
  const BlockSparse::Place* place = places_.data() + place_start_[c];
  for (int p = segment_start_[c]; p < segment_start_[c + 1]; ++p) {
    const Segment& mine = segments_[at(p)];
    const double* j = values_.data() + mine.values;
    const int width = start[at(mine.node) + 1] - start[at(mine.node)];
    add_outer_product(j, j, weight, width, matrix_.diagonal() + matrix_.diagonal_offset(mine.node));
    for (int q = segment_start_[c]; q < p; ++q, ++place) {
      const Segment& other = segments_[at(q)];
      const double* k = values_.data() + other.values;
      const int other_width = start[at(other.node) + 1] - start[at(other.node)];
      const double *row = place->transposed ? k : j, *column = place->transposed ? j : k;
      const int columns = place->transposed ? width : other_width;
      add_outer_product(row, column, weight, columns, matrix_.lower() + place->offset);
      if (general) add_outer_product(row, column, weight, columns, matrix_.upper() + place->offset);
    }
  }
}

/// J_m^T W J_c of a moment m and its contact c, on one side of the diagonal alone; blocks above it are kept transposed.
void NewtonMatrix::add_coupling(std::size_t moment, const Mat3& weight) {
  const std::span<const int> start = partition_.start();
  const Mat3 transposed = transpose(weight);
  for (std::size_t i = cross_start_[moment]; i < cross_start_[moment + 1]; ++i) {
    const CrossPlace& place = cross_places_[i];
    const Segment &own = segments_[at(place.own)], &other = segments_[at(place.other)];
    const double *j = values_.data() + own.values, *k = values_.data() + other.values;
    const auto width = [&](const Segment& segment) { return start[at(segment.node) + 1] - start[at(segment.node)]; };
    if (place.part == CrossPlace::Part::Upper) {
      Weighted(k, transposed).add_product(j, width(own), matrix_.upper() + place.offset);
    } else {
      double* block = place.part == CrossPlace::Part::Lower ? matrix_.lower() : matrix_.diagonal();
      Weighted(j, weight).add_product(k, width(other), block + place.offset);
    }
  }
}

void NewtonMatrix::assemble(const Problem& problem, double beta, const LawDerivatives& d, bool general) {
  matrix_.clear(general);
  const std::vector<double>& entries = a_.rows().value;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const EntryPlace& place = entry_places_[k];
    if (place.diagonal) {
      matrix_.diagonal()[place.first] = matrix_.diagonal()[place.mirrored] = entries[k];
    } else {
      matrix_.lower()[place.first] = entries[k];
      if (general) matrix_.upper()[place.first] = entries[k];
    }
  }
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    if (ref.kind == ConstraintKind::Contact) {
      const Mat3& derivative = d.contact[at(ref.index)];
      if (!is_zero(derivative)) add_constraint(c, derivative * beta, general);
    } else if (ref.kind == ConstraintKind::Moment) {
      const std::size_t m = at(ref.index);
      if (!is_zero(d.moment[m])) add_constraint(c, d.moment[m] * beta, general);
      if (general && !is_zero(d.coupling[m])) add_coupling(m, d.coupling[m] * beta);
    } else if (d.scalar[at(ref.row)] != 0) {
      add_scalar(c, beta * d.scalar[at(ref.row)], general);
    }
  }
  for (const Single& single : singles_) {
    matrix_.diagonal()[single.place] += beta * d.scalar[at(single.row)] * single.value * single.value;
  }
}

bool NewtonMatrix::factorize(const Problem& problem, double beta, const LawDerivatives& d) {
  if (is_nodal_) return nodal_.assemble(problem, beta, d, false);
  assemble(problem, beta, d, false);
  return matrix_.factorize_symmetric();
}

bool NewtonMatrix::factorize_general(const Problem& problem, double beta, const LawDerivatives& d) {
  if (is_nodal_) return nodal_.assemble(problem, beta, d, true);
  assemble(problem, beta, d, true);
  return matrix_.factorize_general();
}

void NewtonMatrix::solve(std::span<double> x, double goal) {
  if (is_nodal_) return nodal_.solve(x, goal);
  matrix_.solve(x);
}

}  // namespace uzawa
