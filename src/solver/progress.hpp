#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "uzawa/base/deadline.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// State of a solve: elapsed time, the best iterate so far by the judge's residual, the history. Shared by all methods,
/// so that "converged", "best iterate" and "out of time" mean the same for each.
class Progress {
 public:
  static constexpr int kJudgeEvery = 10;  ///< steps of a first-order method

  /// `best` is memory for the best impulses; `result` gets statistics and v during the solve, and the rest in finish().
  Progress(const PreparedProblem& prepared, const Settings& settings, Judge& judge, std::vector<double>& best,
           Result& result);

  /// Error of a verdict that is compared with the tolerance; see best().
  static double measure(const Verdict& verdict, const Settings& settings);
  /// Fills `lambda` with the first iterate and judges it: the given impulses (warm start, true) or zero (cold start,
  /// false). A warm start whose residual is above kDoubtful is used only where it is better than zero: impulses of a
  /// solve that ran out of time may be worse, and errors would grow from step to step until the simulation diverges.
  bool start_from(const std::vector<double>& given, std::vector<double>& lambda);
  /// Given impulses that start_from has turned down are no nonsense: all but a few may be right.
  bool start_is_worth_a_try() const { return start_residual_ <= kNonsense * last_residual_; }
  /// Judges impulses; true where they are the best so far.
  bool look_at(std::span<const double> lambda);
  /// Error of the best iterate, which is compared with the tolerance: the judge's residual, or the Siconos error where
  /// settings.require_siconos is set and it is larger.
  double best() const { return measure_; }
  double last_residual() const { return last_residual_; }  ///< of the last look
  bool converged() const { return measure_ <= settings_.tolerance; }
  /// Adds to Stats::work.
  void spend(double work) { result_.stats.work += work; }
  bool out_of_work() const { return settings_.work > 0 && result_.stats.work >= settings_.work; }
  const Deadline& deadline() const { return deadline_; }
  /// Time or work is used up, or somebody asks for an end.
  bool must_end() const { return out_of_work() || deadline_.has_passed(); }
  /// Status of a solve that has not converged: why it had to end, or `otherwise`.
  SolveStatus ending(SolveStatus otherwise) const;
  /// Wall time since the start, including that of preparing the problem, s.
  double seconds() const { return prepared_.seconds() + std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// Discards the error of the best iterate: the next iterate judged becomes the best. Callers that need the old best
  /// impulses must copy them before.
  void forget() { measure_ = kUnknown; }
  /// Adds the last judged iterate to the history, if settings.history is set.
  void record(double beta);

  /// The loop of a method after start_from: calls step() until the tolerance is met, `limit` steps are
  /// done, or time is up; returns which of these ended it. look() must call look_at (if a step has been done) and
  /// record. It is called at the start and every `judge_every` steps (judging costs about as much as a step of a
  /// first-order method), and after every step if a history is recorded.
  template <typename Step, typename Look>
  SolveStatus iterate(int limit, Step&& step, Look&& look, int judge_every = kJudgeEvery) {
    look();
    bool late = false;
    while (!converged() && !late && result_.stats.iterations < limit) {
      step();
      const int done = ++result_.stats.iterations;
      late = must_end();
      if (settings_.history || late || done % judge_every == 0 || done == limit) look();
    }
    return converged() ? SolveStatus::Converged : ending(SolveStatus::IterationLimit);
  }

  /// The same with the method's own criterion: until done() or another end, and the judge is asked only then. A status
  /// of Converged is the judge's word all the same.
  template <typename Step, typename Look, typename Done>
  SolveStatus iterate_until(int limit, Step&& step, Look&& look, Done&& done) {
    look();
    bool ends = converged() || limit <= 0;
    while (!ends) {
      step();
      ++result_.stats.iterations;
      ends = done() || result_.stats.iterations >= limit || must_end();
      if (settings_.history || ends) look();
    }
    return converged() ? SolveStatus::Converged : ending(SolveStatus::IterationLimit);
  }

  /// Writes the result: the best impulses, with their v and verdict.
  void finish(SolveStatus status);
  /// The same with other impulses.
  void finish(SolveStatus status, const std::vector<double>& lambda);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kDoubtful = 1e-3;  // residual of a warm start; a cold start typically has 1e-2
  static constexpr double kNonsense = 1e3;   // residuals of no impulses; 10 would turn down stacks of 1 : 1e4 masses
  static constexpr double kUnknown = 1e300;  // measure before the first look

  const PreparedProblem& prepared_;
  const Settings& settings_;
  Judge& judge_;
  std::vector<double>& best_lambda_;
  Result& result_;
  Clock::time_point start_;
  Deadline deadline_;
  double measure_ = kUnknown, last_residual_ = 0, start_residual_ = 0;
  int best_look_ = -1;  ///< Judge::looks() at the best iterate
  double judging_ = 0;  ///< s spent in the judge; measured if a history is recorded
};

}  // namespace uzawa
