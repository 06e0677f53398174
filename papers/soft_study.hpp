#pragma once

#include <string>
#include <vector>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/cases.hpp"
#include "uzawa/papers/contender.hpp"

/// What the tables of [COND] section V-C have in common: problems from randomised trials of its soft scenes, solved by
/// COND and by methods on the Delassus operator.
namespace uzawa::papers {

/// The judged residual that all methods are compared at.
inline constexpr double kEqualError = 1e-6;

/// A scene of [COND], and how its problems are drawn.
struct SoftScene {
  const char* name;
  std::vector<std::string> small;  ///< parameters of quick runs
  double threshold;                ///< of the published stop test, m/s
  int samples = 8;                 ///< problems a trial, spread over its steps
  int trials = 20;
};
SoftScene mat_scene();
SoftScene ball_scene();
SoftScene cable_scene();
SoftScene gripper_scene();

/// Problems with the solution that errors are measured from.
struct SoftCase {
  Case one;
  std::vector<double> velocity;  ///< of auto at 1e-12
};
/// `changes`: parameters, beside those that each trial draws.
std::vector<SoftCase> soft_cases(const SoftScene& scene, const Options& options,
                                 const std::vector<std::string>& changes = {});

/// COND as published: Frobenius surrogate, Chebyshev acceleration, no lag, the published stop test.
Contender published_cond(double threshold, bool chebyshev = true);
/// All that are compared at an equal error: COND, PGS and APGD on an explicit Delassus matrix, APGD without one, auto.
std::vector<Contender> equal_error_contenders();

/// Means over the cases.
struct SoftFigures {
  double milliseconds = 0;  ///< CPU time of a solve, with all that it factorises and assembles
  double iterations = 0;
  double penetration = 0;  ///< m, deepest contact at the end of the step
  double force_error = 0;  ///< N, |A (v - truth)| / dt: elastic, damping and inertial forces of all nodes
  double residual = 0;     ///< the judge's
  int reached = 0;         ///< cases whose residual is within kEqualError
};
SoftFigures measure(const std::vector<SoftCase>& cases, const Contender& contender, const Options& options);

/// A printed line of a table: penetration (mm), force error (mN), solver time (ms), iterations.
struct PrintedFigures {
  double penetration, force_error, milliseconds, iterations;
};
/// One of Tables II, III, V and VI.
struct SoftTable {
  SoftScene scene;
  const char* what;  ///< for titles
  PrintedFigures cond, pgs, apgd;
};
Report soft_report(const SoftTable& table, const Options& options);

}  // namespace uzawa::papers
