#pragma once

#include <string>

#include "uzawa/scenarios/measure.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// How a figure is printed.
struct Unit {
  const char* name;
  double scale = 1;  ///< from SI
};
inline constexpr Unit kMicrometres{"um", 1e6}, kMillimetres{"mm", 1e3}, kRadians{"rad"}, kPercent{"%", 100};
inline constexpr Unit kSpeed{"m/s or rad/s"}, kCreep{"um/s", 1e6};

/// Bounds of the residual that checks ask for where a step may end before it is solved: of the median, and of all but
/// one step in twenty. In the scenes of the papers SubADMM leaves 7e-9 and 4e-6 at the most; ten sweeps of PGS leave
/// more than one of these bounds where a hand screws a nut (8e-9, 1e-4), a box is carried (2e-7, 8e-6) or dishes are
/// piled (2e-3, 3e-3), and soft contact more than both everywhere. The worst step is printed, not bounded: a method may
/// be cut short in the middle of an impact, and what that does is seen in the other figures of a check.
inline constexpr double kMedianResidual = 1e-7, kMostResidual = 2e-5, kMostSteps = 0.95;

/// The outcome of a check, figure by figure. Whatever is compared is named with its bound in what is expected, and with
/// its value in what was measured. A value that is no number is within no bound.
class Findings {
 public:
  /// A statement that must be true; `otherwise`: what is the case where it is not.
  Findings& require(bool holds, const std::string& statement, const std::string& otherwise);
  /// All of `of` must be so: "27 of 27 stand".
  Findings& all(const std::string& what, int count, int of);
  Findings& below(const std::string& what, double value, double bound, const Unit& unit);
  Findings& at_least(const std::string& what, double value, double bound, const Unit& unit);
  /// Off `wanted` by less than `error`.
  Findings& near(const std::string& what, double value, double wanted, double error, const Unit& unit);
  /// Worth knowing; nothing is asked of it.
  Findings& note(const std::string& measured, const std::string& expected = "");
  /// Every step is solved to its tolerance.
  Findings& all_solved(const StepWatch& steps);
  /// No step fails, and the residual is within the bounds above.
  Findings& well_solved(const StepWatch& steps);

  Outcome outcome() const { return outcome_; }

 private:
  Findings& add(const std::string& what, bool holds, const std::string& expected, const std::string& measured);

  Outcome outcome_{.holds = true, .expected = {}, .measured = {}, .wrong = {}};
};

}  // namespace uzawa::scenarios
