#pragma once

#include <filesystem>

#include "uzawa/io/oracle.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa::cli {

/// Largest differences between the flexes of a file here and in MuJoCo.
struct FlexDifferences {
  double vertices = 0;  ///< positions of vertices at random states: m, over max(1 m, distance from the origin)
  /// Elastic forces near the reference shape: largest entry of the difference over MuJoCo's largest, per state.
  /// Resistance to bending is left out: MuJoCo's is another law (shell_elasticity.hpp). Moduli are taken as MuJoCo
  /// takes them (elastic_verification.cpp), which is not what they mean.
  double force = 0;
};

/// Strain at which elastic forces are compared: laws that differ by terms of second order agree to about that.
constexpr double kCompareStrain = 1e-4;

/// For models with soft bodies from a file whose coordinates are MuJoCo's (compare() throws where they are not).
FlexDifferences compare_flexes(const Model& model, const std::filesystem::path& path, const LoadOptions& options,
                               int states, unsigned seed);

}  // namespace uzawa::cli
