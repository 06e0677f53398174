#pragma once

#include "uzawa/solver/solver.hpp"

namespace uzawa::papers {

/// The loops of CANAL in its published form ([AL] Algorithm 1), from nothing, with a strict word on every inner solve:
/// method `canal` takes an inner solve for solved where it makes no more progress near the rounding floor, methods
/// `al-dogleg` and `al-semismooth` only where it has reached its tolerance. Here it is the latter.
struct PublishedLoops {
  int steps = 0;     ///< Newton steps of all loops
  int short_of = 0;  ///< inner solves that ended above the tolerance
  double worst = 0;  ///< the least power of ten, relative to the inner problem's scale, that all of them got below
};
PublishedLoops published_loops(const Problem& problem, const CanalSettings& settings, int loops);

}  // namespace uzawa::papers
