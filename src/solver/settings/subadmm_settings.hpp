#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// Where ADMM's first penalties come from.
enum class AdmmPenaltyRule {
  Masses,  ///< one beta for all, from the masses of bodies and the number of their contacts; adapted on the way
  Traces   ///< [SUB] eq. 23: beta_i = Tr(A_i) / Tr(J_i^T J_i) for each subsystem, which stays
};
inline constexpr std::array<const char*, 2> kAdmmPenaltyRules = {"masses", "traces"};

/// Meaning, unit and range of each field: the table below.
struct SubAdmmSettings {
  AdmmPenaltyRule penalty_rule = AdmmPenaltyRule::Masses;
  double penalty = 4;
  double relaxation = 1.6;
  bool adapt_penalty = true;
  int acceleration = 5;
  double theta = 0;
};

template <auto kSection>
inline constexpr std::array kSubAdmmSettings = {
    describe<SectionField<kSection, &SubAdmmSettings::penalty_rule>>(
        "subadmm.penalty_rule", kAdmmPenaltyRules,
        "masses: one penalty for all, from subadmm.penalty, adapted on the way; traces: [SUB] eq. 23, Tr(A_i) / "
        "Tr(J_i^T J_i) for each subsystem i, which depends on units of length and angle and is never adapted"),
    describe<SectionField<kSection, &SubAdmmSettings::penalty>>(
        "subadmm.penalty", "geometric mean over the bodies of mass / sqrt(number of contacts)", {1e-6, 1e6},
        "first penalty beta; nominal 1 to 30"),
    describe<SectionField<kSection, &SubAdmmSettings::relaxation>>(
        "subadmm.relaxation", "", {1, 1.8}, "over-relaxation; given up where the iteration runs in a circle"),
    describe<SectionField<kSection, &SubAdmmSettings::adapt_penalty>>(
        "subadmm.adapt_penalty",
        "after 10, 20, 40, ... iterations a smaller penalty for constraints without impulse, later also another beta "
        "by "
        "the balance of the two residuals, each with refactorisation; off: the published form without eq. 44"),
    describe<SectionField<kSection, &SubAdmmSettings::acceleration>>("subadmm.acceleration", "differences", {0, 10},
                                                                     "depth of Anderson acceleration; 0: off"),
    describe<SectionField<kSection, &SubAdmmSettings::theta>>(
        "subadmm.theta", "N^2 s^2", {0, 1e6},
        "the iteration ends where [SUB] eq. 22, the square of the change of all beta y, is below it, and the judge is "
        "asked at the end only; 0: the judge's residual decides, every ten iterations"),
};

}  // namespace uzawa
