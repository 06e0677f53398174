/// One step of a World, the whole pipeline on one screen:
///
///   dynamics    poses, velocities, M v_k + h tau in the middle of the step
///   collision   Contact[], those among them that will be met within the step
///   impacts     where there is restitution: velocities after what is hit in this step has bounced
///   assembly    Problem: A, b, constraints
///   solve       islands, each by the method that was asked for; impulses of the last step to start from
///   second look contacts where the step would end, of what was flung or has turned; solved again where there are any
///   integrate   v_{k+1} and q_{k+1}
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include "uzawa/sim/world.hpp"

namespace uzawa {

namespace {

/// Each chases what the last one set in motion. What is left after these, a handful of steps in a thousand of heaps of
/// robots, is made good in the next step.
constexpr int kMostResolves = 3;

}  // namespace

const StepReport& World::step(std::span<const double> given_control, std::span<const double> external) {
  check_inputs(given_control, external);
  const std::span<const double> control = control_or_zeros(given_control);
  report_ = {};
  StageTimes& times = report_.times;
  watch_.start();
  started_ = std::chrono::steady_clock::now();

  expect_change();
  start_step(model_, state_, control, external, rule_, data_, dynamics_);
  watch_.lap(times.dynamics);

  find_contacts();
  watch_.lap(times.collision);

  wake_sleepers(control, external);
  expect_velocities();
  solving_ = std::chrono::steady_clock::now();
  if (settings_.assembly.has_restitution()) {
    pass_on_impacts(control, external);
    watch_.lap(times.solve);
  }

  assembler_.forget_passed_limits();
  assemble(control);
  watch_.lap(times.assembly);

  solve(control, external);
  watch_.lap(times.solve);

  if (report_.status != StepStatus::Failed) {
    if (settings_.sleep.enabled) sleep_.put_to_sleep(problem(), rule_.h, next_v_);
    last_v_ = state_.v;
    finish_step(model_, next_v_, control, rule_, state_);
  }
  watch_.lap(times.integrate);
  return report_;
}

/// As the last step changed them: where motion is smooth that is right to second order. But not much more than the one
/// before did: the jump of an impact is not expected to happen again.
void World::expect_change() {
  for (std::size_t d = 0; d < last_v_.size(); ++d) {
    const double change = state_.v[d] - last_v_[d], earlier = last_change_[d];
    const double most = 2 * std::abs(earlier);
    dynamics_.expected_change[d] = std::clamp(change, -most, most);
    last_change_[d] = change;
  }
}

void World::find_contacts() {
  for (std::size_t link = 0; link < linear_.size(); ++link) {
    const Motion& motion = data_.velocity[link];
    const auto tree = static_cast<std::size_t>(model_.topology()->link_tree(static_cast<int>(link)));
    linear_[link] = velocity_at(motion, data_.link_pose[link].position - data_.reference[tree]);
    angular_[link] = motion.angular;
  }
  collider_.run(data_.link_pose, {settings_.look_ahead, rule_.h, linear_, angular_}, collision_threads());
  contacts_.assign(collider_.contacts().begin(), collider_.contacts().end());
  first_look_ = contacts_.size();
}

ThreadPool* World::collision_threads() {
  return settings_.solve.threads > 1 ? &workspace_.threads(settings_.solve.threads) : nullptr;
}

void World::wake_sleepers(std::span<const double> control, std::span<const double> external) {
  if (!settings_.sleep.enabled) return;
  sleep_.wake(contacts(), control, external);
  assembler_.set_asleep(sleep_.asleep());
  report_.asleep = sleep_.count();
}

/// As the last step changed them, so will this one: that is second order where motion is smooth.
void World::expect_velocities() {
  for (std::size_t d = 0; d < last_v_.size(); ++d) expected_v_[d] = 2 * state_.v[d] - last_v_[d];
}

void World::assemble(std::span<const double> control) {
  assembler_.assemble(dynamics_.middle, expected_v_, control, rule_, data_, dynamics_.impulse,
                      contacts().first(first_look_), contacts().subspan(first_look_));
}

/// The problem, and again where a joint passes a limit that was thought to be out of reach, or the velocities are not
/// those along which constraints were linearised, or shapes would end up in each other, or where bodies are jammed.
void World::solve(std::span<const double> control, std::span<const double> external) {
  for (int round = 0;; ++round) {
    solve_problem();
    if (report_.status == StepStatus::Failed) return;
    if (round == kMostResolves) break;
    const bool passed = assembler_.add_passed_limits(dynamics_.middle, rule_, next_v_);
    // Also where the constraints contradict each other: along other velocities they may not.
    const bool bent = assembler_.must_relinearise(rule_, expected_v_, next_v_);
    const bool overlapping = look_again(control, external);
    if (!passed && !bent && !overlapping) break;
    if (bent) expected_v_ = next_v_;
    ++report_.resolves;
    assemble(control);
  }
  if (!result_.contradictory.empty()) solve_jams(control);
}

/// True where the step would end in overlaps; their contacts are then part of the next `assemble`. What was found
/// there in an earlier round is kept, at the velocities of this one where it is there again.
bool World::look_again(std::span<const double> control, std::span<const double> external) {
  const std::span<const Contact> found = contacts().first(first_look_);
  if (!second_look_.is_called_for(data_, rule_.h, next_v_, found) || !has_time_for_another()) return false;
  watch_.lap(report_.times.solve);
  const bool any = second_look_.look(dynamics_.middle, data_, rule_.h, next_v_, found, collision_threads());
  for (const Contact& contact : second_look_.contacts()) {
    const auto later = contacts_.begin() + static_cast<std::ptrdiff_t>(first_look_);
    const auto same = std::find_if(later, contacts_.end(), [&](const Contact& c) { return c.key == contact.key; });
    if (same == contacts_.end()) {
      contacts_.push_back(contact);
    } else {
      *same = contact;
    }
  }
  if (any) wake_sleepers(control, external);
  watch_.lap(report_.times.collision);
  return any;
}

/// As long again as the solves of this step have taken.
bool World::has_time_for_another() const {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::micro> solving = now - solving_, step = now - started_;
  const auto fits = [&](double budget, double used) { return budget <= 0 || used + solving.count() <= budget; };
  return fits(settings_.solve.budget_us, solving.count()) && fits(settings_.budget_us, step.count());
}

/// Where an island is not solved, impulses to start from may have led astray. If it is not that, constraints contradict
/// each other: nothing is made good of those that are violated, or if that is not enough, of their whole islands. Where
/// that is no solution either, they are no jam, but hard: the best answer stays.
void World::solve_jams(std::span<const double> control) {
  unjammed_ = result_;
  if (settings_.warm_start) {
    if (solves_without(result_.contradictory)) return;
    if (result_.verdict.residual < unjammed_.verdict.residual) unjammed_ = result_;
  }
  for (const bool all : {false, true}) {
    if (all) {
      jammed_ = result_.contradictory;
    } else {
      list_violated();
    }
    if (!assembler_.leave_errors(jammed_)) continue;
    if (!solves_without(jammed_)) continue;
    if (report_.status == StepStatus::Solved) report_.status = StepStatus::Jammed;
    return;
  }
  std::swap(result_, unjammed_);
  assemble(control);
  accept_result();
}

/// Once more, from the last impulses but those of these constraints. True where the islands that were unsolved are
/// solved; that others are capped is no reason to throw this away.
bool World::solves_without(std::span<const int> constraints) {
  keep_impulses(constraints);
  ++report_.resolves;
  solve_problem();
  return report_.status != StepStatus::Failed && result_.contradictory.empty() &&
         result_.verdict.residual <= std::max(settings_.solve.tolerance, unjammed_.verdict.residual);
}

/// Constraints of contradictory islands that are not within the tolerance.
void World::list_violated() {
  prepared_.prepare(problem());
  judge_.list_above(prepared_, result_.lambda, settings_.solve.tolerance, violated_);
  std::sort(violated_.begin(), violated_.end());
  std::sort(result_.contradictory.begin(), result_.contradictory.end());
  jammed_.clear();
  std::set_intersection(violated_.begin(), violated_.end(), result_.contradictory.begin(), result_.contradictory.end(),
                        std::back_inserter(jammed_));
}

/// With what is left of the budgets of this step, and by the residual alone.
Settings World::solve_settings() const {
  Settings settings = settings_.solve;
  settings.require_siconos = false;
  const auto keep_to = [&](double budget, std::chrono::steady_clock::time_point since) {
    if (budget <= 0) return;
    const std::chrono::duration<double, std::micro> used = std::chrono::steady_clock::now() - since;
    const double left = std::max(1.0, budget - used.count());
    settings.budget_us = settings.budget_us > 0 ? std::min(settings.budget_us, left) : left;
  };
  keep_to(settings_.budget_us, started_);
  keep_to(settings_.solve.budget_us, solving_);
  return settings;
}

void World::solve_problem() {
  workspace_.start.clear();
  if (settings_.warm_start) warm_.fill(problem(), assembler_.keys(), workspace_.start);
  solve_islands(solver_, problem(), solve_settings(), workspace_, result_);
  if (!velocities_are_finite()) {  // before anything is given up, a cold start with the method that is most robust
    ++report_.resolves;
    rescue_.start.clear();
    solve_islands(find_solver("auto"), problem(), solve_settings(), rescue_, result_);
  }
  report_.iterations = std::max(report_.iterations, result_.stats.iterations);
  report_.inner_iterations += result_.stats.inner_iterations;
  accept_result();
}

void World::accept_result() {
  write_report();
  if (report_.status == StepStatus::Failed) return;
  assembler_.joint_velocity(data_, result_.v, next_v_);
  keep_impulses(result_.unbounded);
}

/// All but those of these constraints, which are nothing to start from.
void World::keep_impulses(std::span<const int> but) {
  assert(static_cast<int>(result_.lambda.size()) == problem().rows);
  kept_impulses_ = result_.lambda;
  for (const int c : but) {
    const auto first = kept_impulses_.begin() + problem().constraints[static_cast<std::size_t>(c)].row;
    std::fill(first, first + problem().dims(c), 0.0);
  }
  warm_.store(problem(), assembler_.keys(), kept_impulses_);
}

}  // namespace uzawa
