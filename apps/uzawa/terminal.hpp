#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <string>

namespace uzawa::cli {

/// While one lives, Ctrl-C (or a TERM signal) ends the solve at hand and the run after its step; a second one ends the
/// program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  /// The same for solves: Settings::stop.
  static const std::atomic<bool>& flag();

 private:
  using Handler = void (*)(int);
  Handler previous_interrupt_, previous_terminate_;
};

/// Throws InputError where standard output could not be written: who pipes it into a file must learn of a full disk.
void finish_output();

/// Forecast of the time that a run still takes, from how fast it has gone so far and how fast it has gone lately: steps
/// differ in price, and where the two disagree there is no one answer.
class TimeLeft {
 public:
  /// `share` of the run was done `seconds` after its start.
  void note(double share, double seconds);
  /// "about 12 s to go", "12 to 40 s to go"; empty before there is something to go by.
  std::string text() const;

 private:
  struct Mark {
    double share, seconds;
  };
  std::deque<Mark> marks_;  ///< of the last seconds, oldest first
};

/// One line on a terminal (stderr), redrawn ten times a second; nothing at all where stderr is no terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `share` of the run is done, 0 to 1; `time`: s, simulated.
  void show(double share, double time);

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  Clock::time_point start_ = Clock::now(), last_;
  TimeLeft left_;
};

}  // namespace uzawa::cli
