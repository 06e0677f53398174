#pragma once

#include <chrono>

namespace uzawa {

/// Adds the time since the last lap to a stage.
class StopWatch {
 public:
  void start() { last_ = Clock::now(); }
  void lap(double& stage) {
    const Clock::time_point now = Clock::now();
    stage += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace uzawa
