/// The solve of a step. Some facts are known only from the solution; each has a refiner, which looks at the solution
/// and changes the problem where it was not the right one. The problem is solved again until no refiner changes it:
///
///   refiner                finds                                                changes
///   add_passed_limits      joint limits passed that were thought out of reach   adds their rows
///   add_deferred_contacts  pairs that no plane keeps apart (PlaneChoice), and    adds contacts on the best plane
///                          points whose paths are not free (FreePaths);
///                          contacts that the motion reaches after all           adds them as they were found
///                          (UnreachedContacts)
///   add_end_contacts       penetrations at the end of the step (SecondLook)     adds their contacts
///   relinearise            soft bodies and rods that turn far in the step       takes their stiffness where they get
///   let_rates_give_way     held rates by which constraints would give energy    lessens them (HeldWork)
///
/// All look at every solution, but for the second look where deferred pairs have changed the problem: those pairs would
/// be found twice; and for the last, which waits until the others are content.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa {

namespace {

/// Each round follows the motion that the last one caused. Errors left after these, in a handful of steps in a thousand
/// of heaps of robots, are projected away.
constexpr int kMostRounds = 3;
constexpr int kMostBrakings = 2;  // the second finds what the first has changed: which contacts carry

}  // namespace

void World::solve() {
  require(Stage::Assembled, "assemble");
  step_.rounds = step_.brakings = 0;
  solve_problem();
  while (step_.report.status != StepStatus::Failed && refine()) {
    ++step_.report.resolves;
    solve_problem();
  }
  unreached_.release(step_.contacts);
  step_.watch.lap(step_.report.times.solve);
  step_.stage = Stage::Solved;
}

/// True where the problem has changed.
bool World::refine() {
  bool changed = false;
  if (step_.rounds < kMostRounds) {
    changed = add_passed_limits();
    if (add_deferred_contacts() || add_end_contacts()) changed = true;
    if (relinearise()) changed = true;
    step_.rounds += changed ? 1 : 0;
  }
  if (!changed && step_.brakings < kMostBrakings && has_time_for_another()) {
    changed = assembler_.let_rates_give_way(step_.middle.start_v, step_.dynamics, step_.result.v, step_.result.lambda);
    step_.brakings += changed ? 1 : 0;
  }
  if (changed) write_problem();
  return changed;
}

bool World::add_passed_limits() { return assembler_.add_passed_limits(step_.middle.state, rule_, step_.drift_v); }

/// In the last round all that are left get their rows: after it nobody looks.
bool World::add_deferred_contacts() {
  const bool last = step_.rounds + 1 == kMostRounds;
  const std::size_t before = step_.contacts.size();
  if (planes_.has_deferred()) {
    planes_.look_again(step_.dynamics.link_pose, end_, last, step_.contacts);
    drop_useless_contacts(before);
  }
  if (unreached_.any()) {
    unreached_.look_again(step_.dynamics, step_.next_v, rule_.h, last, step_.contacts);
  }
  const bool any = step_.contacts.size() > before;
  if (any) wake_sleepers();
  return any;
}

/// Contacts that were found at the end in an earlier round are kept, at the velocities of this one where they are there
/// again.
bool World::add_end_contacts() {
  const std::span<const Contact> found = collider_.contacts();  // with those that were dropped or deferred
  if (!second_look_.is_called_for(step_.dynamics, rule_.h, step_.drift_v, found) || !has_time_for_another()) {
    return false;
  }
  step_.watch.lap(step_.report.times.solve);
  second_look_.look(end_, step_.dynamics, rule_.h, found, collision_threads());
  bool any = false;
  for (const Contact& contact : second_look_.contacts()) {
    if (is_useless(contact)) continue;
    any = true;
    const auto later = step_.contacts.begin() + static_cast<std::ptrdiff_t>(step_.first_look);
    const auto same = std::find_if(later, step_.contacts.end(), [&](const Contact& c) { return c.key == contact.key; });
    if (same == step_.contacts.end()) {
      step_.contacts.push_back(contact);
    } else {
      *same = contact;
    }
  }
  if (any) wake_sleepers();
  step_.watch.lap(step_.report.times.collision);
  return any;
}

