#include "uzawa/base/error.hpp"

#include <cctype>
#include <utility>

namespace uzawa {

namespace {

std::string join(const std::string& source, const std::string& element, const std::string& reason) {
  std::string text;
  for (const std::string* part : {&source, &element, &reason}) {
    if (part->empty()) continue;
    if (!text.empty()) text += ": ";
    text += *part;
  }
  return one_line(text);
}

}  // namespace

InputError::InputError(std::string source, std::string element, std::string reason)
    : std::runtime_error(join(source, element, reason)),
      source_(std::move(source)),
      element_(std::move(element)),
      reason_(std::move(reason)) {}

std::string one_line(const std::string& text) {
  std::string out;
  bool blank_pending = false;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      blank_pending = !out.empty();
    } else {
      if (blank_pending) out += ' ';
      blank_pending = false;
      // Control bytes of a damaged file must not reach a terminal.
      out += std::iscntrl(static_cast<unsigned char>(c)) != 0 ? '?' : c;
    }
  }
  return out;
}

}  // namespace uzawa
