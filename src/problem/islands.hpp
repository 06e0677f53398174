#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// A connected piece of a problem: subsystems that constraints join, directly or through others. Islands can be solved
/// by themselves, in any order; one that is hard does not cost the others an iteration.
struct Island {
  Problem problem;
  std::vector<int> blocks;       ///< of the whole problem, in its order
  std::vector<int> constraints;  ///< of the whole problem, in its order
};

/// All islands that have constraints. Blocks that no constraint touches are in none: their v is A^-1 b. A constraint
/// without attachments is an island by itself, without blocks.
std::vector<Island> split_into_islands(const Problem& problem);

/// Copies an island's impulses to their place among all.
void gather_impulses(const Problem& problem, const Island& island, std::span<const double> island_lambda,
                     std::span<double> lambda);
/// The other way round.
void scatter_impulses(const Problem& problem, const Island& island, std::span<const double> lambda,
                      std::span<double> island_lambda);

}  // namespace uzawa
