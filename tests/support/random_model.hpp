#pragma once

#include <random>

#include "uzawa/model/model.hpp"

namespace uzawa::test {

struct RandomModelOptions {
  int bodies = 8;
  bool fixed_bodies = true;  ///< some bodies without joints
  bool free_roots = true;    ///< some trees on a free joint
  bool gravity = true;
};

/// A random forest with every joint type, several joints a body, armature and damping.
ModelSpec random_spec(std::mt19937_64& random, const RandomModelOptions& options = {});

/// A random configuration of the model, with random velocities.
State random_state_of(const Model& model, std::mt19937_64& random);

std::vector<double> random_vector(std::size_t size, std::mt19937_64& random);
Vec3 random_vec3(std::mt19937_64& random);
Quat random_quat(std::mt19937_64& random);

}  // namespace uzawa::test
