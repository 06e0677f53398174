#include "text_table.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace uzawa::cli {

namespace {

constexpr std::size_t kIndent = 20;        // where the text of a row begins
constexpr std::size_t kLeastColumns = 20;  // of text; a narrower terminal breaks the lines itself

}  // namespace

int terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* given = std::getenv("COLUMNS");
  return given != nullptr ? std::max(0, std::atoi(given)) : 0;
}

std::string with_unit(double value, std::string_view unit) {
  constexpr std::array kPrefixes = {"n", "u", "m", "", "k", "M", "G"};
  constexpr int kPlain = 3;  // the prefix of 1
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  // Of the rounded number: 999.96 is 1e3.
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value) * (1 + 5e-4)) / 3));
  const int index = std::clamp(power + kPlain, 0, static_cast<int>(kPrefixes.size()) - 1);
  return fmt::format("{:.3g} {}{}", value * std::pow(10.0, -3 * (index - kPlain)),
                     kPrefixes[static_cast<std::size_t>(index)], unit);
}

void TextTable::row(std::string_view label, std::string_view text) const {
  const std::size_t width = static_cast<std::size_t>(width_);
  const std::size_t room = width >= kIndent + kLeastColumns ? width - kIndent : text.size();
  std::string line = fmt::format("  {:<16}  ", label);
  while (true) {
    std::size_t end = text.size();
    if (end > room) {
      end = text.rfind(' ', room);
      if (end == std::string_view::npos || end == 0) end = std::min(text.find(' ', room), text.size());
    }
    fmt::print("{}{}\n", line, text.substr(0, end));
    if (end >= text.size()) return;
    text.remove_prefix(end + 1);
    line.assign(kIndent, ' ');
  }
}

}  // namespace uzawa::cli
