#pragma once

#include <array>

#include "uzawa/problem/delassus.hpp"
#include "uzawa/solver/settings/pgs_settings.hpp"
#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// Friction law of methods that minimise over the friction cones.
enum class ConeFriction {
  Exact,  ///< De Saxce's shift mu |u_t|, taken from the last velocities: the fixed point is Coulomb's law
  Convex  ///< no shift: one convex problem, whose sliding contacts separate at mu |u_t|
};
inline constexpr const char* kConeFrictionNames[] = {"exact", "convex"};

/// Meaning, unit and range of each field: the table below.
struct ApgdSettings {
  DelassusForm form = DelassusForm::Automatic;
  ConeFriction friction = ConeFriction::Exact;
  bool precondition = true;
  double step_recovery = 0.9;
};

template <auto kSection>
inline constexpr std::array kApgdSettings = {
    describe<SectionField<kSection, &ApgdSettings::form>>(
        "apgd.form", kDelassusFormNames,
        "of J A^-1 J^T; matrix-free: a solve with the factor of A in each iteration; explicit: all its entries, as in "
        "[COND] section V-C, for which a solve a row is due before the first iteration; automatic: matrix-free"),
    describe<SectionField<kSection, &ApgdSettings::friction>>(
        "apgd.friction", kConeFrictionNames,
        "exact: Coulomb's law, by De Saxce's shift from the last velocities; convex: the relaxation without the "
        "shift, as published, where sliding bodies lift off"),
    describe<SectionField<kSection, &ApgdSettings::precondition>>(
        "apgd.precondition",
        "steps in proportion to the effective mass of each constraint (from the diagonal of A), for which cones stay "
        "cones; off: one step size for all, as published"),
    describe<SectionField<kSection, &ApgdSettings::step_recovery>>(
        "apgd.step_recovery", "", {0.1, 1},
        "factor of the Lipschitz estimate after each iteration, so that steps grow again after a hard one; 0.9 as "
        "published"),
};

}  // namespace uzawa
