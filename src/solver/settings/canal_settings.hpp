#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// Meaning, unit and range of each field: the tables below.
struct CanalSettings {
  double penalty = 1e3;
  double penalty_growth = 4, penalty_bound = 100, required_decrease = 0.25;
  int max_newton_steps = 100;
  double newton_tolerance = 1e-9;
  bool polish = true, anderson = true, cascade = true, first_order = false, least_impulses = true;
};

/// Settings of the augmented Lagrangian loop, which CANAL shares with the methods that it is compared with.
template <auto kSection>
inline constexpr std::array kLoopSettings = {
    describe<SectionField<kSection, &CanalSettings::penalty>>(
        "canal.penalty", "effective masses of the contacts", {1e-3, 1e9},
        "first penalty beta; nominal 1e2 (piles of light bodies) to 1e4"),
    describe<SectionField<kSection, &CanalSettings::penalty_growth>>(
        "canal.penalty_growth", "", {1, 1e3},
        "factor of the penalty where a loop has not brought the required decrease "
        "([AL] eq. 28)"),
    describe<SectionField<kSection, &CanalSettings::penalty_bound>>("canal.penalty_bound", "first penalties", {1, 1e9},
                                                                    "largest penalty ([AL] eq. 28)"),
    describe<SectionField<kSection, &CanalSettings::required_decrease>>(
        "canal.required_decrease", "", {0, 1},
        "of |J v - z| from loop to loop; where it falls less, the penalty grows"),
    describe<SectionField<kSection, &CanalSettings::max_newton_steps>>(
        "canal.max_newton_steps", "steps", {1, 1e6}, "of one loop; about 10 are needed, more is a sign of trouble"),
    describe<SectionField<kSection, &CanalSettings::newton_tolerance>>(
        "canal.newton_tolerance", "|b| + |J^T lambda|", {1e-16, 1}, "inner convergence of a loop: bound of |r|"),
};

template <auto kSection>
inline constexpr std::array kCanalSettings = {
    describe<SectionField<kSection, &CanalSettings::polish>>(
        "canal.polish",
        "Newton on the strict law, in stages (`uzawa solvers canal`), before the first loop and after each; without "
        "polish and anderson: the published method"),
    describe<SectionField<kSection, &CanalSettings::anderson>>("canal.anderson",
                                                               "Anderson mixing of the lagged shift over the loops"),
    describe<SectionField<kSection, &CanalSettings::cascade>>(
        "canal.cascade",
        "the loops; with polish they are the last resort, which limits of work hardly ever leave time for"),
    describe<SectionField<kSection, &CanalSettings::first_order>>(
        "canal.first_order",
        "begin with SubADMM's iterations, for as long as they get on; auto does so on large islands at loose "
        "tolerances"),
    describe<SectionField<kSection, &CanalSettings::least_impulses>>(
        "canal.least_impulses",
        "at rest, of all impulses that give the same velocities the smallest, whatever the load's history: self-stress "
        "is forgotten, legs share a load; costs 1 to 3 Newton steps when a load has come to rest"),
};

}  // namespace uzawa
