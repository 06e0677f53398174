#include "uzawa/sim/report.hpp"

namespace uzawa {

const char* to_string(StepStatus status) {
  switch (status) {
    case StepStatus::Solved: return "solved";
    case StepStatus::Capped: return "capped";
    case StepStatus::LeastViolation: return "least-violation";
    case StepStatus::Relaxed: return "relaxed";
    case StepStatus::Failed: return "failed";
  }
  return "";
}

StageTimes& StageTimes::operator+=(const StageTimes& b) {
  dynamics += b.dynamics;
  collision += b.collision;
  assembly += b.assembly;
  solve += b.solve;
  integrate += b.integrate;
  return *this;
}

}  // namespace uzawa
