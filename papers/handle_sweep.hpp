#pragma once

#include <array>
#include <functional>
#include <string>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/contender.hpp"

/// Scene door-handle with one number changed from run to run, by CANAL and by SubADMM: [JOINT] Figs. 2 and 3.
namespace uzawa::papers {

/// What one run shows.
struct HandleRun {
  plot::Series curve;
  double error = 0;         ///< the largest of all steps
  bool put_to_test = true;  ///< it came to where an error is possible
};

/// A panel a method, a curve a run, and a claim a method: that no error is as large as `most`.
struct HandleSweep {
  std::array<double, 4> values;
  std::function<HandleRun(double value, const Contender& method)> run;
  std::string claim;                      ///< what holds
  std::string (*measured)(double worst);  ///< the worst error in words
  double most = 0;
  plot::Axis x, y;
  Table table;  ///< with its head; a row a value
};

/// Runs it and adds its table, panels and claims to the report.
void add_sweep(HandleSweep sweep, const Options& options, Report& report);

}  // namespace uzawa::papers
