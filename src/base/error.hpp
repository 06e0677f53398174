#pragma once

#include <stdexcept>
#include <string>

namespace uzawa {

/// Bad input (first of the three error tiers): a file, an argument, a size, a NaN. Thrown at the boundary where
/// the input enters, with one line that names the source (usually a file), the element in it and the reason.
/// The other tiers do not throw: broken invariants `assert`, numerical trouble is counted and returned in a status.
class InputError : public std::runtime_error {
 public:
  InputError(std::string source, std::string element, std::string reason);

  const std::string& source() const { return source_; }
  const std::string& element() const { return element_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string source_, element_, reason_;
};

/// The text with every run of white space (line breaks included) folded into one blank, so that a message of
/// another library fits our one-line rule.
std::string one_line(const std::string& text);

}  // namespace uzawa
