#include "uzawa/assembly/held_work.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kWorthASolve = 0.01;  // share below which a rate holds on

/// What mocap bodies add to the velocities of the rows; both are in the order of the constraints.
void add_driven(const Problem& problem, std::span<const DrivenRow> driven, std::span<double> u) {
  std::size_t next = 0;
  for (const ConstraintRef& ref : problem.constraints) {
    if (next == driven.size()) return;
    if (ref.row != driven[next].row) continue;
    const Vec3& velocity = driven[next++].velocity;
    if (Problem::dims(ref.kind) == 1) {
      u[at(ref.row)] += velocity.z();
    } else {
      for (int k = 0; k < 3; ++k) u[at(ref.row + k)] += velocity[k];
    }
  }
}

}  // namespace

HeldWork::Sums HeldWork::sum_up(const Problem& problem, const Island& island, std::span<const double> lambda) const {
  Sums sums;
  for (const int c : island.constraints) {
    const ConstraintRef& ref = problem.constraints[at(c)];
    if (ref.kind == ConstraintKind::Soft) continue;  // a spring's work is in the books
    for (int row = ref.row; row < ref.row + problem.dims(c); ++row) sums.work += lambda[at(row)] * mean_u_[at(row)];
    if (ref.kind == ConstraintKind::Equality) sums.lever += lambda[at(ref.row)] * offset_[at(ref.index)];
  }
  return sums;
}

bool HeldWork::look(const Problem& problem, std::span<const HeldRow> held, std::span<const DrivenRow> driven,
                    std::span<const double> start, std::span<const double> v, std::span<const double> lambda) {
  offset_.assign(problem.equality.e.size(), 0.0);
  double most = 0;
  for (const HeldRow& row : held) {
    double& offset = offset_[at(row.index)];
    offset = problem.equality.e[at(row.index)] - row.given;
    most = std::max(most, std::abs(offset));
  }
  if (most == 0) return false;

  mean_v_.resize(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) mean_v_[i] = 0.5 * (start[i] + v[i]);
  constraint_rows(problem, rows_);
  mean_u_.resize(at(problem.rows));
  rows_.multiply(mean_v_, mean_u_);
  add_driven(problem, driven, mean_u_);
  split_.split(problem);
  bool any = false;
  for (int i = 0; i < split_.count(); ++i) {
    const Island& island = split_.island(i);
    const Sums sums = sum_up(problem, island, lambda);
    if (!(sums.lever < 0) || !(2 * sums.work > -kWorthASolve * sums.lever)) continue;
    if (share_.empty()) share_.assign(problem.blocks.size(), 1.0);
    const bool again = share_[at(island.blocks.front())] < 1;
    const double gives_way = again ? 1.0 : std::min(1.0, -2 * sums.work / sums.lever);
    for (const int block : island.blocks) share_[at(block)] *= 1 - gives_way;
    any = true;
  }
  return any;
}

void HeldWork::apply(std::span<const HeldRow> held, Problem& problem) const {
  if (share_.empty()) return;
  for (const HeldRow& row : held) {
    const std::size_t constraint = at(problem.equality.constraint[at(row.index)]);
    const Attachment& first = problem.attachments[at(problem.attachment_start[constraint])];
    double& e = problem.equality.e[at(row.index)];
    e = row.given + share_[at(first.block)] * (e - row.given);
  }
}

}  // namespace uzawa
