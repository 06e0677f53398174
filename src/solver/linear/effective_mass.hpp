#pragma once

#include <span>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

/// Geometric mean over the contacts of 3 / trace(J_i A^-1 J_i^T) (over all constraints of dims / trace where there are
/// no contacts): the effective mass of a contact, kg. Penalties are multiples of it. 1 where nothing moves.
double effective_mass(PreparedProblem& prepared);

/// Mass of a body, of all links of a tree, or the mean of the diagonal of a bare matrix.
double block_mass(const Problem& problem, const Block& block);

/// dims / trace(J_i A^-1 J_i^T) of each constraint, for each of its rows; the mean of them for one that moves nothing,
/// 1 where none moves anything.
void effective_masses(PreparedProblem& prepared, std::span<double> out);

}  // namespace uzawa
