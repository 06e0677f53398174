#pragma once

#include <array>

#include "uzawa/problem/delassus.hpp"
#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// How PGS treats one contact, given the others.
enum class PgsLocal {
  Split,    ///< strict law: a step for the normal, then one for friction with the sliding velocity that is left
  Exact,    ///< strict law: the contact's own 3x3 problem to rounding; converges no faster, a sweep costs up to 1.6 x
  Proximal  ///< one gradient step, projected onto the cone; needs many more sweeps
};
inline constexpr const char* kPgsLocalNames[] = {"split", "exact", "proximal"};
inline constexpr const char* kDelassusFormNames[] = {"automatic", "matrix-free", "explicit"};

/// Acceleration of the sweeps.
enum class PgsAcceleration { None, Conjugate };
inline constexpr const char* kPgsAccelerationNames[] = {"none", "conjugate"};

/// Meaning, unit and range of each field: the table below.
struct PgsSettings {
  double relaxation = 1;
  bool shuffle = true;
  PgsLocal local = PgsLocal::Split;
  DelassusForm form = DelassusForm::Automatic;
  PgsAcceleration acceleration = PgsAcceleration::None;
};

template <auto kSection>
inline constexpr std::array kPgsSettings = {
    describe<SectionField<kSection, &PgsSettings::relaxation>>(
        "pgs.relaxation", "", {0, 2},
        "over-relaxation; 1.3 gains up to a decade on piles, beyond 1.4 some problems fail"),
    describe<SectionField<kSection, &PgsSettings::shuffle>>(
        "pgs.shuffle", "another order of the constraints in every sweep, the same in every solve"),
    describe<SectionField<kSection, &PgsSettings::local>>(
        "pgs.local", kPgsLocalNames,
        "treatment of one contact: normal then friction, its own problem to rounding, or a projected gradient step"),
    describe<SectionField<kSection, &PgsSettings::form>>(
        "pgs.form", kDelassusFormNames, "of J A^-1 J^T; automatic: the one with fewer numbers to read in a sweep"),
    describe<SectionField<kSection, &PgsSettings::acceleration>>(
        "pgs.acceleration", kPgsAccelerationNames,
        "conjugate: sweeps, in a fixed order, are gradients of a nonlinear conjugate gradient method with restarts, as "
        "[SUB] has it"),
};

}  // namespace uzawa
