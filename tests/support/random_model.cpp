#include "support/random_model.hpp"

namespace uzawa::test {

namespace {

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
int pick(std::mt19937_64& random, int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

void add_joints(ModelSpec& spec, int body, bool may_be_free, std::mt19937_64& random) {
  const auto add = [&](JointType type) {
    JointSpec joint;
    joint.name = "j" + std::to_string(spec.joints.size());
    joint.type = type;
    joint.body = body;
    if (pick(random, 2) == 0) joint.position = random_vec3(random) * 0.1;
    joint.axis = random_vec3(random);
    if (type != JointType::Free) {
      joint.armature = uniform(random, 0, 0.1);
      joint.damping = uniform(random, 0, 0.5);
    }
    spec.joints.push_back(joint);
  };
  if (may_be_free) return add(JointType::Free);
  switch (pick(random, 5)) {
    case 0: add(JointType::Ball); break;
    case 1: add(JointType::Slide); break;
    case 2:  // a planar base
      add(JointType::Slide);
      add(JointType::Slide);
      add(JointType::Hinge);
      break;
    default: add(JointType::Hinge); break;
  }
}

}  // namespace

Vec3 random_vec3(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}

Quat random_quat(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random);
  return normalized({w, random_vec3(random)});
}

std::vector<double> random_vector(std::size_t size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(size);
  for (double& x : values) x = normal(random);
  return values;
}

ModelSpec random_spec(std::mt19937_64& random, const RandomModelOptions& options) {
  ModelSpec spec;
  if (!options.gravity) spec.options.gravity = {};
  for (int b = 1; b <= options.bodies; ++b) {
    BodySpec body;
    body.name = "b" + std::to_string(b);
    body.parent = pick(random, 3) == 0 ? pick(random, b) : b - 1;
    body.position = random_vec3(random) * 0.3;
    body.orientation = random_quat(random);
    body.mass = uniform(random, 0.1, 3);
    body.com = random_vec3(random) * 0.1;
    body.inertia_orientation = random_quat(random);
    // Moments of a box, so that they can belong to a body.
    const double x = uniform(random, 0.05, 0.3), y = uniform(random, 0.05, 0.3), z = uniform(random, 0.05, 0.3);
    body.principal_inertia = Vec3(y * y + z * z, x * x + z * z, x * x + y * y) * (body.mass / 12);
    spec.bodies.push_back(body);
    const bool fixed = options.fixed_bodies && b > 1 && pick(random, 4) == 0;
    if (!fixed) add_joints(spec, b, options.free_roots && body.parent == 0 && pick(random, 2) == 0, random);
  }
  return spec;
}

State random_state_of(const Model& model, std::mt19937_64& random) {
  State state = model.reference_state();
  for (const JointFrame& joint : model.joint_frames()) {
    double* q = &state.q[static_cast<std::size_t>(joint.q)];
    switch (joint.type) {
      case JointType::Free:
        random_vec3(random).store(q);
        random_quat(random).store(q + 3);
        break;
      case JointType::Ball: random_quat(random).store(q); break;
      case JointType::Slide:
      case JointType::Hinge: *q = uniform(random, -2, 2); break;
    }
  }
  state.v = random_vector(state.v.size(), random);
  return state;
}

}  // namespace uzawa::test
