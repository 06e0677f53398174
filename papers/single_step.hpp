#pragma once

#include <string>
#include <vector>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/cases.hpp"
#include "uzawa/papers/contender.hpp"

/// Single-step tests ([AL] section VII-A.1 and B.1): the same problems for all methods, residual over time and over
/// iterations.
namespace uzawa::papers {

inline constexpr double kSolved = 1e-8;
inline constexpr int kFirstOrderIterations = 1000;  ///< that SubADMM and PGS get
inline constexpr int kCosted = 100;  ///< iterations over which their cost is averaged, preparation included; or all

/// What is counted, for a reader.
inline constexpr const char* kSingleStepText =
    "All methods start from nothing; the judge's work is not counted. An iteration of SubADMM goes once through all "
    "constraints and subsystems, one of PGS is a sweep over all constraints. An iteration of CANAL in its published "
    "form is a loop, with several Newton steps inside. Our default form tries Newton on velocities and impulses at "
    "once before its first loop (on crowded piles after the last); there each Newton step, and each stretch of 50 "
    "first-order steps between them, counts as an iteration. us an iteration: of the first 100, or of all where there "
    "are fewer, preparation included.";

/// How a method went about one problem: best residual so far, by iteration.
struct Run {
  std::vector<double> residual, seconds;  ///< after each iteration; seconds since the start, preparation included
  std::vector<int> inner;                 ///< Newton steps so far

  /// Best residual within a time, or after a number of iterations; 1 before the first.
  double at_time(double limit) const;
  double at_iteration(int count) const;
  /// Iterations to 1e-8; -1: never.
  int solved_after() const;
};

/// All problems with one method, from cold starts.
struct Record {
  Contender contender;
  std::vector<Run> runs;

  double median_at_time(double limit) const;
  double median_at_iteration(int count) const;
  int solved() const;  ///< how many
  bool all_solved() const;
  double worst() const;
  /// Median over the solved ones: iterations, Newton steps, us.
  struct Effort {
    double iterations = 0, newton = 0, microseconds = 0;
  };
  Effort effort() const;
  /// us of an iteration, from number `first` (from 0 on) to the `count`-th; median.
  double iteration_us(int first = 0, int count = kCosted) const;
};

/// CANAL as it is and as published, SubADMM, PGS, SubADMM as published, each with as many iterations as its curve
/// needs.
std::vector<Contender> single_step_contenders();
std::vector<Record> record_all(const std::vector<Case>& cases, const Options& options);

/// The tables and curves that are the same for all tests of the kind.
void add_single_step_tables(const std::vector<Record>& records, Report& report);
/// The claims that compare them, SubADMM and PGS by the same yardsticks. What refers to CANAL's time does not hold
/// where CANAL leaves a case unsolved.
void add_comparison_claims(const std::vector<Record>& records, Report& report);
/// What a method took to 1e-8, in words: "100 of 100; median 12 iterations with 12 Newton steps, 130 us; ...".
std::string effort_text(const Record& record);
/// A first-order method's median residuals, in words: after the time that CANAL takes, and after iterations.
std::string standing_text(const Record& record, const Record& canal);

}  // namespace uzawa::papers
