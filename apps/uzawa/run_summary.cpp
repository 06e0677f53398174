#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace uzawa::cli {

namespace {

constexpr double kTail = 0.99;  // the share of steps that a budget a step must be good for

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto k = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + k, values.end());
  return values[static_cast<std::size_t>(k)];
}

/// From 1 on: what --dump-problem takes. 0 where there is none.
std::ptrdiff_t worst_step(const std::vector<double>& values) {
  return values.empty() ? 0 : std::max_element(values.begin(), values.end()) - values.begin() + 1;
}

nlohmann::json spread_json(const std::vector<double>& values) {
  return {{"median", quantile(values, 0.5)},
          {"p99", quantile(values, kTail)},
          {"worst", quantile(values, 1)},
          {"worst_step", worst_step(values)}};
}

/// What the slowest step has left of the contact laws: slow steps are those of hard problems.
double residual_of_slowest(const RunSummary& s) {
  return s.steps == 0 ? 0 : s.residuals[static_cast<std::size_t>(worst_step(s.step_times) - 1)];
}

/// Simulated time at the end of the slowest step, s.
double time_of_slowest(const RunSummary& s, const World& world) {
  return world.state().time - s.simulated + static_cast<double>(worst_step(s.step_times)) * world.dt();
}

nlohmann::json times_json(const RunSummary& s, const World& world) {
  nlohmann::json out = spread_json(s.step_times);
  out.update({{"worst_time", time_of_slowest(s, world)},
              {"worst_residual", residual_of_slowest(s)},
              {"dynamics", s.mean(s.times.dynamics)},
              {"collision", s.mean(s.times.collision)},
              {"assembly", s.mean(s.times.assembly)},
              {"solve", s.mean(s.times.solve)},
              {"integrate", s.mean(s.times.integrate)},
              {"total", s.mean(s.times.total())}});
  return out;
}

nlohmann::json check_json(const RunSummary& s) {
  if (!s.check) return nullptr;
  return {{"expected", s.check->expected},
          {"measured", s.check->measured},
          {"holds", s.check->holds},
          {"wrong", s.check->wrong}};
}

nlohmann::json file_json(const std::string& file, int frames) {
  if (file.empty()) return nullptr;
  return {{"file", file}, {"frames", frames}};
}

nlohmann::json polygons_json(const RunSummary& s) {
  if (s.polygon_errors.empty()) return nullptr;
  return {{"steps", s.polygon_errors.size()},
          {"median", quantile(s.polygon_errors, 0.5)},
          {"worst", quantile(s.polygon_errors, 1)},
          {"pivoting_error", s.pivoting_error}};
}

nlohmann::json problem_json(const RunSummary& s) {
  if (s.problem.empty() || !s.problem_written) return nullptr;
  return {{"file", s.problem}, {"step", s.problem_step}};
}

nlohmann::json energy_json(const EnergySummary& e) {
  const auto state = [](const EnergyReport& report) {
    return nlohmann::json{{"kinetic", report.kinetic}, {"potential", report.potential}};
  };
  return {{"start", state(e.first)},      {"end", state(e.last)},       {"actuators", e.actuators},
          {"external", e.external},       {"damped", e.damped},         {"projected", e.projected},
          {"constraints", e.constraints}, {"unexplained_gain", e.gain}, {"gain_step", e.gain_step}};
}

void print_energy(const EnergySummary& e) {
  fmt::print(
      "  energy            {:.4g} J at the start, {:.4g} J at the end; work of actuators {:.4g}, external {:.4g};\n",
      e.first.total(), e.last.total(), e.actuators, e.external);
  fmt::print("                    damped {:.4g}, taken by constraints {:.4g}, added by projection {:.4g}\n", e.damped,
             e.constraints, e.projected);
  fmt::print("  unexplained gain  {:.3g} J at the most{}\n", e.gain,
             e.gain_step > 0 ? fmt::format(" (step {})", e.gain_step) : "");
}

