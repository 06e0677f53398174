#include "uzawa/live/pull.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

constexpr double kRate =
    25;  // rad/s, of the whole tree on the spring: it follows within 0.1 s, and 2 cm lift its weight

/// x of [a b c] x = y, by Cramer's rule: the matrix is 1 plus something positive.
Vec3 solve(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& y) {
  const Vec3 bc = cross(b, c);
  return Vec3(dot(y, bc), dot(a, cross(y, c)), dot(a, cross(b, y))) * (1 / dot(a, bc));
}

}  // namespace

PullForce::PullForce(const Model& model)
    : model_(model),
      data_(model),
      patches_(model),
      mass_(model.subsystems().size()),
      jacobian_(3 * at(model.nv())),
      response_(at(model.nv())) {
  for (std::size_t link = 0; link < model.links().size(); ++link) {
    mass_[at(model.link_subsystem(static_cast<int>(link)))] += model.links()[link].mass;
  }
}

/// Of a spring at the end of the step, f = k (target - x - h u) - c u, with the velocity u = v + h W f that it leads to
/// itself, W being the inverse mass of the point: (1 + (h^2 k + h c) W) f = k (target - x - h v) - c v.
void PullForce::add(const PullCommand& pull, const State& state, double h, std::span<double> force) {
  if (at(pull.link) >= model_.links().size()) return;
  forward_kinematics(model_, state, data_);
  link_velocities(model_, state.v, data_);
  if (patches_.soft_body(pull.link) >= 0) {
    add_to_patch(pull, h, force);
    return;
  }
  mass_matrix(data_);
  if (!factorize_mass(data_)) return;
  const Vec3 point = data_.link_pose[at(pull.link)] * pull.point;
  point_jacobian(model_, data_, pull.link, point, jacobian_);

  const double mass = mass_[at(model_.link_subsystem(pull.link))];
  const double stiffness = mass * kRate * kRate, damping = 2 * mass * kRate;
  const double softening = h * h * stiffness + h * damping;
  const std::size_t n = response_.size();
  std::array<Vec3, 3> columns;
  for (int c = 0; c < 3; ++c) {
    std::copy_n(jacobian_.begin() + static_cast<std::ptrdiff_t>(at(c) * n), n, response_.begin());
    data_.mass_factor.solve(response_);
    for (int row = 0; row < 3; ++row) {
      const double* j = &jacobian_[at(row) * n];
      const double w = std::inner_product(response_.begin(), response_.end(), j, 0.0);
      columns[at(c)].set(row, (row == c ? 1 : 0) + softening * w);
    }
  }
  const Vec3 velocity = point_velocity(model_, data_, pull.link, point);
  const Vec3 wanted = stiffness * (pull.target - point - h * velocity) - damping * velocity;
  add_link_wrench(model_, data_, pull.link, point, solve(columns[0], columns[1], columns[2], wanted), {}, force);
}

/// The same spring, at the node that is held; W is what the node moves by where its share of the force acts on it
/// alone. What is elastic around it makes it move less: the spring is then softer than it would have to be.
void PullForce::add_to_patch(const PullCommand& pull, double h, std::span<double> force) {
  const std::vector<SoftPatches::Share>& shares = patches_.around(pull.link);
  const double mass = patches_.mass(patches_.soft_body(pull.link));
  const double stiffness = mass * kRate * kRate, damping = 2 * mass * kRate;
  const double response = shares.front().weight / model_.links()[at(pull.link)].mass;
  const Vec3 point = data_.link_pose[at(pull.link)] * pull.point;
  const Vec3 velocity = point_velocity(model_, data_, pull.link, point);
  const Vec3 wanted = stiffness * (pull.target - point - h * velocity) - damping * velocity;
  const Vec3 pulled = wanted * (1 / (1 + (h * h * stiffness + h * damping) * response));
  for (const auto& [link, weight] : shares) {
    const Vec3 place = data_.link_pose[at(link)].position;
    add_link_wrench(model_, data_, link, place, weight * pulled, {}, force);
  }
}

}  // namespace uzawa
