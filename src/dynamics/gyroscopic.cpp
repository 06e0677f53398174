#include "uzawa/dynamics/gyroscopic.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kMostNewtonSteps = 20;  // 2 to 4 do where a body turns by less than a radian in a step
constexpr double kRounding = 1e-15;

/// x with m x = y, by Cramer's rule.
Vec3 solve(const Mat3& m, const Vec3& y) {
  const Vec3 c = cross(m.col[1], m.col[2]);
  const double determinant = dot(m.col[0], c);
  return Vec3{dot(y, c), dot(m.col[0], cross(y, m.col[2])), dot(m.col[0], cross(m.col[1], y))} * (1 / determinant);
}

Mat3 full(const Sym3& s) { return {{s * Vec3::unit(0), s * Vec3::unit(1), s * Vec3::unit(2)}}; }

/// A single link that moves by a free joint.
bool flies_alone(const Model& model, const JointSpec& joint, int link) {
  const TreeTopology& topology = *model.topology();
  const int next = link + 1;
  const bool last_of_tree = next == topology.links() || topology.link_tree(next) != topology.link_tree(link);
  return joint.type == JointType::Free && topology.link_parent(link) < 0 && last_of_tree;
}

/// Calls visit(first dof of its angular velocity, link) for every body that flies alone.
template <typename Visit>
void for_each_lone_flyer(const Model& model, Visit&& visit) {
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    const int link = joint.type == JointType::Free ? model.body_link(joint.body) : -1;
    if (link >= 0 && flies_alone(model, joint, link)) visit(at(model.joint_v(static_cast<int>(j)) + 3), at(link));
  }
}

}  // namespace

Vec3 gyroscopic_impulse(const Sym3& inertia, const Vec3& w, double h) {
  const Mat3 full_inertia = full(inertia);
  Vec3 next = w;
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Vec3 mean = (w + next) * 0.5, momentum = inertia * mean;
    const Vec3 error = inertia * (next - w) + cross(mean, momentum) * h;
    const Mat3 slope = full_inertia + (cross_matrix(mean) * full_inertia + cross_matrix(momentum) * -1) * (0.5 * h);
    const Vec3 step = solve(slope, error);
    next = next - step;
    if (dot(step, step) <= kRounding * kRounding * dot(w, w)) return inertia * (next - w);
  }
  return {};  // many turns in a step: no rule is right; this one adds no energy
}

void add_gyroscopic_correction(const Model& model, const DynamicsData& data, double h, std::span<double> impulse) {
  for_each_lone_flyer(model, [&](std::size_t dof, std::size_t link) {
    const Sym3& inertia = data.tree.inertia[link].rotational;  // about the centre of mass
    const Vec3& w = data.velocity[link].angular;
    const Vec3 explicit_part = cross(w, inertia * w) * h;
    if (dot(explicit_part, explicit_part) == 0) return;
    const Vec3 change =
        transpose_times(data.link_pose[link].rotation, explicit_part + gyroscopic_impulse(inertia, w, h));
    for (int k = 0; k < 3; ++k) impulse[dof + at(k)] += change[k];
  });
}

void clear_turns_of_lone_flyers(const Model& model, std::span<double> v) {
  for_each_lone_flyer(model, [&](std::size_t dof, std::size_t) { std::fill_n(&v[dof], 3, 0.0); });
}

}  // namespace uzawa
