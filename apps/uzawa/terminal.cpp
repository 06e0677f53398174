#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace uzawa::cli {

namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a handler could not set it

void ask_to_stop(int signal) {
  stop_asked = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard()
    : previous_interrupt_((stop_asked = false, std::signal(SIGINT, ask_to_stop))),
      previous_terminate_(std::signal(SIGTERM, ask_to_stop)) {}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, previous_interrupt_);
  std::signal(SIGTERM, previous_terminate_);
}

bool InterruptGuard::interrupted() { return stop_asked; }

const std::atomic<bool>& InterruptGuard::flag() { return stop_asked; }

ProgressBar::ProgressBar() : shown_(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(double share, double time) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const auto filled = static_cast<std::size_t>(40 * std::clamp(share, 0.0, 1.0));
  const double taken = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K[{:<40}] {:3.0f} %  {:.3f} s simulated, {:.0f} s to go", std::string(filled, '='),
             100 * share, time, share > 0 ? taken * (1 - share) / share : 0.0);
}

}  // namespace uzawa::cli
