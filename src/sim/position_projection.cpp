#include "uzawa/sim/position_projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/energy.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/sim/levers.hpp"

namespace uzawa {

namespace {

/// Errors below these are left to the next steps. Equalities drift a little in every step, and what is left of that in
/// one step would bias the next; a contact that rests keeps its depth.
constexpr double kDrift = 1e-8, kPenetration = 1e-6;  // m or rad
/// Slack of a row, as a share of its own mobility: what contradicts is shared out, and what does not is
/// corrected to a ten-thousandth by the first move.
constexpr double kSlack = 1e-4;
constexpr int kMostMoves = 4;  // 1 or 2 are usual: errors are small, and their rows change little
/// A move that leaves more than this share of the largest error is the last: the rest contradicts itself.
constexpr double kWorthAnother = 0.9;

/// Contacts further apart than so many largest errors are not among the rows: a move seldom gets there, and where it
/// does the next one sees the penetration. Of contacts with soft bodies only those in error are: what a move does to
/// the nodes around it fades within an element or two.
constexpr double kReach = 10;

bool yields(const Model& model, const Contact& contact) {
  const auto sides = contact_sides(model, contact);
  return std::ranges::any_of(sides, [&](const Side& side) { return side.subsystem >= 0 && side.feature < 0; });
}

/// Error of a constraint beyond the threshold of its kind; 0: none.
double error_of(const Problem& problem, const ConstraintRef& ref) {
  const auto beyond = [](double error, double threshold) { return error > threshold ? error : 0; };
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Equality: return beyond(std::abs(problem.equality.e[i]), kDrift);
    case ConstraintKind::Hard: return beyond(-problem.hard.e[i], kPenetration);
    case ConstraintKind::Limit: return beyond(std::max(problem.limits.lower[i], -problem.limits.upper[i]), kDrift);
    default: return 0;
  }
}

double largest_error(const Problem& problem, std::span<const int> constraints) {
  double worst = 0;
  for (const int c : constraints) worst = std::max(worst, error_of(problem, problem.constraints[at(c)]));
  return worst;
}

double largest_error(const Problem& problem) {
  double worst = 0;
  for (const ConstraintRef& ref : problem.constraints) worst = std::max(worst, error_of(problem, ref));
  return worst;
}

}  // namespace

PositionProjection::PositionProjection(std::shared_ptr<const SharedModel> shared)
    : shared_(std::move(shared)), model_(shared_->model()) {}

/// Of the two sides of a contact, at the velocities or displacements of the links in velocity_.
Vec3 PositionProjection::relative_velocity(const DynamicsData& data, const Contact& contact) const {
  const auto [side1, side2] = contact_sides(model_, contact);
  return side_velocity(model_, data, velocity_, side2, contact.position) -
         side_velocity(model_, data, velocity_, side1, contact.position);
}

/// Along the plane of each contact.
void PositionProjection::predict_gaps(const StepData& step, double h) {
  velocity_.resize(model_.links().size());
  link_velocities(model_, step.drift_v, step.dynamics, velocity_);
  gaps_.clear();
  for (const Contact& contact : step.contacts) {
    const Vec3 relative = relative_velocity(step.dynamics, contact);
    gaps_.push_back(contact.gap + h * dot(contact.normal, relative));
  }
}

void PositionProjection::list_taut(const Assembler& assembler, std::span<const double> lambda) {
  taut_.clear();
  if (assembler.taut().empty()) return;
  const LimitRows& limits = assembler.problem().limits;
  for (std::size_t i = 0; i < limits.row.size(); ++i) {
    const std::uint64_t key = assembler.keys()[at(limits.constraint[i])];
    const bool pulls = lambda[at(limits.row[i])] < 0;
    if (pulls && std::ranges::find(assembler.taut(), key) != assembler.taut().end()) taut_.push_back(key);
  }
}

bool PositionProjection::limits_are_passed(const State& state) const {
  if (!model_.options().limits) return false;
  for (std::size_t j = 0; j < model_.spec().joints.size(); ++j) {
    const JointSpec& joint = model_.spec().joints[j];
    if (!joint.range || joint.type == JointType::Free) continue;
    const std::size_t first = at(model_.joint_q(static_cast<int>(j)));
    const double q =
        joint.type == JointType::Ball ? norm(log_rotation(normalized(Quat::from(&state.q[first])))) : state.q[first];
    const double lower = joint.type == JointType::Ball ? 0 : joint.range->lower;
    if (q < lower - kDrift || q > joint.range->upper + kDrift) return true;
  }
  return std::any_of(model_.spec().tendons.begin(), model_.spec().tendons.end(),
                     [](const TendonSpec& tendon) { return tendon.range.has_value(); });
}

