#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// Meaning, unit and range of each field: the table below.
struct CcsSettings {
  double penalty = 0.3;
  double relaxation = 1.6;
  int sweeps = 3;
};

template <auto kSection>
inline constexpr std::array kCcsSettings = {
    describe<SectionField<kSection, &CcsSettings::penalty>>("ccs.penalty",
                                                            "diagonal of A at the nodes; A itself of bodies and trees",
                                                            {1e-6, 1e6}, "weight Q of the splitting v = z"),
    describe<SectionField<kSection, &CcsSettings::relaxation>>("ccs.relaxation", "", {1, 1.9},
                                                               "over-relaxation of the linear solve's velocities"),
    describe<SectionField<kSection, &CcsSettings::sweeps>>(
        "ccs.sweeps", "sweeps", {1, 1000},
        "of Gauss-Seidel over the constraints in the contact step, where nodes or bodies have several; one is exact "
        "where no two constraints share a node"),
};

}  // namespace uzawa
