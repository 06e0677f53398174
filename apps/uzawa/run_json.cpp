#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "run_summary.hpp"

namespace uzawa::cli {

namespace {

nlohmann::json spread_json(const std::vector<double>& values) {
  const Spread spread(values);
  return {{"median", spread.median}, {"p99", spread.tail}, {"worst", spread.worst}, {"worst_step", spread.worst_step}};
}

nlohmann::json times_json(const RunSummary& s, const World& world) {
  nlohmann::json out = spread_json(s.step_times);
  const int slowest = out["worst_step"];
  out.update({{"worst_time", s.time_of(slowest, world)},
              {"worst_residual", s.residual_of(slowest)},
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
  const Spread spread(s.polygon_errors);
  return {{"steps", s.polygon_errors.size()},
          {"median", spread.median},
          {"worst", spread.worst},
          {"pivoting_error", s.pivoting_error}};
}

/// By name; sensors without one by their number, as in "#3".
nlohmann::json sensors_json(const World& world) {
  nlohmann::json out = nlohmann::json::object();
  const std::vector<SensorSpec>& sensors = world.model().spec().sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const std::span<const double> values = world.sensor(static_cast<int>(s));
    out[sensors[s].name.empty() ? fmt::format("#{}", s) : sensors[s].name] =
        std::vector<double>(values.begin(), values.end());
  }
  return out;
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

/// "count=10 mu=0.5" as an object of numbers.
nlohmann::json parameters_json(const std::string& text) {
  nlohmann::json out = nlohmann::json::object();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t split = word.find('=');
    out[word.substr(0, split)] = std::stod(word.substr(split + 1));
  }
  return out;
}

}  // namespace

void print_json(const RunSummary& s, const World& world) {
  nlohmann::json statuses;
  for (const StepStatus status : kStepStatuses) statuses[to_string(status)] = s.count(status);
  const nlohmann::json out = {{"model", s.name},
                              {"parameters", parameters_json(s.parameters)},
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
                              {"rod_turn", s.rod_turn},
                              {"energy", energy_json(s.energy)},
                              {"statuses", statuses},
                              {"check", check_json(s)},
                              {"log", file_json(s.log, s.frames)},
                              {"replay", file_json(s.replay, s.replay_frames)},
                              {"problem", problem_json(s)},
                              {"sensors", sensors_json(world)},
                              {"q", world.state().q},
                              {"v", world.state().v}};
  fmt::print("{}\n", out.dump(1));
}

}  // namespace uzawa::cli