/// The points that touch, carried along by their links; one point for both, so that the move acts along one line.
void PositionProjection::place_contacts(const StepData& step) {
  contacts_ = step.contacts;
  for (Contact& contact : contacts_) {
    const auto [side1, side2] = contact_sides(model_, contact);
    const Vec3 first = moved_point(model_, step.dynamics.link_pose, end_->link_pose, side1, contact.position);
    const Vec3 second = moved_point(model_, step.dynamics.link_pose, end_->link_pose, side2, contact.position);
    contact.position = side1.subsystem < 0 ? second : (side2.subsystem < 0 ? first : 0.5 * (first + second));
  }
}

/// Rows of all errors, and of contacts that moves to correct them may reach. A contact that had a lever at the start of
/// the step may have lost it: the joints have turned since, and its plane has not.
void PositionProjection::write_problem(const State& state, const AssemblySettings& settings, const Ties& ties,
                                       std::span<const char> asleep, double h) {
  double reach = -1, error = 0;
  for (const double gap : gaps_) error = std::max(error, -gap);
  while (kReach * error > reach) {
    reach = kReach * error;
    near_.clear();
    near_gaps_.clear();
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (gaps_[c] > reach || (gaps_[c] > -kPenetration && yields(model_, contacts_[c]))) continue;
      if (!has_lever(model_, *shared_->shapes(), *end_, contacts_[c])) continue;
      near_.push_back(contacts_[c]);
      near_gaps_.push_back(gaps_[c]);
    }
    problem_->assemble(state, *end_, settings, ties, near_, near_gaps_, taut_, asleep, h);
    error = std::max(error, largest_error(problem_->problem()));
  }
}

/// Solves the islands with errors and moves q.
void PositionProjection::move_islands(State& state, CarriedMomentum& momentum) {
  const Problem& problem = problem_->problem();
  split_.split(problem);
  if (slots_.size() < at(split_.count())) slots_.resize(at(split_.count()));
  x_.assign(at(problem.n()), 0.0);
  for (int i = 0; i < split_.count(); ++i) {
    if (largest_error(problem, split_.island(i).constraints) == 0) continue;
    const Problem& part = split_.extract(problem, i);
    Slot& slot = slots_[at(i)];
    const bool condensed = slot.condensation.condense(part, true);
    slot.prepared.prepare(condensed ? slot.condensation.reduced() : part, true);
    slot.x.resize(at(slot.prepared.problem().n()));
    slot.solver.solve(slot.prepared, kSlack, slot.x);
    if (condensed) {
      slot.condensed.swap(slot.x);
      slot.x.resize(at(part.n()));
      slot.condensation.expand(part, slot.condensed, slot.x);
    }
    gather_velocities(problem, split_.island(i), slot.x, x_);
  }
  // Gaps along the planes that the contacts have.
  move_.resize(at(model_.nv()));
  problem_->read_move(*end_, x_, move_);
  link_velocities(model_, move_, *end_, velocity_);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    gaps_[c] += dot(contacts_[c].normal, relative_velocity(*end_, contacts_[c]));
  }
  book_displacement(model_, velocity_, *end_, momentum.account);
  displace(model_, move_, state.q, state.v);
  momentum.q = state.q;
  momentum.v = state.v;
}

PositionProjection::Outcome PositionProjection::project(const StepData& step, const Assembler& assembler, double h,
                                                        const AssemblySettings& settings, const Ties& ties,
                                                        std::span<const char> asleep, State& state,
                                                        CarriedMomentum& momentum) {
  Outcome outcome;
  if (settings.errors_in_rows) return outcome;
  predict_gaps(step, h);
  const bool penetrates = std::any_of(gaps_.begin(), gaps_.end(), [](double gap) { return gap < -kPenetration; });
  const bool equalities = (model_.options().equalities && !model_.spec().equalities.empty()) || !ties.points.empty();
  if (!penetrates && !equalities && !limits_are_passed(state)) return outcome;
  if (!end_) {
    end_.emplace(model_);
    problem_.emplace(shared_->plan());
  }
  double before = 0;                      // J
  end_->elastic = step.dynamics.elastic;  // the metric of soft bodies has their stiffness
  const auto potential = [&] {
    return potential_energy(model_, *end_) + spring_energy(model_, state.q, *end_) + elastic_energy(model_, *end_);
  };
  list_taut(assembler, step.result.lambda);
  for (;; ++outcome.moves) {
    forward_kinematics(model_, state, *end_);
    tendon_lengths(model_, state.q, *end_);
    if (outcome.moves == 0) before = potential();
    place_contacts(step);
    write_problem(state, settings, ties, asleep, h);
    const double last = outcome.remainder;
    outcome.remainder = largest_error(problem_->problem());
    if (outcome.moves == 0) outcome.error = outcome.remainder;
    if (outcome.remainder == 0 || outcome.moves == kMostMoves) break;
    if (outcome.moves > 0 && outcome.remainder > kWorthAnother * last) break;
    move_islands(state, momentum);
  }
  if (outcome.moves > 0) outcome.potential = potential() - before;
  return outcome;
}

}  // namespace uzawa
