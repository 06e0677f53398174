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

/// How constraints of a model become rows of the velocity problem.
struct AssemblySettings {
  /// Coefficient of restitution of every contact, 0 to 1 (Newton's law); 0: that of the model.
  double restitution = 0;
  /// Exceptions, a pair of geoms each.
  std::vector<PairMaterial> pairs;
  /// m/s; a contact that would leave more slowly does not bounce. A few times g h, the speed that gravity adds in a
  /// step.
  double bounce_speed = 0.05;
  /// Limits are part of the problem where they are closer than this share of their range, or than the distance of
  /// `limit_steps` steps at the present speed.
  double limit_reach = 0.02, limit_steps = 4;

  /// Rows hold errors of position, over h, for methods whose laws are springs on them (Solver::soft); positions are not
  /// projected then.
  bool errors_in_rows = false;

  bool has_restitution() const {
    return restitution > 0 ||
           std::any_of(pairs.begin(), pairs.end(), [](const PairMaterial& p) { return p.restitution.value_or(0) > 0; });
  }
};

/// Takes over the restitution that the model states (OptionsSpec, ContactPairSpec), where the settings have none.
void add_restitutions(const Model& model, AssemblySettings& settings);
/// Sorts the pairs for `find_pair`. Throws InputError that names the setting or pair with an invalid value.
void prepare(AssemblySettings& settings, const Model& model);
/// The exception that holds for two geoms, or null.
const PairMaterial* find_pair(const AssemblySettings& settings, int geom1, int geom2);

}  // namespace uzawa