/// What a status means to who has not read the headers.
const char* meaning(StepStatus status) {
  switch (status) {
    case StepStatus::Solved: return "to the tolerance";
    case StepStatus::Capped: return "not to the tolerance: the best answer found was taken";
    case StepStatus::LeastViolation: return "constraints contradict each other: violated as little as can be";
    case StepStatus::Relaxed:
      return "another problem was solved, as the method does: softer, or with friction polygons";
    case StepStatus::Failed: return "no finite velocities were found";
  }
  return "";
}

void print_step_times(const RunSummary& s, const World& world) {
  const auto us = [&](double share) { return quantile(s.step_times, share) * 1e6; };
  fmt::print("  step              {:10.2f} us mean, {:.2f} median, {:.2f} 99 %, {:.2f} worst\n",
             s.mean(s.times.total()) * 1e6, us(0.5), us(kTail), us(1));
  fmt::print("  slowest           step {}, to {:.4g} s; its residual {:.2e}\n", worst_step(s.step_times),
             time_of_slowest(s, world), residual_of_slowest(s));
}

void print_statuses(const RunSummary& s) {
  const char* label = "steps";
  for (const StepStatus status : kStepStatuses) {
    if (s.count(status) == 0) continue;
    fmt::print("  {:<16}  {} {} ({})\n", label, s.count(status), to_string(status), meaning(status));
    label = "";
  }
  if (s.steps == 0) fmt::print("  steps             none\n");
  if (!s.ended_by.empty()) fmt::print("  broke off         after step {}: {}\n", s.steps, s.ended_by);
}

}  // namespace

void EnergySummary::add(int step, const EnergyReport& report) {
  if (step == 1) first = report;
  last = report;
  actuators += report.actuators;
  external += report.external;
  damped += report.damped;
  projected += report.projected;
  constraints -= report.unexplained;
  if (report.gain <= gain) return;
  gain = report.gain;
  gain_step = step;
}

void RunSummary::add(const StepReport& report) {
  ++steps;
  times += report.times;
  energy.add(steps, report.energy);
  ++statuses[static_cast<std::size_t>(report.status)];
  contacts += report.contacts;
  iterations += report.iterations;
  inner_iterations += report.inner_iterations;
  islands += report.islands;
  resolves += report.resolves;
  most_contacts = std::max(most_contacts, report.contacts);
  most_iterations = std::max(most_iterations, report.iterations);
  penetration = std::max(penetration, report.penetration);
  residuals.push_back(std::isfinite(report.residual) ? report.residual : HUGE_VAL);
  step_times.push_back(report.times.total());
  if (!(report.polygon_error > 0)) return;
  polygon_errors.push_back(report.polygon_error);
  pivoting_error = std::max(pivoting_error, report.method_error);
}

void print_json(const RunSummary& s, const World& world) {
  nlohmann::json statuses;
  for (const StepStatus status : kStepStatuses) statuses[to_string(status)] = s.count(status);
  const nlohmann::json out = {{"model", s.name},
                              {"parameters", s.parameters},
                              {"seed", s.seed},
                              {"solver", world.settings().solver},
                              {"dt", world.dt()},
                              {"theta", world.settings().theta},
                              {"smooth", kSmoothRuleNames[static_cast<std::size_t>(world.settings().smooth)]},
                              {"threads", world.settings().solve.threads},
                              {"steps", s.steps},
                              {"interrupted", s.interrupted},
                              {"ended_by", s.ended_by.empty() ? nlohmann::json(nullptr) : nlohmann::json(s.ended_by)},
                              {"simulated", s.simulated},
                              {"wall", s.wall},
                              {"real_time_factor", s.real_time_factor()},
                              {"seconds_a_step", times_json(s, world)},
                              {"contacts", {{"mean", s.mean(s.contacts)}, {"most", s.most_contacts}}},
                              {"islands", s.mean(s.islands)},
                              {"iterations", {{"mean", s.mean(s.iterations)}, {"most", s.most_iterations}}},
                              {"inner_iterations", s.mean(s.inner_iterations)},
                              {"resolves", s.resolves},
                              {"residual", spread_json(s.residuals)},
                              {"polygons", polygons_json(s)},
                              {"penetration", s.penetration},
                              {"energy", energy_json(s.energy)},
                              {"statuses", statuses},
                              {"check", check_json(s)},
                              {"log", file_json(s.log, s.frames)},
                              {"replay", file_json(s.replay, s.replay_frames)},
                              {"problem", problem_json(s)},
                              {"q", world.state().q},
                              {"v", world.state().v}};
  fmt::print("{}\n", out.dump(1));
}

