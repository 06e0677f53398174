#include "mocap_goals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa::python {

void join_mocap(std::span<const double> position, std::span<const double> orientation, std::vector<double>& goals) {
  goals.resize(position.size() + orientation.size());
  for (std::size_t m = 0; m < goals.size() / 7; ++m) {
    std::copy_n(&position[3 * m], 3, &goals[7 * m]);
    std::copy_n(&orientation[4 * m], 4, &goals[7 * m + 3]);
  }
}

void split_mocap(std::span<const double> goals, std::span<double> position, std::span<double> orientation) {
  for (std::size_t m = 0; m < goals.size() / 7; ++m) {
    std::copy_n(&goals[7 * m], 3, &position[3 * m]);
    std::copy_n(&goals[7 * m + 3], 4, &orientation[4 * m]);
  }
}

void check_mocap(const Model& model, std::span<const double> goals) {
  if (goals.size() != 7 * model.mocap_bodies().size()) {
    throw InputError(model.spec().source, "mocap bodies",
                     "the model has " + std::to_string(model.mocap_bodies().size()));
  }
  for (std::size_t m = 0; m < goals.size() / 7; ++m) {
    const std::span<const double> goal = goals.subspan(7 * m, 7);
    const auto fail = [&](const char* reason) {
      throw InputError(model.spec().source,
                       "mocap body '" + model.spec().bodies[at(model.mocap_bodies()[m])].name + "'", reason);
    };
    if (!std::all_of(goal.begin(), goal.end(), [](double x) { return std::isfinite(x); }))
      fail("its goal is not finite");
    double square = 0;
    for (const double x : goal.subspan(3)) square += x * x;
    if (!(square > 1e-24) || !std::isfinite(square)) fail("its quaternion has no direction");
  }
}

void guide_mocap(World& world, std::span<const double> goals) {
  check_mocap(world.model(), goals);
  const State& state = world.state();
  for (std::size_t m = 0; m < goals.size() / 7; ++m) {
    const double* goal = &goals[7 * m];
    const int mocap = static_cast<int>(m);
    // Where it stands it has the state's own pose: a quaternion that went to a matrix and back has other bits.
    const bool stands = std::memcmp(goal, &state.mocap[7 * m], 7 * sizeof(double)) == 0;
    world.move_mocap(mocap, stands ? mocap_pose(world.model(), state, mocap)
                                   : Pose::from(Vec3::from(goal), normalized(Quat::from(goal + 3))));
  }
}

}  // namespace uzawa::python
