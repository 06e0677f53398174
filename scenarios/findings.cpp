#include "uzawa/scenarios/findings.hpp"

#include <cmath>

namespace uzawa::scenarios {

namespace {

std::string printed(double value, const Unit& unit) { return with_unit(value * unit.scale, unit.name); }

void append(std::string& list, const std::string& part) {
  if (!part.empty()) list += (list.empty() ? "" : ", ") + part;
}

}  // namespace

Findings& Findings::add(const std::string& what, bool holds, const std::string& expected, const std::string& measured) {
  outcome_.holds = outcome_.holds && holds;
  if (!holds) append(outcome_.wrong, what);
  append(outcome_.expected, expected);
  append(outcome_.measured, measured);
  return *this;
}

Findings& Findings::require(bool holds, const std::string& statement, const std::string& otherwise) {
  return add(otherwise, holds, statement, holds ? statement : otherwise);
}

Findings& Findings::all(const std::string& what, int count, int of) {
  return add(what, count == of, "all " + what, std::to_string(count) + " of " + std::to_string(of) + " " + what);
}

Findings& Findings::below(const std::string& what, double value, double bound, const Unit& unit) {
  return add(what, value < bound, what + " < " + printed(bound, unit), what + " " + printed(value, unit));
}

Findings& Findings::at_least(const std::string& what, double value, double bound, const Unit& unit) {
  return add(what, value >= bound, what + " >= " + printed(bound, unit), what + " " + printed(value, unit));
}

Findings& Findings::near(const std::string& what, double value, double wanted, double error, const Unit& unit) {
  return add(what, std::abs(value - wanted) < error,
             what + " " + printed(wanted, {"", unit.scale}) + " +- " + printed(error, unit),
             what + " " + printed(value, unit));
}

Findings& Findings::note(const std::string& measured, const std::string& expected) {
  return add("", true, expected, measured);
}

Findings& Findings::all_solved(const StepWatch& steps) {
  return add("steps", steps.all_solved(), "all steps solved", steps.text());
}

Findings& Findings::well_solved(const StepWatch& steps) {
  const double median = steps.residual(0.5), most = steps.residual(kMostSteps);
  const std::string share = "(" + with_unit(100 * kMostSteps, "% of the steps)");
  return add("residual", steps.none_failed() && median < kMedianResidual && most < kMostResidual,
             "residual < " + with_unit(kMedianResidual, "(median), < ") + with_unit(kMostResidual, share.c_str()) +
                 " m/s or N s a constraint, no step failed",
             "residual " + with_unit(median, "(median), ") + with_unit(most, share.c_str()) + ", " +
                 with_unit(steps.residual(1), "(worst), ") + steps.text());
}

}  // namespace uzawa::scenarios
