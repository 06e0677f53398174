#pragma once

#include <atomic>
#include <chrono>

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
};

}  // namespace uzawa::cli
