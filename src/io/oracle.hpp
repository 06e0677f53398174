#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "uzawa/io/load.hpp"

namespace uzawa {

/// Whether passive forces include those of flexes. Those of cables are there only in programs that have loaded the
/// plugin's own library before.
enum class Elasticity {
  Off,
  Stretching,  ///< without the resistance of shells to bending
  On
};

/// MuJoCo on the same file, as an independent reference for the dynamics. For `uzawa verify` and tests.
class MujocoOracle {
 public:
  explicit MujocoOracle(const std::filesystem::path& path, const LoadOptions& options = {},
                        Elasticity elasticity = Elasticity::Off);
  ~MujocoOracle();
  MujocoOracle(MujocoOracle&&) noexcept;
  MujocoOracle& operator=(MujocoOracle&&) noexcept;

  /// Evaluates MuJoCo's smooth dynamics (contacts and constraints off) at the state. Throws InputError where the state
  /// or the control does not fit the model.
  void evaluate(const State& state, std::span<const double> control);

  int bodies() const;
  int body_parent(int body) const;
  Pose body_pose(int body) const;                   ///< world
  std::vector<Vec3> flex_vertices() const;          ///< world, of all flexes one after the other
  std::vector<double> mass_matrix() const;          ///< nv x nv
  std::span<const double> bias_force() const;       ///< qfrc_bias
  std::span<const double> passive_force() const;    ///< qfrc_passive
  std::span<const double> actuator_force() const;   ///< qfrc_actuator
  std::span<const double> activation_rate() const;  ///< act_dot
  std::span<const double> acceleration() const;     ///< qacc
  std::span<const double> tendon_length() const;    ///< ten_length, m
  std::vector<double> sensor_values() const;        ///< of the sensors that the Model has, in its order

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace uzawa
