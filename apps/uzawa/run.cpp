#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Ctrl-C ends the run after the step at hand; a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    previous_ = std::signal(SIGINT, [](int) {
      interrupted = 1;
      std::signal(SIGINT, SIG_DFL);
    });
  }
  ~InterruptGuard() { std::signal(SIGINT, previous_); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  void (*previous_)(int) = nullptr;
};

/// One line on a terminal, redrawn ten times a second.
class ProgressBar {
 public:
  explicit ProgressBar(bool shown) : shown_(shown && isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double share, double time) {
    if (!shown_) return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const auto filled = static_cast<std::size_t>(40 * std::clamp(share, 0.0, 1.0));
    fmt::print(stderr, "\r[{:<40}] {:3.0f} %  {:.3f} s", std::string(filled, '='), 100 * share, time);
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  Clock::time_point last_;
};

constexpr std::array kStatuses = {StepStatus::Solved, StepStatus::Capped, StepStatus::LeastViolation,
                                  StepStatus::Relaxed, StepStatus::Failed};

/// What a run leaves behind: sums and extremes over its steps.
struct Summary {
  int steps = 0;
  double simulated = 0, wall = 0;  ///< s
  StageTimes times;
  std::array<int, kStatuses.size()> statuses{};
  double contacts = 0, iterations = 0, inner_iterations = 0, islands = 0;  ///< sums
  int most_contacts = 0, most_iterations = 0, resolves = 0;
  double penetration = 0;  ///< m, deepest of all steps
  std::vector<double> residuals, step_times;

  void add(const StepReport& report) {
    ++steps;
    times += report.times;
    ++statuses[static_cast<std::size_t>(report.status)];
    contacts += report.contacts;
    iterations += report.iterations;
    inner_iterations += report.inner_iterations;
    islands += report.islands;
    resolves += report.resolves;
    most_contacts = std::max(most_contacts, report.contacts);
    most_iterations = std::max(most_iterations, report.iterations);
    penetration = std::max(penetration, report.penetration);
    residuals.push_back(report.residual);
    step_times.push_back(report.times.total());
  }
  double mean(double sum) const { return steps == 0 ? 0 : sum / steps; }
  int count(StepStatus status) const { return statuses[static_cast<std::size_t>(status)]; }
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto k = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + k, values.end());
  return values[static_cast<std::size_t>(k)];
}

/// A keyframe by name or number; -1: none was asked for and the model has none.
int find_keyframe(const Model& model, const std::string& wanted) {
  const int count = static_cast<int>(model.spec().keyframes.size());
  if (wanted.empty()) return count > 0 ? 0 : -1;
  if (wanted == "none") return -1;
  if (wanted.find_first_not_of("0123456789") != std::string::npos) return model.keyframe(wanted);
  const int index = wanted.size() > 6 ? count : std::stoi(wanted);
  if (index >= count) {
    throw InputError(model.spec().source, "keyframe " + wanted, fmt::format("the model has {}", count));
  }
  return index;
}

nlohmann::json to_json(const RunArguments& arguments, const Summary& s, const World& world) {
  nlohmann::json statuses;
  for (const StepStatus status : kStatuses) statuses[to_string(status)] = s.count(status);
  return {{"model", arguments.model.string()},
          {"solver", world.settings().solver},
          {"dt", world.dt()},
          {"theta", world.settings().theta},
          {"threads", world.settings().solve.threads},
          {"steps", s.steps},
          {"interrupted", interrupted != 0},
          {"simulated", s.simulated},
          {"wall", s.wall},
          {"real_time_factor", s.wall > 0 ? s.simulated / s.wall : 0},
          {"seconds_a_step",
           {{"dynamics", s.mean(s.times.dynamics)},
            {"collision", s.mean(s.times.collision)},
            {"assembly", s.mean(s.times.assembly)},
            {"solve", s.mean(s.times.solve)},
            {"integrate", s.mean(s.times.integrate)},
            {"total", s.mean(s.times.total())},
            {"median", quantile(s.step_times, 0.5)},
            {"worst", quantile(s.step_times, 1)}}},
          {"contacts", {{"mean", s.mean(s.contacts)}, {"most", s.most_contacts}}},
          {"islands", s.mean(s.islands)},
          {"iterations", {{"mean", s.mean(s.iterations)}, {"most", s.most_iterations}}},
          {"inner_iterations", s.mean(s.inner_iterations)},
          {"resolves", s.resolves},
          {"residual", {{"median", quantile(s.residuals, 0.5)}, {"worst", quantile(s.residuals, 1)}}},
          {"penetration", s.penetration},
          {"statuses", statuses},
          {"q", world.state().q},
          {"v", world.state().v}};
}

