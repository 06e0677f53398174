#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// The state from which a spring-damper takes its force.
enum class PenaltyTime {
  End,   ///< gap and velocity at the end of the step: implicit, stable for any gain
  Start  ///< gap at the start of the step, velocity without contact: explicit, no system is solved
};
inline constexpr const char* kPenaltyTimeNames[] = {"end", "start"};

/// Gains of the spring-dampers. Meaning, unit and range of each: the table below.
struct PenaltySettings {
  double stiffness = 1e5, damping = 1e3, friction_damping = 1e3;
  PenaltyTime time = PenaltyTime::End;
};

template <auto kSection>
inline constexpr std::array kPenaltySettings = {
    describe<SectionField<kSection, &PenaltySettings::stiffness>>(
        "penalty.stiffness", "N/m or N m/rad", {0, 1e15}, "of every contact and hard row; 1e5 carries 1 kg at 0.1 mm"),
    describe<SectionField<kSection, &PenaltySettings::damping>>(
        "penalty.damping", "N s/m or N m s/rad", {0, 1e15}, "on the rate of penetration; about critical for 2.5 kg"),
    describe<SectionField<kSection, &PenaltySettings::friction_damping>>(
        "penalty.friction_damping", "N s/m or N m s/rad", {0, 1e15},
        "friction is viscous up to Coulomb's bound: a resting contact creeps at force/damping"),
    describe<SectionField<kSection, &PenaltySettings::time>>(
        "penalty.time", kPenaltyTimeNames,
        "end: gap and velocity at the end of the step, stable for any gain; start: gap at the start and velocity "
        "without contact, explicit as in [COND] Table I, bounces where damping * step is above the mass"),
};

}  // namespace uzawa
