#include "uzawa/papers/legend.hpp"

#include <array>

namespace uzawa::papers {

std::span<const Term> legend() {
  static constexpr std::array kTerms = {
      Term{"[AL]",
           "Variations of Augmented Lagrangian for Robotic Multicontact Simulation, the paper of CANAL and "
           "SubADMM"},
      Term{"[JOINT]",
           "Constrained Dynamics Solver for Robotic Simulation via Augmented Lagrangian, the paper on joint "
           "friction and joint limits"},
      Term{"residual",
           "how far impulses are from the laws of contacts and joints, in m/s and N s, divided by the number "
           "of constraints ([AL] section VII); velocities follow from the impulses, so that nothing else "
           "can be off"},
      Term{"CANAL", "second-order method: loops of an augmented Lagrangian, each solved by Newton's method"},
      Term{"SubADMM", "first-order method: iterations of ADMM, split into bodies and constraints"},
      Term{"PGS", "projected Gauss-Seidel, the usual method: sweeps over the constraints, one after the other"},
      Term{"published form", "the method as the paper prints it, without what we have added to it"},
      Term{"loop", "one update of CANAL's multipliers, with several Newton steps inside"},
      Term{"cold", "started from nothing, not from the impulses of the last step"},
      Term{"check",
           "what a scene asks of its own end: where things are, how deep they overlap, how well steps are "
           "solved"}};
  return kTerms;
}

}  // namespace uzawa::papers
