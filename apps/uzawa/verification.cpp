#include "verification.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/dynamics/sensors.hpp"

namespace uzawa::cli {

namespace {

/// max that does not swallow NaN, neither a new one nor one of before.
void raise(double& worst, double value) {
  if (!std::isnan(worst) && !(value <= worst)) worst = value;
}

double pose_difference(const Pose& ours, const Pose& theirs) {
  double worst = norm(ours.position - theirs.position) / std::max(1.0, norm(theirs.position));
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) raise(worst, std::abs(ours.rotation(r, c) - theirs.rotation(r, c)));
  }
  return worst;
}

double mass_difference(const std::vector<double>& ours, const std::vector<double>& theirs, std::size_t n) {
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double scale = std::sqrt(theirs[i * n + i] * theirs[j * n + j]);
      raise(worst, std::abs(ours[i * n + j] - theirs[i * n + j]) / scale);
    }
  }
  return worst;
}

/// `unit`: what counts as non-zero at all; a planar base has no bias force but rounding.
double vector_difference(const std::vector<double>& ours, std::span<const double> theirs, double unit) {
  double difference = 0, scale = unit;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    raise(difference, std::abs(ours[i] - theirs[i]));
    raise(scale, std::abs(theirs[i]));
  }
  return difference == 0 ? 0 : difference / scale;
}

/// The force that accelerates the heaviest coordinate by 1 mm/s^2 (or 1 mrad/s^2).
double unit_force(const std::vector<double>& mass, std::size_t n) {
  double heaviest = 0;
  for (std::size_t i = 0; i < n; ++i) raise(heaviest, mass[i * n + i]);
  return 1e-3 * heaviest;
}

void random_quaternion(std::mt19937_64& random, double* wxyz) {
  std::normal_distribution<double> normal;
  const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  normalized(Quat{w, {x, y, z}}).store(wxyz);
}

double within(const std::optional<Range>& range, double spread, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(range ? range->lower : -spread, range ? range->upper : spread);
  return uniform(random);
}

}  // namespace

double Differences::worst() const {
  double worst = 0;
  for (const double value : {pose, mass, bias, passive, actuator, activation, tendon, sensors}) raise(worst, value);
  return worst;
}

RandomState random_state(const Model& model, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  RandomState out{model.reference_state(), std::vector<double>(static_cast<std::size_t>(model.nu()))};
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    double* q = &out.state.q[static_cast<std::size_t>(model.joint_q(static_cast<int>(j)))];
    switch (joint.type) {
      case JointType::Free:
        for (int k = 0; k < 3; ++k) q[k] = normal(random);
        random_quaternion(random, q + 3);
        break;
      case JointType::Ball: random_quaternion(random, q); break;
      case JointType::Slide: *q = within(joint.range, 1, random); break;
      case JointType::Hinge: *q = within(joint.range, M_PI, random); break;
    }
  }
  for (double& v : out.state.v) v = normal(random);
  for (double& activation : out.state.activation) activation = normal(random);
  for (std::size_t a = 0; a < out.control.size(); ++a) {
    const std::optional<Range>& range = model.spec().actuators[a].control_range;
    const double beyond = range ? 0.5 * (range->upper - range->lower) : 0;
    const std::optional<Range> wider =
        range ? std::optional(Range{range->lower - beyond, range->upper + beyond}) : range;
    out.control[a] = within(wider, 1, random);
  }
  return out;
}

namespace {

/// The model without the forces that the oracle leaves out: those of soft bodies and cables.
Model without_elasticity(const Model& model) {
  ModelSpec spec = model.spec();
  std::erase_if(spec.geoms, [](const GeomSpec& geom) { return geom.shape == ShapeType::Skin; });
  spec.soft_bodies.clear();
  for (JointSpec& joint : spec.joints) joint.ball_stiffness = {};
  return Model(std::move(spec));
}

void check_coordinates(const Model& model, const MujocoOracle& oracle) {
  for (int b = 0; b < oracle.bodies(); ++b) {
    const BodySpec& body = model.spec().bodies[static_cast<std::size_t>(b)];
    if (body.parent == oracle.body_parent(b)) continue;
    throw InputError(model.spec().source, "body '" + body.name + "'",
                     "is a vertex below a moving body, with other coordinates than in MuJoCo: nothing to compare");
  }
}

}  // namespace

