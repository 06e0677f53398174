#include "uzawa/scenarios/herd.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

constexpr double kUpright = 0.9;  // cosine of a trunk's tilt

}  // namespace

Herd::Herd() : robot_(load_model(models_folder() / "quadruped.xml").model) {}

void Herd::add(ModelSpec& spec, const Vec3& place, double tilt, Random& random) const {
  const double heading = random.uniform(-M_PI, M_PI), angle = random.uniform(0, tilt);
  const double towards = random.uniform(-M_PI, M_PI);
  const Quat turn = exp_rotation(Vec3{std::cos(towards), std::sin(towards), 0} * angle) * exp_rotation({0, 0, heading});
  add_model(spec, robot_.spec(), "robot" + std::to_string(spec.bodies.size() / robot_.spec().bodies.size()) + "/",
            place, turn);
}

void Herd::start(State& state) const {
  const State home = robot_.keyframe_state(robot_.keyframe("home"));
  constexpr std::size_t kRoot = 7;  // the free joint comes first and keeps the place that the model gave it
  for (std::size_t begin = 0; begin < state.q.size(); begin += home.q.size()) {
    std::copy(home.q.begin() + kRoot, home.q.end(), state.q.begin() + static_cast<std::ptrdiff_t>(begin + kRoot));
  }
}

void Herd::hold(std::vector<double>& control) const {
  const std::span<const double> home = robot_.keyframe_control(robot_.keyframe("home"));
  for (std::size_t i = 0; i < control.size(); ++i) control[i] = home[i % home.size()];
}

int Herd::standing(const State& state, double height) const {
  int count = 0;
  for (std::size_t begin = 0; begin < state.q.size(); begin += static_cast<std::size_t>(robot_.nq())) {
    const Vec3 up = rotate(Quat::from(&state.q[begin + 3]), {0, 0, 1});
    if (state.q[begin + 2] > height && up.z() > kUpright) ++count;
  }
  return count;
}

Range Herd::heights(const State& state) const {
  Range out{HUGE_VAL, -HUGE_VAL};
  for (std::size_t begin = 0; begin < state.q.size(); begin += static_cast<std::size_t>(robot_.nq())) {
    out.lower = std::min(out.lower, state.q[begin + 2]);
    out.upper = std::max(out.upper, state.q[begin + 2]);
  }
  return out;
}

}  // namespace uzawa::scenarios
