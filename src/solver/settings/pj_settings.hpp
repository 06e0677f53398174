#pragma once

#include <array>

#include "uzawa/solver/settings/pgs_settings.hpp"

namespace uzawa {

/// Meaning, unit and range of each field: the table below.
struct PjSettings {
  double step = 1;
  PgsLocal local = PgsLocal::Exact;
  DelassusForm form = DelassusForm::Automatic;
};

template <auto kSection>
inline constexpr std::array kPjSettings = {
    describe<SectionField<kSection, &PjSettings::step>>(
        "pj.step", "of the largest that always converges", {0.01, 2},
        "step; the largest is 1 over the number of constraints on the body that has most of a constraint's bodies"),
    describe<SectionField<kSection, &PjSettings::local>>("pj.local", kPgsLocalNames,
                                                         "treatment of one contact, as pgs.local"),
    describe<SectionField<kSection, &PjSettings::form>>("pj.form", kDelassusFormNames, "of J A^-1 J^T, as pgs.form"),
};

}  // namespace uzawa
