#pragma once

#include <string>
#include <string_view>

namespace uzawa::cli {

/// Columns of the terminal that standard output goes to; where it goes elsewhere, what COLUMNS says, else 0: no limit.
int terminal_width();

/// "2.93 s", "71.8 us": three digits and the prefix that keeps the number between 1 and 1000.
std::string with_unit(double value, std::string_view unit);

/// Prints "  label             text". Text that does not fit the width goes on below itself, broken at blanks; an empty
/// label continues the row above.
class TextTable {
 public:
  explicit TextTable(int width = terminal_width()) : width_(width) {}
  void row(std::string_view label, std::string_view text) const;

 private:
  int width_;
};

}  // namespace uzawa::cli