void print_table(const RunSummary& s, const World& world) {
  fmt::print("{}: {} steps of {:g} s, {} dofs{}\n", s.name, s.steps, world.dt(), world.model().nv(),
             s.interrupted ? "; interrupted" : "");
  if (!s.parameters.empty()) fmt::print("  parameters        {}, seed {}\n", s.parameters, s.seed);
  const SimSettings& settings = world.settings();
  fmt::print("  solver            {}, tolerance {:g}, {}, threads {}\n", settings.solver, settings.solve.tolerance,
             settings.smooth == SmoothRule::Rk4 ? "rk4" : fmt::format("theta {:g}", settings.theta),
             settings.solve.threads);
  fmt::print("  real-time factor  {:.3g}   ({:.3f} s in {:.3f} s)\n", s.real_time_factor(), s.simulated, s.wall);
  const double total = std::max(s.times.total(), 1e-300);
  const auto stage = [&](const char* name, double time) {
    fmt::print("  {:<16}  {:10.2f} us a step  {:3.0f} %\n", name, s.mean(time) * 1e6, 100 * time / total);
  };
  stage("dynamics", s.times.dynamics);
  stage("collision", s.times.collision);
  stage("assembly", s.times.assembly);
  stage("solve", s.times.solve);
  stage("integrate", s.times.integrate);
  print_step_times(s, world);
  fmt::print("  contacts          {:.1f} mean, {} most; {:.1f} islands\n", s.mean(s.contacts), s.most_contacts,
             s.mean(s.islands));
  fmt::print("  iterations        {:.1f} mean, {} most; {:.1f} inner\n", s.mean(s.iterations), s.most_iterations,
             s.mean(s.inner_iterations));
  fmt::print(
      "  residual          {:.2e} median, {:.2e} 99 %, {:.2e} worst (step {}); error of the contact laws, m/s and N "
      "s\n",
      quantile(s.residuals, 0.5), quantile(s.residuals, kTail), quantile(s.residuals, 1), worst_step(s.residuals));
  if (!s.polygon_errors.empty()) {
    fmt::print("  friction polygons {} steps: {:.2e} median, {:.2e} worst of that residual; error of pivoting {:.2e}\n",
               s.polygon_errors.size(), quantile(s.polygon_errors, 0.5), quantile(s.polygon_errors, 1),
               s.pivoting_error);
  }
  fmt::print("  penetration       {:.3g} mm deepest\n", s.penetration * 1e3);
  print_energy(s.energy);
  print_statuses(s);
  if (!s.log.empty()) fmt::print("  log               {}, {} frames\n", s.log, s.frames);
  if (!s.replay.empty()) fmt::print("  replay            {}, {} frames\n", s.replay, s.replay_frames);
  if (!s.problem.empty())
    fmt::print("  problem           {}{}, step {}\n",
               s.problem_written ? "" : "not written: the run ended before it: ", s.problem, s.problem_step);
  if (s.check) {
    fmt::print("  expected          {}\n  measured          {}\n  check             {}\n", s.check->expected,
               s.check->measured, s.check->holds ? "holds" : "FAILS: " + s.check->wrong);
  } else if (!s.no_check.empty()) {
    fmt::print("  check             {}\n", s.no_check);
  }
}

}  // namespace uzawa::cli
