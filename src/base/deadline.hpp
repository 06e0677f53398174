#pragma once

#include <atomic>
#include <chrono>

namespace uzawa {

/// When a computation has to end early: at a point in time, or as soon as another thread or a signal handler says so.
struct Deadline {
  using Clock = std::chrono::steady_clock;

  Clock::time_point time = Clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;  ///< true: now. Null: nobody asks.

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
  bool has_passed() const { return is_stopped() || (time != Clock::time_point::max() && Clock::now() >= time); }
};

}  // namespace uzawa