void print_text(const RunArguments& arguments, const Summary& s, const World& world) {
  fmt::print("{}: {} steps of {:g} s, {} dofs{}\n", arguments.model.string(), s.steps, world.dt(), world.model().nv(),
             interrupted != 0 ? "; interrupted" : "");
  fmt::print("  solver            {}, tolerance {:g}, theta {:g}, threads {}\n", world.settings().solver,
             world.settings().solve.tolerance, world.settings().theta, world.settings().solve.threads);
  fmt::print("  real-time factor  {:.3g}   ({:.3f} s in {:.3f} s)\n", s.wall > 0 ? s.simulated / s.wall : 0.0,
             s.simulated, s.wall);
  const double total = std::max(s.times.total(), 1e-300);
  const auto stage = [&](const char* name, double time) {
    fmt::print("  {:<16}  {:10.2f} us a step  {:3.0f} %\n", name, s.mean(time) * 1e6, 100 * time / total);
  };
  stage("dynamics", s.times.dynamics);
  stage("collision", s.times.collision);
  stage("assembly", s.times.assembly);
  stage("solve", s.times.solve);
  stage("integrate", s.times.integrate);
  fmt::print("  step              {:10.2f} us mean, {:.2f} median, {:.2f} worst\n", s.mean(s.times.total()) * 1e6,
             quantile(s.step_times, 0.5) * 1e6, quantile(s.step_times, 1) * 1e6);
  fmt::print("  contacts          {:.1f} mean, {} most; {:.1f} islands\n", s.mean(s.contacts), s.most_contacts,
             s.mean(s.islands));
  fmt::print("  iterations        {:.1f} mean, {} most; {:.1f} inner\n", s.mean(s.iterations), s.most_iterations,
             s.mean(s.inner_iterations));
  fmt::print("  residual          {:.2e} median, {:.2e} worst\n", quantile(s.residuals, 0.5), quantile(s.residuals, 1));
  fmt::print("  penetration       {:.3g} mm deepest\n", s.penetration * 1e3);
  std::string statuses;
  for (const StepStatus status : kStatuses) {
    if (s.count(status) > 0)
      statuses += fmt::format("{}{} {}", statuses.empty() ? "" : ", ", s.count(status), to_string(status));
  }
  fmt::print("  steps             {}\n", statuses.empty() ? "none" : statuses);
}

Summary simulate(World& world, double duration, std::span<const double> control, bool quiet) {
  Summary summary;
  const InterruptGuard guard;
  ProgressBar bar(!quiet);
  const double start = world.state().time;
  const auto steps = static_cast<long>(std::llround(duration / world.dt()));
  const auto clock_start = std::chrono::steady_clock::now();
  for (long i = 0; i < steps && interrupted == 0; ++i) {
    const StepReport& report = world.step(control);
    summary.add(report);
    if (report.status == StepStatus::Failed) break;
    bar.show(static_cast<double>(i + 1) / static_cast<double>(steps), world.state().time);
  }
  summary.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  summary.simulated = world.state().time - start;
  return summary;
}

}  // namespace

int run(const RunArguments& arguments) {
  LoadedModel loaded = load_model(arguments.model, arguments.load);
  for (const std::string& warning : loaded.warnings) fmt::print(stderr, "uzawa: note: {}\n", warning);
  World world(std::move(loaded.model), arguments.settings);
  std::vector<double> control(static_cast<std::size_t>(world.model().nu()), 0.0);
  if (const int key = find_keyframe(world.model(), arguments.keyframe); key >= 0) {
    world.set_state(world.model().keyframe_state(key));
    const std::span<const double> given = world.model().keyframe_control(key);
    std::copy(given.begin(), given.end(), control.begin());
  }
  const Summary summary = simulate(world, arguments.duration, control, arguments.json);
  if (arguments.json) {
    fmt::print("{}\n", to_json(arguments, summary, world).dump(1));
  } else {
    print_text(arguments, summary, world);
  }
  return summary.count(StepStatus::Failed) > 0 ? kFailed : kOk;
}

}  // namespace uzawa::cli
