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
/// Of all methods, COND among them. Where one has not reached that residual by then, its time is a lower bound.
inline constexpr int kMostIterations = 5000;

/// A scene of [COND], and how its problems are drawn.
struct SoftScene {
  const char* name;
  std::vector<std::string> small;  ///< parameters of quick runs
  double threshold;                ///< of the published stop test, m/s
  int trials = 20;
};
SoftScene mat_scene();
SoftScene ball_scene();
SoftScene cable_scene();
SoftScene gripper_scene();

/// One problem a trial. Whole runs of 20 trials would take hours, so one run with the scene's own material leads: each
/// trial goes on from a moment of it, all of them spread over the task, with a material of its own, drawn from the
/// paper's ranges, for kTrialSteps steps under the controls that the leader had. The last of these is the problem.
struct SoftCase {
  Case one;
  double time = 0;               ///< s, in the scene
  std::vector<double> velocity;  ///< the solution that errors are measured from; empty before add_solutions
};
inline constexpr int kTrialSteps = 4;
std::vector<SoftCase> trial_cases(const SoftScene& scene, const Options& options);
/// Steps of one run with these parameters, as many as there are trials.
std::vector<SoftCase> run_cases(const SoftScene& scene, const Options& options,
                                const std::vector<std::string>& changes);
/// By auto, asked for kAsked, taken at kSolved. Cases without one are taken out; their number is returned.
inline constexpr double kAsked = 1e-10, kSolved = 1e-8;
int add_solutions(std::vector<SoftCase>& cases, const Options& options);

/// COND as published: Frobenius surrogate, Chebyshev acceleration, no lag, the published stop test.
Contender published_cond(double threshold, bool chebyshev = true);
/// All that are compared at an equal error: COND, PGS and APGD on an explicit Delassus matrix, APGD without one, auto.
std::vector<Contender> equal_error_contenders();

/// The method's share of a solve's time, without what COND asks the judge. Both are measured by the clock: on a busy
/// machine only their ratio means something.
double method_share(const Stats& stats);

/// Means over the cases.
struct SoftFigures {
  double milliseconds = 0;  ///< CPU time of a solve, with all that the method factorises and assembles
  double judged = 0;        ///< ms, the same with what COND asks the judge, and the factor of A that he needs
  double iterations = 0;
  double penetration = 0;  ///< m, deepest contact at the end of the step
  double force_error = 0;  ///< N, |A (v - solution)| / dt: elastic, damping and inertial forces of all nodes
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
  double assembly;  ///< ms, printed: of the Delassus matrix
};
Report soft_report(const SoftTable& table, const Options& options);

}  // namespace uzawa::papers
