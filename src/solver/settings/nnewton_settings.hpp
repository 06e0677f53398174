#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// Meaning, unit and range of each field: the table below.
struct NNewtonSettings {
  int inner_iterations = 100;
  double inner_tolerance = 1e-4;
  double largest_compliance = 1e8;
};

template <auto kSection>
inline constexpr std::array kNNewtonSettings = {
    describe<SectionField<kSection, &NNewtonSettings::inner_iterations>>(
        "nnewton.inner_iterations", "", {1, 100'000}, "of preconditioned conjugate gradients in a Newton step"),
    describe<SectionField<kSection, &NNewtonSettings::inner_tolerance>>(
        "nnewton.inner_tolerance", "of the right side", {1e-15, 1},
        "of the inner solve; a looser one costs more Newton steps than it saves"),
    describe<SectionField<kSection, &NNewtonSettings::largest_compliance>>(
        "nnewton.largest_compliance", "of the row's own mobility", {1, 1e15},
        "compliance of a row whose impulse vanishes; infinite in the limit"),
};

}  // namespace uzawa
