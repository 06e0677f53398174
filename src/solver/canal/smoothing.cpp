/// CANAL's first-order iterations, which sort the contacts out where Newton is lost: SubADMM's.
#include <algorithm>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

/// Where the path is lost, too: SubADMM goes on from where it was the last time, for twice as long, and Newton gets
/// another chance from there.
bool Canal::smooth(const CanalBudget& budget) {
  smooth_for(std::clamp(2 * smoothing_, budget.first_order, kStrategy.smoothing.most));
  restart_from(m_.smoother.impulses(problem_));
  if (progress_.converged() || polish(budget)) return true;
  restart_from(m_.best_lambda);
  return false;
}

void Canal::smooth_for(int iterations) {
  if (smoothing_ == 0) m_.smoother.prepare(prepared_, {}, m_.best_lambda);
  smoothing_ = iterations;
  for (int i = 0; i < iterations && !progress_.converged(); ++i) {
    m_.smoother.step(problem_);
    if ((i + 1) % kStrategy.smoothing.look_every == 0) {
      progress_.look_at(m_.smoother.impulses(problem_));
      progress_.record(m_.smoother.beta());
    }
    if (progress_.out_of_time()) break;
  }
}

}  // namespace uzawa
