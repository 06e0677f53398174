#include "uzawa/assembly/constraint_writer.hpp"

#include <algorithm>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/mixed_bits.hpp"

namespace uzawa {

std::uint64_t constraint_key(ConstraintSource source, int index, int part) {
  // Spread, so that no key is near a contact's.
  return mixed_bits((static_cast<std::uint64_t>(source) + 1) << 56 | static_cast<std::uint64_t>(part) << 32 |
                    static_cast<std::uint32_t>(index));
}

ConstraintWriter::ConstraintWriter(const SubsystemBlocks& blocks, Problem& problem)
    : model_(blocks.model()), blocks_(blocks), problem_(problem), coefficient_(at(model_.nv()), 0.0) {
  touched_.reserve(at(model_.nv()));
}

void ConstraintWriter::start(const DynamicsData& data, std::span<const double> v, std::span<const char> asleep,
                             std::span<const Motion> given) {
  given_ = given;
  data_ = &data;
  v_ = v;
  asleep_ = asleep;
  problem_.clear_constraints();
  keys_.clear();
  held_rows_.clear();
  driven_rows_.clear();
  rows_used_ = 0;
  open();
}

void ConstraintWriter::open() {
  held_.clear();
  held_sides_.clear();
  rate_ = 0;
  given_start_ = given_rate_ = {};
}

void ConstraintWriter::let_go() {
  for (const int dof : touched_) coefficient_[at(dof)] = 0;
  touched_.clear();
  open();
}

void ConstraintWriter::finish() {
  std::vector<SparseRows>& rows = problem_.attachment_rows;
  for (; rows.size() > rows_used_; rows.pop_back()) spare_rows_.push_back(std::move(rows.back()));
}

void ConstraintWriter::add_given(const Mat3& frame, const Vec3& start, const Vec3& end, double sign) {
  const Vec3 before = transpose_times(frame, start) * sign;
  given_start_ += before;
  rate_ += before.z();
  given_rate_ += transpose_times(frame, end) * sign;
}

void ConstraintWriter::add_given_turn(const Mat3& frame, int mocap, double sign) {
  const Vec3 end = given_.empty() ? Vec3{} : given_[at(mocap)].angular;
  add_given(frame, data_->mocap_velocity[at(mocap)].angular, end, sign);
}

/// A side that no impulse moves, but that moves. Only the law's own axes matter: a scalar row takes n.
void ConstraintWriter::hold_given(int link, const Vec3& point, const Mat3& frame, double sign) {
  const int mocap = model_.links()[at(link)].mocap;
  if (mocap < 0) return;
  const Vec3 arm = point - data_->link_pose[at(link)].position;
  add_given(frame, velocity_at(data_->mocap_velocity[at(mocap)], arm),
            given_.empty() ? Vec3{} : velocity_at(given_[at(mocap)], arm), sign);
}

void ConstraintWriter::hold_point(const Side& side, const Vec3& point, const Mat3& frame, double sign) {
  if (side.subsystem < 0) {
    if (side.feature >= 0) hold_given(side.feature, point, frame, sign);
    return;
  }
  const SubsystemBlock& block = blocks_[side.subsystem];
  const Vec3 velocity = block.attach_point(*data_, side, point, frame, sign, held_.emplace_back());
  held_sides_.push_back(side);
  rate_ += sign * dot(frame.col[2], velocity);
}

bool ConstraintWriter::hold_turn(const Side& side, const Mat3& frame, double sign) {
  if (side.subsystem < 0) {
    const int mocap = side.feature < 0 ? -1 : model_.links()[at(side.feature)].mocap;
    if (mocap >= 0) add_given_turn(frame, mocap, sign);
    return true;
  }
  if (blocks_[side.subsystem].attach_turn(side, frame, sign, held_.emplace_back())) return true;
  held_.pop_back();
  return false;
}

double ConstraintWriter::rate_at(std::span<const double> v) const {
  double rate = given_start_.z();
  for (const int dof : touched_) rate += coefficient_[at(dof)] * v[at(dof)];
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const Side& side = held_sides_[k];
    const Vec3 velocity = blocks_[side.subsystem].point_velocity(*data_, side, held_[k], v);
    rate += held_[k].sign * dot(held_[k].frame.col[2], velocity);
  }
  return rate;
}

void ConstraintWriter::hold_dof(int dof, double coefficient) {
  if (std::find(touched_.begin(), touched_.end(), dof) == touched_.end()) touched_.push_back(dof);
  coefficient_[at(dof)] += coefficient;
  rate_ += coefficient * v_[at(dof)];
}

void ConstraintWriter::hold_row(const CoordinateRow& row, double factor) {
  for (std::size_t k = 0; k < row.dofs.size(); ++k) hold_dof(row.dofs[k], factor * row.scale * row.coefficients[k]);
}

