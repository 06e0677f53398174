#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// Meaning, unit and range of each field: the table below.
struct SubAdmmSettings {
  double penalty = 4;
  double relaxation = 1.6;
  bool adapt_penalty = true;
  int acceleration = 5;
};

template <auto kSection>
inline constexpr std::array kSubAdmmSettings = {
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
};

}  // namespace uzawa
