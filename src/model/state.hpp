#pragma once

#include <vector>

namespace uzawa {

/// State of a simulation between two steps: small, copyable, comparable.
struct State {
  std::vector<double> q;           ///< nq, MuJoCo's qpos: quaternions w x y z
  std::vector<double> v;           ///< nv, MuJoCo's qvel: free joint linear in world, angular in body frame
  std::vector<double> activation;  ///< na, actuator states
  double time = 0;                 ///< s
  std::vector<double> mocap{};     ///< 7 a mocap body, MuJoCo's mocap_pos and mocap_quat; empty: as in the model
  std::vector<double> mocap_v{};   ///< 6 each, world: m/s of its frame's origin, rad/s; empty: at rest

  bool operator==(const State&) const = default;
};

}  // namespace uzawa