void ConstraintWriter::hold_rotation(int link, const Vec3& axis, double sign) {
  const int mocap = link < 0 ? -1 : model_.links()[at(link)].mocap;
  if (mocap >= 0) add_given_turn({{Vec3{}, Vec3{}, axis}}, mocap, sign);
  const int last = link < 0 ? -1 : model_.topology()->last_dof(link);
  if (last < 0) return;
  for (const int dof : model_.topology()->path(last)) {
    hold_dof(dof, sign * dot(data_->tree.subspace[at(dof)].angular, axis));
  }
}

/// Coefficients by block: one dof is a Coordinate, several are explicit Rows.
void ConstraintWriter::attach_rows() {
  std::sort(touched_.begin(), touched_.end(), [&](int a, int b) {
    return std::pair(model_.dof_subsystem(a), a) < std::pair(model_.dof_subsystem(b), b);
  });
  for (std::size_t begin = 0; begin < touched_.size();) {
    const int block = model_.dof_subsystem(touched_[begin]);
    std::size_t end = begin + 1;
    while (end < touched_.size() && model_.dof_subsystem(touched_[end]) == block) ++end;
    attach_row(block, begin, end);
    begin = end;
  }
  for (const int dof : touched_) coefficient_[at(dof)] = 0;
  touched_.clear();
}

void ConstraintWriter::attach_row(int block, std::size_t begin, std::size_t end) {
  Attachment& attachment = held_.emplace_back();
  attachment.block = block;
  if (end - begin == 1 && blocks_[block].has_state_dofs()) {
    attachment.kind = AttachmentKind::Coordinate;
    attachment.dof = model_.local_dof(touched_[begin]);
    attachment.coefficient = coefficient_[at(touched_[begin])];
    return;
  }
  attachment.kind = AttachmentKind::Rows;
  attachment.entries = static_cast<int>(rows_used_);
  SparseRows& rows = next_rows();
  rows.clear(problem_.blocks[at(block)].size);
  blocks_[block].write_row(*data_, std::span(touched_).subspan(begin, end - begin), coefficient_, rows);
  rows.start.push_back(static_cast<int>(rows.column.size()));
}

SparseRows& ConstraintWriter::next_rows() {
  std::vector<SparseRows>& used = problem_.attachment_rows;
  if (rows_used_ == used.size()) {
    if (spare_rows_.empty()) {
      used.emplace_back();
    } else {
      used.push_back(std::move(spare_rows_.back()));
      spare_rows_.pop_back();
    }
  }
  return used[rows_used_++];
}

bool ConstraintWriter::holds_sleeper() const {
  if (asleep_.empty()) return false;
  return std::any_of(held_.begin(), held_.end(), [&](const Attachment& a) { return asleep_[at(a.block)] != 0; }) ||
         std::any_of(touched_.begin(), touched_.end(),
                     [&](int dof) { return asleep_[at(model_.dof_subsystem(dof))] != 0; });
}

bool ConstraintWriter::close(std::uint64_t key) {
  if (holds_sleeper()) let_go();
  attach_rows();
  if (held_.empty()) return false;
  keys_.push_back(key);
  const Vec3 mean = 0.5 * (given_start_ + given_rate_);
  if (dot(mean, mean) > 0) driven_rows_.push_back({problem_.rows, mean});
  return true;
}

bool ConstraintWriter::contact(std::uint64_t key, const FrictionCone& cone, const Vec3& e) {
  const bool holds = close(key);
  if (holds && mobility_ > 0) {
    problem_.mobility_estimate.resize(problem_.constraints.size(), 0.0);
    problem_.mobility_estimate.push_back(mobility_);
  }
  mobility_ = 0;
  if (holds) problem_.add_contact(cone, e + given_rate_, held_);
  open();
  return holds;
}
void ConstraintWriter::moment(std::uint64_t key, const MomentCone& cone) {
  constexpr std::uint64_t kMoment = 0x6d6f6d656e74;  // far from the contact's own key and those of others
  if (close(mixed_bits(key + kMoment))) problem_.add_moment(cone, held_, given_rate_);
  open();
}
void ConstraintWriter::hard(std::uint64_t key, double e) {
  if (close(key)) problem_.add_hard(e + given_rate_.z(), held_);
  open();
}
void ConstraintWriter::equality(std::uint64_t key, double e) {
  if (close(key)) problem_.add_equality(e + given_rate_.z(), held_);
  open();
}
void ConstraintWriter::held_equality(std::uint64_t key, double e, double rate) {
  const std::size_t before = problem_.equality.row.size();
  const double given = given_rate_.z();
  equality(key, e);
  if (problem_.equality.row.size() > before) held_rows_.push_back({static_cast<int>(before), rate, given});
}
void ConstraintWriter::soft(std::uint64_t key, double e, double k, double damping) {
  if (close(key)) problem_.add_soft(e, k, damping, held_);
  open();
}
void ConstraintWriter::limit(std::uint64_t key, double lower, double upper) {
  if (close(key)) problem_.add_limit(lower, upper, held_);
  open();
}
void ConstraintWriter::friction(std::uint64_t key, double bound) {
  if (close(key)) problem_.add_friction(bound, held_);
  open();
}

}  // namespace uzawa
