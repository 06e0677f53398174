#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// MuJoCo's parameters of a constraint with their defaults there: solref, solimp and impratio. Meaning, unit and range
/// of each: the table below.
struct SoftConvexSettings {
  double timeconst = 0.02, dampratio = 1;
  double dmin = 0.9, dmax = 0.95, width = 0.001, midpoint = 0.5, power = 2;
  double impratio = 1;
};

template <auto kSection>
inline constexpr std::array kSoftConvexSettings = {
    describe<SectionField<kSection, &SoftConvexSettings::timeconst>>(
        "soft_convex.timeconst", "s", {1e-6, 1e3}, "solref: time constant of a violation's decay, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::dampratio>>(
        "soft_convex.dampratio", "critical damping", {1e-6, 1e3}, "solref: damping ratio, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::dmin>>(
        "soft_convex.dmin", "", {1e-4, 0.9999}, "solimp: impedance without violation, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::dmax>>(
        "soft_convex.dmax", "", {1e-4, 0.9999}, "solimp: impedance at the width and beyond, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::width>>(
        "soft_convex.width", "m or rad", {0, 1e3},
        "solimp: violation over which the impedance rises, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::midpoint>>("soft_convex.midpoint", "widths", {0, 1},
                                                                    "solimp: middle of the rise, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::power>>("soft_convex.power", "", {1, 100},
                                                                 "solimp: power of the rise, as MuJoCo's default"),
    describe<SectionField<kSection, &SoftConvexSettings::impratio>>(
        "soft_convex.impratio", "", {1e-6, 1e6},
        "stiffness of friction over that of the normal direction, as MuJoCo's "
        "default"),
};

}  // namespace uzawa
