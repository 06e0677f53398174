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
  double worst() const;
  /// Median over the solved ones: iterations, Newton steps, us.
  struct Effort {
    double iterations = 0, newton = 0, microseconds = 0;
  };
  Effort effort() const;
  /// us of an iteration, from the first to the `count`-th; median.
  double iteration_us(int first, int count) const;
};

/// CANAL as it is and as published, SubADMM, PGS, each with as many iterations as its curve needs.
std::vector<Contender> single_step_contenders();
std::vector<Record> record_all(const std::vector<Case>& cases, const Options& options);

/// The tables and curves that are the same for all tests of the kind.
void add_single_step_tables(const std::vector<Record>& records, Report& report);
/// What CANAL took to 1e-8, in words: "100 of 100; median 12 Newton steps, 130 us".
std::string effort_text(const Record& record);

}  // namespace uzawa::papers
