#include "elastic_verification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "verification.hpp"

namespace uzawa::cli {

namespace {

/// Below which a material is valid; membranes above 0.25 are not comparable.
constexpr double kMostPoisson = 0.499;

/// The material with which our law is MuJoCo's (3.17, MetricTensor and ComputeStiffness of its user_mesh.cc). Its
/// energy of a solid is mu tr(E^2) + lambda tr(E)^2, without the half before lambda: it is stiffer than the file says,
/// the more the larger Poisson's ratio is. That of a membrane is a quarter of the same, with the lambda of a solid.
SoftMaterial as_mujoco_takes_it(SoftMaterial material, bool solid) {
  const double nu = material.poisson;
  material.poisson = solid ? 2 * nu / (1 + 2 * nu) : std::min(2 * nu, kMostPoisson);
  material.young *= (1 + material.poisson) / (1 + nu) * (solid ? 1 : 0.25);
  return material;
}

Model comparable(const Model& model) {
  ModelSpec spec = model.spec();
  for (SoftBodySpec& soft : spec.soft_bodies) {
    soft.material = as_mujoco_takes_it(soft.material, !soft.tets.empty());
    soft.material.bending = false;
  }
  return Model(std::move(spec));
}

std::vector<Vec3> node_positions(const Model& model, const SoftBodySpec& soft, const DynamicsData& data) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < soft.bodies.size(); ++i) {
    out.push_back(body_pose(model, data, soft.bodies[i]) * (soft.offsets.empty() ? Vec3{} : soft.offsets[i]));
  }
  return out;
}

/// Smallest distance between two nodes of an element, m.
template <std::size_t kNodes>
void shorten(const std::vector<Vec3>& x, const std::vector<std::array<int, kNodes>>& elements, double& shortest) {
  for (const std::array<int, kNodes>& element : elements) {
    for (std::size_t i = 0; i < kNodes; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        shortest = std::min(shortest, norm(x[at(element[i])] - x[at(element[j])]));
      }
    }
  }
}

/// Moves every free node of the soft bodies by up to `kCompareStrain` of the shortest edge along each axis.
State strained_state(const Model& model, const DynamicsData& reference, std::mt19937_64& random) {
  State state = model.reference_state();
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const SoftBodySpec& soft : model.spec().soft_bodies) {
    const std::vector<Vec3> x = node_positions(model, soft, reference);
    double shortest = std::numeric_limits<double>::max();
    shorten(x, soft.tets, shortest);
    shorten(x, soft.triangles, shortest);
    shorten(x, soft.edges, shortest);
    for (const int body : soft.bodies) {
      const int index = model.body_link(body);
      if (index < 0) continue;
      const Link& link = model.links()[at(index)];
      if (link.parent >= 0 || link.joint_end - link.joint_begin != 3) continue;  // carried
      for (int j = link.joint_begin; j < link.joint_end; ++j) {
        state.q[at(model.joint_q(j))] += kCompareStrain * shortest * uniform(random);
      }
    }
  }
  return state;
}

void place(const Model& model, const State& state, DynamicsData& data) {
  forward_kinematics(model, state.q, data);
  link_velocities(model, state.v, data);
  tendon_lengths(model, state.q, data);
}

/// Forces of soft bodies along the joints, ours.
std::vector<double> own_force(const Model& model, const State& state, DynamicsData& data) {
  std::vector<double> tau(at(model.nv()));
  place(model, state, data);
  evaluate_elastic(model, state.v, data);
  add_elastic_force(model, true, data, tau);
  return tau;
}

/// Largest difference over the largest of theirs; NaN is not swallowed.
double relative_difference(std::span<const double> ours, std::span<const double> with,
                           std::span<const double> without) {
  double difference = 0, scale = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double theirs = with[i] - without[i];
    if (!(std::abs(ours[i] - theirs) <= difference)) difference = std::abs(ours[i] - theirs);
    scale = std::max(scale, std::abs(theirs));
  }
  return difference == 0 ? 0 : difference / scale;
}

}  // namespace

FlexDifferences compare_flexes(const Model& loaded, const std::filesystem::path& path, const LoadOptions& options,
                               int states, unsigned seed) {
  const Model model = comparable(loaded);
  MujocoOracle with(path, options, Elasticity::Stretching), without(path, options, Elasticity::Off);
  std::mt19937_64 random(seed);
  DynamicsData data(model), reference(model);
  forward_kinematics(model, model.reference_state().q, reference);
  const std::vector<double> control(at(model.nu()));
  FlexDifferences worst;
  const auto raise = [](double& old, double value) {
    if (!std::isnan(old) && !(value <= old)) old = value;
  };
  for (int i = 0; i < states; ++i) {
    const State far = random_state(model, random).state;
    with.evaluate(far, control);
    place(model, far, data);
    const std::vector<Vec3> theirs = with.flex_vertices();
    std::size_t next = 0;
    for (const SoftBodySpec& soft : model.spec().soft_bodies) {
      for (const Vec3& own : node_positions(model, soft, data)) {
        const Vec3& other = theirs.at(next++);
        raise(worst.vertices, norm(own - other) / std::max(1.0, norm(other)));
      }
    }
    const State near = strained_state(model, reference, random);
    with.evaluate(near, control);
    without.evaluate(near, control);
    raise(worst.force,
          relative_difference(own_force(model, near, data), with.passive_force(), without.passive_force()));
  }
  return worst;
}

}  // namespace uzawa::cli