/// Stiffness turns with its elements: around the middle of the step it is right for turns up to some tenth of a radian,
/// and each linearisation where the forces act squares what is left. Not at theta = 0, where that would be implicit
/// Euler, which brakes a rotation by (h w)^2 in every step; with forces of the start it keeps its momentum. That is
/// also what a body gets that turns too far to be followed.
bool World::relinearise() {
  constexpr double kTurn = 0.1, kMostTurn = 0.5;  // rad
  if (model_.elastic_systems().empty() || rule_.theta == 0 || !has_time_for_another()) return false;
  std::vector<Motion>& velocity = step_.middle.velocity;
  link_velocities(model_, step_.next_v, step_.dynamics, velocity);
  double most = 0;
  bool given_up = false;
  for (const Subsystem& subsystem : model_.subsystems()) {
    if (subsystem.kind != SubsystemKind::Elastic) continue;
    ElasticState& state = *step_.dynamics.elastic[static_cast<std::size_t>(subsystem.elastic)];
    if (state.at_end) continue;
    const double turn = elastic_turn(model_, subsystem, step_.next_v, rule_.h, velocity, step_.dynamics);
    if (step_.rounds == 0 && turn > kMostTurn) {
      state.at_end = given_up = true;
    } else {
      most = std::max(most, turn);
    }
  }
  for (int round = 0; round < step_.rounds; ++round) most *= most;
  if (!(most > kTurn)) return given_up;
  const double end = (1 - rule_.theta) * (1 - rule_.theta), start = rule_.theta * rule_.theta;
  elastic_v_.resize(step_.next_v.size());
  for (std::size_t d = 0; d < elastic_v_.size(); ++d) {
    elastic_v_[d] = end * step_.next_v[d] - start * step_.middle.state.v[d];
  }
  elastic_end_.set(step_.middle.state.q, elastic_v_, rule_.h, step_.mocap_end);
  relinearise_elastic(model_, rule_, elastic_end_.poses(), step_.middle.state.v, step_.next_v, step_.dynamics,
                      step_.middle);
  return true;
}

/// Where the solves of this step may take as long again as they have taken.
bool World::has_time_for_another() const {
  if (step_.result.status == SolveStatus::Interrupted) return false;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::micro> solving = now - step_.solving, step = now - step_.started;
  const auto fits = [&](double budget, double used) { return budget <= 0 || used + solving.count() <= budget; };
  return fits(settings_.solve.budget_us, solving.count()) && fits(settings_.budget_us, step.count());
}

/// With the limit of work and the rest of the budgets of this step, and by the residual alone.
Settings World::solve_settings() const {
  Settings settings = settings_.solve;
  settings.require_siconos = false;
  if (settings.work == 0) settings.work = settings_.work;
  const auto keep_to = [&](double budget, std::chrono::steady_clock::time_point since) {
    if (budget <= 0) return;
    const std::chrono::duration<double, std::micro> used = std::chrono::steady_clock::now() - since;
    const double left = std::max(1.0, budget - used.count());
    settings.budget_us = settings.budget_us > 0 ? std::min(settings.budget_us, left) : left;
  };
  keep_to(settings_.budget_us, step_.started);
  keep_to(settings_.solve.budget_us, step_.solving);
  return settings;
}

void World::solve_problem() {
  workspace_.start.clear();
  if (settings_.warm_start) {
    warm_.fill(problem(), assembler_.keys(), step_.contacts, workspace_.start, workspace_.least);
  }
  if (settings_.warm_start && solver_.traits.takes_whole != nullptr) {
    workspace_.start_velocity.resize(problem().b.size());
    assembler_.problem_velocity(step_.dynamics, step_.middle.start_v, workspace_.start_velocity);
  }
  solve_islands(solver_, problem(), solve_settings(), workspace_, step_.result);
  if (!velocities_are_finite()) {  // before the step is given up: a cold start with the most robust method
    ++step_.report.resolves;
    rescue_.start.clear();
    solve_islands(find_solver("auto"), problem(), solve_settings(), rescue_, step_.result);
  }
  step_.report.iterations = std::max(step_.report.iterations, step_.result.stats.iterations);
  step_.report.inner_iterations += step_.result.stats.inner_iterations;
  accept_result();
}

void World::accept_result() {
  write_report();
  if (step_.report.status == StepStatus::Failed) return;
  assembler_.joint_velocity(step_.dynamics, step_.result.v, step_.next_v);
  if (smooth_) {
    smooth_->shares.find(step_, problem(), smooth_->end, rule_.h);
    smooth_->end.mean_velocity(step_.next_v, smooth_->shares.by_dof(), step_.drift_v);
  } else {
    step_.drift_v = step_.next_v;
  }
  end_.set(step_.middle.state.q, step_.drift_v, rule_.h, step_.mocap_end);
  keep_impulses(step_.result.unbounded);
}

/// For the next solve to start from, all but those of these constraints.
void World::keep_impulses(std::span<const int> but) {
  kept_impulses_ = step_.result.lambda;
  for (const int c : but) {
    const auto first = kept_impulses_.begin() + problem().constraints[static_cast<std::size_t>(c)].row;
    std::fill(first, first + problem().dims(c), 0.0);
  }
  warm_.store(problem(), assembler_.keys(), step_.contacts, kept_impulses_, step_.result.least);
}

}  // namespace uzawa
