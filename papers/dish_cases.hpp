#pragma once

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/cases.hpp"

namespace uzawa::papers {

/// [AL] section VII-B.1: the settled pile of dish-piling with random wrenches on each dish; 100 problems.
inline constexpr Wrenches kDishWrenches{10, 0.2};  // [AL] does not say; a dish weighs 1 N, the pot 49 N
std::vector<Case> dish_cases(const Options& options);
/// So many of them, with the wrenches times `scale`.
std::vector<Case> dish_cases(int count, double scale);
/// Leaves about a share of the contacts, spread evenly; for problems that have no other constraints.
void keep_contacts(Problem& problem, double share);
/// What they are, for a reader.
std::string dish_cases_text(const std::vector<Case>& cases);

}  // namespace uzawa::papers
