#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// Restitution and friction of one pair of geoms, in place of those of the model and the settings.
struct PairMaterial {
  int geom1 = 0, geom2 = 0;                       ///< in either order
  std::optional<double> restitution;              ///< 0 to 1
  std::optional<std::array<double, 2>> friction;  ///< along the two tangents of contact_frame
};

/// How penetrations, passed limits and drift of equalities become terms of the velocity problem. Without such errors
/// none of it matters.
struct AssemblySettings {
  /// Coefficient of restitution of every contact, 0 to 1 (Newton's law).
  double restitution = 0;
  /// Exceptions, a pair of geoms each.
  std::vector<PairMaterial> pairs;
  /// m/s; a contact that closes more slowly does not bounce. A few times g h, the speed that gravity adds in a step.
  double bounce_speed = 0.05;
  /// Baumgarte factor: the share of a penetration or of a passed limit that one step recovers, 0 to 1. A larger one is
  /// stiffer, and throws bodies apart faster.
  double recovery_share = 0.2;
  /// m/s or rad/s; bound on the speed of recovery. A body that is pushed out at this speed rises by v^2/2g = 3 mm.
  double recovery_speed = 0.25;
  /// m/s; gaps and penetrations smaller than the distance covered in a step at this speed (1 um at 1/240 s) count as
  /// zero. 0: every nanometre counts. Where a body is held from several sides, as a nut between two pads or a bottle
  /// full of balls in a hand, gaps that disagree by nanometres ask for motions that friction forbids: steps take long
  /// or jam.
  double flush_speed = 2.5e-4;
  /// Constraints that are not linear in q are linearised again, and solved again, where the velocities found differ
  /// from those expected by so much that the end of the step may be off by this (m or rad, for a lever of 1 m).
  double relinearisation = 1e-7;
  /// Limits are part of the problem where they are closer than this share of their range, or than the distance of
  /// `limit_steps` steps at the present speed.
  double limit_reach = 0.02, limit_steps = 4;

  bool has_restitution() const {
    return restitution > 0 ||
           std::any_of(pairs.begin(), pairs.end(), [](const PairMaterial& p) { return p.restitution.value_or(0) > 0; });
  }

  /// Speed of recovery of an error of position: a share of it, bounded.
  double recovery(double error, double h) const {
    return std::clamp(recovery_share * error / h, -recovery_speed, recovery_speed);
  }
  /// Speed with which a contact may close its gap, or has to recover its penetration.
  double gap_rate(double gap, double h) const {
    if (std::abs(gap) < flush_speed * h) return 0;
    return gap > 0 ? gap / h : recovery(gap, h);
  }
  /// Drift of equalities is recovered in one step: they pull as well as push, so that no body is thrown off.
  double equality_recovery(double error, double h) const {
    return std::clamp(error / h, -recovery_speed, recovery_speed);
  }
};

/// Sorts the pairs for `find_pair`. Throws InputError that names the setting or pair with an invalid value.
void prepare(AssemblySettings& settings, const Model& model);
/// The exception that holds for two geoms, or null.
const PairMaterial* find_pair(const AssemblySettings& settings, int geom1, int geom2);

}  // namespace uzawa
