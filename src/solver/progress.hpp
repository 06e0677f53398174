#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Where a solve stands: the clock, the best impulses so far by the judge's word, the history. Shared by all methods,
/// so that "converged", "best iterate" and "out of time" mean the same for each.
class Progress {
 public:
  /// `best` is memory for the best impulses; `result` gets stats, v and verdict while it goes, and the rest in
  /// finish().
  Progress(const PreparedProblem& prepared, const Settings& settings, Judge& judge, std::vector<double>& best,
           Result& result);

  /// As said at best().
  static double measure(const Verdict& verdict, const Settings& settings);
  /// Fills `lambda` with what to start from and looks at it: the impulses given, true, or none. Those of a step that
  /// was cut short may be worse than none, and the next step, started from them and cut short again, makes them worse
  /// still, until bodies fly apart.
  bool start_from(const std::vector<double>& given, std::vector<double>& lambda);
  /// Judges impulses; true where they are the best so far.
  bool look_at(std::span<const double> lambda);
  /// What is compared with the tolerance: the judge's residual, or the Siconos error where that is asked for and
  /// larger.
  double best() const { return measure_; }
  double last_residual() const { return last_residual_; }  ///< of the last look
  bool converged() const { return measure_ <= settings_.tolerance; }
  bool out_of_time() const { return settings_.budget_us > 0 && seconds() * 1e6 >= settings_.budget_us; }
  /// Since the start, with the time that preparing the problem took.
  double seconds() const { return prepared_.seconds() + std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// Starts over: the next look is the best so far. Who wants to keep what was best keeps it.
  void forget() { measure_ = kUnknown; }
  /// Adds the last look to the history, where one is asked for.
  void record(double beta);

  /// The loop of a first-order method after start_from: step() until the judge is content, `limit` steps are done, or
  /// time is up; says which. look() is to call look_at where a step has been done, and record; that is at the start and
  /// every few steps, because judging costs about as much as a step, and at every step where a history is asked for.
  template <typename Step, typename Look>
  SolveStatus iterate(int limit, Step&& step, Look&& look) {
    look();
    bool late = false;
    while (!converged() && !late && result_.stats.iterations < limit) {
      step();
      const int done = ++result_.stats.iterations;
      late = out_of_time();
      if (settings_.history || late || done % kJudgeEvery == 0 || done == limit) look();
    }
    if (converged()) return SolveStatus::Converged;
    return late ? SolveStatus::TimeLimit : SolveStatus::IterationLimit;
  }

  /// Writes the answer: the best impulses, with v and the verdict that belong to them.
  void finish(SolveStatus status);
  /// The same with other impulses.
  void finish(SolveStatus status, const std::vector<double>& lambda);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kJudgeEvery = 10;     // steps
  static constexpr double kDoubtful = 1e-3;  // residual of a start; typical of none at all is 1e-2
  static constexpr double kUnknown = 1e300;  // measure before the first look

  const PreparedProblem& prepared_;
  const Settings& settings_;
  Judge& judge_;
  std::vector<double>& best_lambda_;
  Result& result_;
  Clock::time_point start_;
  double measure_ = kUnknown, last_residual_ = 0;
  int best_look_ = -1;  ///< of the judge's looks
  double judging_ = 0;  ///< s that looks took; counted where a history is asked for
};

}  // namespace uzawa
