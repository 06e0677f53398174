#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

constexpr double kLately = 5;       // s, of the past that a forecast looks at
constexpr double kFirstWord = 1;    // s, before which nothing is forecast
constexpr double kAgreement = 1.3;  // of two forecasts, below which one number is said

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

void finish_output() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (failed)
    throw InputError("standard output", "",
                     fmt::format("can't be written: {}", std::strerror(errno != 0 ? errno : EIO)));
}

void TimeLeft::note(double share, double seconds) {
  marks_.push_back({share, seconds});
  while (marks_.size() > 2 && marks_[1].seconds < seconds - kLately) marks_.pop_front();
}

std::string TimeLeft::text() const {
  if (marks_.empty() || marks_.back().seconds < kFirstWord || marks_.back().share <= 0) return "";
  const Mark &first = marks_.front(), &last = marks_.back();
  const double overall = last.seconds * (1 - last.share) / last.share;
  double lately = overall;
  if (last.share > first.share) lately = (last.seconds - first.seconds) * (1 - last.share) / (last.share - first.share);
  const auto [least, most] = std::minmax(overall, lately);
  const auto words = [](double seconds) {
    return seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
  };
  if (most <= kAgreement * least || words(least) == words(most)) return fmt::format("about {} to go", words(most));
  return fmt::format("{} to {} to go", words(least), words(most));
}

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
  left_.note(share, taken);
  const std::string left = left_.text();
  fmt::print(stderr, "\r\033[K[{:<40}] {:3.0f} %  {:.3f} s simulated{}{}", std::string(filled, '='), 100 * share, time,
             left.empty() ? "" : ", ", left);
}

}  // namespace uzawa::cli
