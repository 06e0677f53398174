#include "uzawa/scenarios/manipulation.hpp"

#include "uzawa/control/drives.hpp"

namespace uzawa::scenarios {

double Phases::duration() const {
  double sum = 0;
  for (const Phase& phase : list_) sum += phase.duration;
  return sum;
}

void Phases::update(const World& world) {
  while (next_ < list_.size() && world.state().time >= due_ - world.dt() / 2) {
    list_[next_].begin(world);
    due_ += list_[next_].duration;
    ++next_;
  }
}

namespace {

std::vector<double> coordinates(const HandPlace& place) {
  return {place.position.x(), place.position.y(), place.position.z(), place.yaw};
}

}  // namespace

void HandPath::start(const HandPlace& place, const Mat3& down) {
  goal_ = place;
  down_ = down;
  path_ = Trajectory({{0, coordinates(place)}});
}

void HandPath::go_to(const HandPlace& place, double now, double duration) {
  path_ = Trajectory({{now, coordinates(goal_)}, {now + duration, coordinates(place)}});
  goal_ = place;
}

Pose HandPath::at(double time) const {
  std::array<double, 4> place{};
  path_.at(time, place);
  return {to_matrix(exp_rotation({0, 0, place[3]})) * down_, Vec3::from(place.data())};
}

std::span<const std::string> panda_servos() {
  static const std::array<std::string, 7> names = {"servo1", "servo2", "servo3", "servo4",
                                                   "servo5", "servo6", "servo7"};
  return names;
}

void soften_panda(ModelSpec& spec, double stiffer) {
  // Stiffness as in libfranka's impedance examples; damping about critical for the arm's inertia.
  constexpr std::array<double, 7> kStiffness = {600, 600, 600, 600, 250, 150, 50};  // N m/rad
  constexpr std::array<double, 7> kDamping = {50, 50, 50, 50, 30, 25, 15};          // N m s/rad
  for (std::size_t i = 0; i < kStiffness.size(); ++i) {
    set_impedance(spec, panda_servos()[i], stiffer * kStiffness[i], stiffer * kDamping[i]);
  }
}

}  // namespace uzawa::scenarios
