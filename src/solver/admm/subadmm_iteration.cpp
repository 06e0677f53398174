#include "uzawa/solver/admm/subadmm_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"

namespace uzawa {

namespace {

// Penalties are looked at after 10, 20, 40, ... iterations: changes become rare, so that the iteration can settle.
constexpr int kFirstAdaptation = 10;
constexpr int kFirstBalance = 160;       // before that another beta costs more than it gains
constexpr int kFirstDoubt = 160;         // over-relaxation is given up from here on, if it does not lead anywhere:
constexpr double kStandstill = 0.9;      // y changes as much as after half as many iterations,
constexpr double kCommotion = 0.01;      // and by this share of the velocities
constexpr double kImbalance = 3;         // ratio of the relative residuals that calls for another beta
constexpr double kLargestChange = 3;     // of beta at once
constexpr double kBareMassShare = 0.25;  // of what a contact feels, in problems of bare matrices

}  // namespace

/// What the first penalty is measured against: geometric mean over the bodies of mass / sqrt(number of contacts n).
///
/// [AL] section VI-D has mass / n, the inverse of the largest eigenvalue of J A^-1 J^T (n contacts push together). ADMM
/// is fastest between the inverses of the largest and the smallest (about 1/mass: one contact by itself), at their
/// geometric mean. A problem of bare matrices has no mass, only what its contacts feel.
double SubAdmmIteration::mass_scale(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const bool bodies = std::any_of(problem.blocks.begin(), problem.blocks.end(),
                                  [](const Block& b) { return b.kind != BlockKind::Sparse; });
  if (!bodies) return kBareMassShare * effective_mass(prepared);
  count_.assign(problem.blocks.size(), 0);
  for (const Attachment& attachment : problem.attachments) ++count_[at(attachment.block)];
  double sum = 0;
  int counted = 0;
  for (std::size_t b = 0; b < count_.size(); ++b) {
    const double mass = block_mass(problem, problem.blocks[b]);
    if (count_[b] == 0 || !(mass > 0)) continue;
    sum += std::log(mass) - 0.5 * std::log(count_[b]);
    ++counted;
  }
  return counted == 0 ? 1.0 : std::exp(sum / counted);
}

void SubAdmmIteration::prepare(PreparedProblem& prepared, const SubAdmmSettings& settings,
                               std::span<const double> lambda, Splitting splitting, ThreadPool* pool) {
  const Problem& problem = prepared.problem();
  settings_ = settings;
  pool_ = pool;
  steps_ = factorizations_ = 0;
  const bool traces = settings.penalty_rule == AdmmPenaltyRule::Traces;
  next_adaptation_ = settings.adapt_penalty && !traces ? kFirstAdaptation : -1;
  theta_ = 0;
  relaxation_ = settings.relaxation;
  last_change_ = 0;
  healthy_ = true;
  plain_ = false;
  subsystems_.prepare(problem, prepared.rows(), splitting);
  std::span<const double> penalties, mobility;
  if (traces) penalties = traces_.measure(prepared, splitting == Splitting::None);
  if (problem.moments.size() > 0) mobility = prepared.mobility();
  groups_.prepare(problem, subsystems_, mobility, penalties);
  acceleration_.prepare(groups_.state().size(), settings.acceleration);
  lambda_.assign(lambda.begin(), lambda.end());
  free_square_ = groups_.speed_square(problem, prepared.free_constraint_velocity());
  beta_ = traces ? 1.0 : settings.penalty * mass_scale(prepared);
  factorize(problem);
  // z = J v at the velocities that the first impulses give: to solve for v again would change nothing, so the first
  // iteration begins with the constraints.
  first_v_.resize(at(problem.n()));
  prepared.velocity(lambda_, first_v_);
  subsystems_.set_velocity(problem, first_v_);
  groups_.start(problem, subsystems_, lambda_, beta_);
  groups_.project(problem, subsystems_, beta_, pool_);
}

double SubAdmmIteration::work(const Problem& problem) {
  // Fitted to times on 37 problems, in the unit of NewtonMatrix::work(): free bodies run in lanes, trees are walked.
  constexpr double kRow = 32, kBodyDof = 32, kOtherDof = 600;
  double work = kRow * problem.rows;
  for (const Block& block : problem.blocks) {
    work += block.size * (block.kind == BlockKind::FreeBody ? kBodyDof : kOtherDof);
  }
  return work;
}

void SubAdmmIteration::step(const Problem& problem) {
  // Before the step and not after it, so that what others get to see is never an untested extrapolation.
  if (plain_ && acceleration_.improve(groups_.previous_state(), groups_.state(), pool_)) {
    groups_.project(problem, subsystems_, beta_, pool_);
  }
  const bool adapts = ++steps_ == next_adaptation_;
  subsystems_.solve(problem, pool_);
  const bool looks_back = acceleration_.looks_back() || settings_.theta > 0;
  groups_.step(problem, subsystems_, {beta_, relaxation_, adapts, looks_back}, pool_);
  if (settings_.theta > 0) theta_ = groups_.theta();
  plain_ = true;
  if (adapts) adapt(problem);
}

void SubAdmmIteration::factorize(const Problem& problem) {
  healthy_ = subsystems_.factorize(problem, beta_, pool_) && healthy_;
  ++factorizations_;
}

void SubAdmmIteration::adapt(const Problem& problem) {
  next_adaptation_ *= 2;
  const double old = beta_;
  const AdmmResiduals residuals = groups_.residuals();
  const bool slower = goes_round(residuals);
  if (slower) relaxation_ = 1;
  if (steps_ >= kFirstBalance) beta_ = balanced_penalty(residuals);
  const bool other_matrices = groups_.change_penalty(subsystems_, old, beta_);
  if (other_matrices) factorize(problem);
  if (!other_matrices && !slower) return;
  acceleration_.forget();
  plain_ = false;
}

/// The strict operator is not the projection onto a convex set: where contacts work against each other, over-relaxed
/// iterations may run in a circle for good (16 constraints of two quadrupeds did, one of five iterations), which those
/// of [AL], without over-relaxation, were not seen to do.
bool SubAdmmIteration::goes_round(const AdmmResiduals& residuals) {
  const double least = std::max(kStandstill * kStandstill * last_change_,
                                kCommotion * kCommotion * std::max(residuals.speed, free_square_));
  last_change_ = residuals.change;
  return residuals.change > least && steps_ >= kFirstDoubt && relaxation_ > 1;
}

/// Balances the two residuals, each relative to what it is a residual of ([AL] eq. 44 raw depends on units). Where
/// everything comes to rest J v says nothing about the scale of velocities; what they would be without contacts does.
double SubAdmmIteration::balanced_penalty(const AdmmResiduals& residuals) const {
  const double primal = std::sqrt(residuals.primal / std::max({residuals.speed, free_square_, 1e-300}));
  const double dual = beta_ * std::sqrt(residuals.dual / std::max(groups_.impulse_square(), 1e-300));
  if (!(primal > 0) || !(dual > 0)) return beta_;
  const double ratio = primal / dual;
  if (ratio < kImbalance && ratio > 1 / kImbalance) return beta_;
  return beta_ * std::clamp(std::sqrt(ratio), 1 / kLargestChange, kLargestChange);
}

std::span<const double> SubAdmmIteration::impulses(const Problem& problem) {
  groups_.impulses(problem, lambda_);
  return lambda_;
}

}  // namespace uzawa