namespace {

bool is_limit_sensor(SensorType type) {
  return (type >= SensorType::JointLimitPosition && type <= SensorType::JointLimitForce) ||
         (type >= SensorType::TendonLimitPosition && type <= SensorType::TendonLimitForce);
}

double sensor_difference(const Model& model, std::span<const double> ours, std::span<const double> theirs) {
  if (ours.size() != theirs.size()) return HUGE_VAL;
  double worst = 0;
  for (int s = 0; s < static_cast<int>(model.spec().sensors.size()); ++s) {
    const SensorType type = model.spec().sensors[static_cast<std::size_t>(s)].type;
    if (is_limit_sensor(type)) continue;  // MuJoCo has none with its constraints off
    const auto first = static_cast<std::size_t>(model.sensor_address(s)),
               size = static_cast<std::size_t>(sensor_size(type));
    double scale = 1, same = 0, opposite = 0;
    for (std::size_t k = first; k < first + size; ++k) {
      raise(scale, std::abs(theirs[k]));
      raise(same, std::abs(ours[k] - theirs[k]));
      raise(opposite, std::abs(ours[k] + theirs[k]));
    }
    const bool either = type == SensorType::FrameOrientation || type == SensorType::BallOrientation;
    raise(worst, (either ? std::min(same, opposite) : same) / scale);
  }
  return worst;
}

}  // namespace

std::vector<double> unconstrained_sensors(const Model& model, const State& state, std::span<const double> control,
                                          std::span<const double> acceleration, DynamicsData& data) {
  std::vector<double> actuation(static_cast<std::size_t>(model.nv()));
  std::vector<double> values(static_cast<std::size_t>(model.sensor_values()));
  actuator_force(model, state, control, data, actuation);
  std::vector<BodyForce> forces;
  add_tendon_forces(model, state, data, {}, forces);
  measure_sensors(model, {state, data, acceleration, actuation, forces, {}, {}, {}}, values);
  return values;
}

namespace {

/// Lengths of the tendons that the file has; those that the loader makes of a flex's edges come after them.
std::vector<double> file_tendons(const DynamicsData& data, const MujocoOracle& oracle) {
  std::vector<double> lengths = data.tendon_length;
  lengths.resize(oracle.tendon_length().size(), NAN);
  return lengths;
}

}  // namespace

Differences compare(const Model& loaded, MujocoOracle& oracle, int states, unsigned seed) {
  check_coordinates(loaded, oracle);
  const Model model = without_elasticity(loaded);
  std::mt19937_64 random(seed);
  DynamicsData data(model);
  const auto nv = static_cast<std::size_t>(model.nv());
  std::vector<double> tau(nv), dense(nv * nv), rate(static_cast<std::size_t>(model.na()));
  Differences worst;
  for (int i = 0; i < states; ++i) {
    const RandomState drawn = random_state(model, random);
    oracle.evaluate(drawn.state, drawn.control);
    forward_kinematics(model, drawn.state.q, data);
    link_velocities(model, drawn.state.v, data);
    tendon_lengths(model, drawn.state.q, data);
    for (int b = 0; b < oracle.bodies(); ++b) {
      raise(worst.pose, pose_difference(body_pose(model, data, b), oracle.body_pose(b)));
    }
    mass_matrix(data);
    data.mass.to_dense(dense);
    const std::vector<double> their_mass = oracle.mass_matrix();
    const double unit = unit_force(their_mass, nv);
    raise(worst.mass, mass_difference(dense, their_mass, nv));
    bias_force(model, drawn.state.v, data, tau);
    raise(worst.bias, vector_difference(tau, oracle.bias_force(), unit));
    passive_force(model, drawn.state.q, drawn.state.v, data, tau);
    raise(worst.passive, vector_difference(tau, oracle.passive_force(), unit));
    actuator_force(model, drawn.state, drawn.control, data, tau);
    raise(worst.actuator, vector_difference(tau, oracle.actuator_force(), unit));
    activation_rate(model, drawn.state.activation, drawn.control, rate);
    raise(worst.activation, vector_difference(rate, oracle.activation_rate(), 1));
    raise(worst.tendon, vector_difference(file_tendons(data, oracle), oracle.tendon_length(), 1));
    if (model.sensor_values() == 0) continue;
    raise(
        worst.sensors,
        sensor_difference(model, unconstrained_sensors(model, drawn.state, drawn.control, oracle.acceleration(), data),
                          oracle.sensor_values()));
  }
  return worst;
}

}  // namespace uzawa::cli
