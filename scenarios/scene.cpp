#include "uzawa/scenarios/scene.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "uzawa/base/error.hpp"
#include "uzawa/base/mixed_bits.hpp"
#include "uzawa/base/spelling.hpp"

namespace uzawa::scenarios {

Parameters::Parameters(std::span<const Parameter> known) : known_(known) {
  values_.reserve(known.size());
  for (const Parameter& parameter : known) values_.push_back(parameter.value);
}

std::size_t Parameters::index(std::string_view name) const {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].name == name) return i;
  }
  std::string names;
  for (const Parameter& parameter : known_) names += std::string(names.empty() ? "" : ", ") + parameter.name;
  const std::string element = "parameter '" + std::string(name) + "'";
  if (known_.empty()) throw InputError("", element, "the scene has none");
  const std::string nearest(nearest_name(known_, name));
  throw InputError("", element, "there is none of that name; did you mean " + nearest + "? The scene has " + names);
}

double Parameters::operator[](std::string_view name) const { return values_[index(name)]; }

void Parameters::set(std::string_view name, double value) {
  const std::size_t i = index(name);
  const Parameter& parameter = known_[i];
  if (!(value >= parameter.least && value <= parameter.most) || (parameter.whole && value != std::floor(value))) {
    std::ostringstream reason;
    reason << "must be a " << (parameter.whole ? "whole " : "") << "number from " << parameter.least << " to "
           << parameter.most;
    throw InputError("", "parameter '" + std::string(name) + "'", reason.str());
  }
  values_[i] = value;
}

void Parameters::set(const std::string& assignment) {
  const std::size_t split = assignment.find('=');
  if (split == std::string::npos) throw InputError("", "--set " + assignment, "should read NAME=VALUE");
  const std::string name = assignment.substr(0, split), text = assignment.substr(split + 1);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) {
    throw InputError("", "parameter '" + name + "'", "'" + text + "' is no number");
  }
  set(name, value);
}

std::string Parameters::text() const {
  std::string out;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    char digits[32];  // the shortest that reads back as the same number
    const char* end = std::to_chars(digits, digits + sizeof digits, values_[i]).ptr;
    out += std::string(i == 0 ? "" : " ") + known_[i].name + '=' + std::string(static_cast<const char*>(digits), end);
  }
  return out;
}

double Random::uniform(double lower, double upper) {
  const std::uint64_t x = mixed_bits(state_ += 0x9E3779B97F4A7C15ULL);  // splitmix64
  return lower + (upper - lower) * static_cast<double>(x >> 11) * 0x1p-53;
}

SimSettings SceneRun::settings(const Description& description, const Parameters& parameters) {
  SimSettings settings;
  settings.dt = description.dt;
  description.make(parameters, 1)->adjust(settings);
  return settings;
}

SceneRun::SceneRun(const Description& description, const Parameters& parameters, std::uint64_t seed)
    : SceneRun(description, parameters, seed, settings(description, parameters)) {}

SceneRun::SceneRun(const Description& description, const Parameters& parameters, std::uint64_t seed,
                   const SimSettings& settings)
    : scene_(description.make(parameters, seed)),
      times_(scene_->times({description.duration, description.check_time})) {
  ModelSpec spec = scene_->model();
  spec.name = description.name;
  world_ = std::make_unique<World>(Model(std::move(spec)), settings);
  set_ties();
  State state = world_->state();
  scene_->start(world_->model(), state);
  world_->set_state(std::move(state));
  drive_.control.assign(static_cast<std::size_t>(world_->model().nu()), 0.0);
  drive_.external.assign(static_cast<std::size_t>(world_->model().nv()), 0.0);
}

/// A world that knows of no ties is left as it is.
void SceneRun::set_ties() {
  Ties ties = scene_->ties(world_->model());
  if (!ties.no_slip.empty() || !ties.points.empty()) world_->set_ties(std::move(ties));
}

void SceneRun::replace_world(std::unique_ptr<World> world) {
  world_ = std::move(world);
  set_ties();
}

const StepReport& SceneRun::step(std::span<const double> push) {
  scene_->drive(*world_, drive_);
  pushed_ = drive_.external;
  for (std::size_t d = 0; d < push.size(); ++d) pushed_[d] += push[d];
  const StepReport& report = world_->step(drive_.control, pushed_);
  scene_->watch(*world_);
  return report;
}

}  // namespace uzawa::scenarios
