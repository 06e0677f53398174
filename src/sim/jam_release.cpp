#include "uzawa/sim/jam_release.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "uzawa/sim/world.hpp"

namespace uzawa {

void JamRelease::list_violated(const Problem& problem, std::span<const double> lambda, double tolerance,
                               std::span<const int> candidates) {
  prepared_.prepare(problem);
  judge_.list_above(prepared_, lambda, tolerance, violated_);
  std::sort(violated_.begin(), violated_.end());
  constraints.clear();
  std::set_intersection(violated_.begin(), violated_.end(), candidates.begin(), candidates.end(),
                        std::back_inserter(constraints));
}

/// True where there is another attempt to be solved.
bool World::release_jams() {
  Result& result = step_.result;
  if (jams_.attempt == JamRelease::None) {
    if (result.contradictory.empty()) return false;
    jams_.best = result;
    if (!settings_.warm_start) jams_.attempt = JamRelease::ColdStart;  // it was one
  } else {
    // Other islands may be capped as before: no reason to throw this solution away.
    const bool solved = result.contradictory.empty() &&
                        result.verdict.residual <= std::max(settings_.solve.tolerance, jams_.best.verdict.residual);
    if (solved && jams_.attempt != JamRelease::ColdStart && step_.report.status == StepStatus::Solved) {
      step_.report.status = StepStatus::Jammed;
    }
    if (solved) return false;
    const bool better = result.verdict.residual < jams_.best.verdict.residual;
    if (jams_.attempt == JamRelease::ColdStart && better) jams_.best = result;
  }
  while (true) {
    jams_.attempt = static_cast<JamRelease::Attempt>(jams_.attempt + 1);
    switch (jams_.attempt) {
      case JamRelease::None: break;
      case JamRelease::ColdStart: keep_impulses(result.contradictory); return true;
      case JamRelease::LeaveViolated:
        std::sort(result.contradictory.begin(), result.contradictory.end());
        jams_.list_violated(problem(), result.lambda, settings_.solve.tolerance, result.contradictory);
        break;
      case JamRelease::LeaveIslands: jams_.constraints = result.contradictory; break;
      case JamRelease::GivenUp:
        std::swap(result, jams_.best);
        write_problem();
        accept_result();
        return false;
    }
    if (!assembler_.leave_errors(jams_.constraints)) continue;
    keep_impulses(jams_.constraints);
    return true;
  }
}

}  // namespace uzawa
