#include "uzawa/solver/settings/setting.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

std::string shortest(double value) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

/// Values that are accepted, for messages.
std::string expected(const Setting& setting) {
  if (setting.kind == Setting::Kind::Flag) return "true or false";
  if (setting.kind != Setting::Kind::Choice) {
    const char* noun = setting.kind == Setting::Kind::Whole ? "a whole number" : "a number";
    return std::string(noun) + " from " + shortest(setting.least) + " to " + shortest(setting.most);
  }
  std::string names;
  for (const char* choice : setting.choices) names += (names.empty() ? "" : ", ") + std::string(choice);
  return "one of " + names;
}

/// NaN where the text is no value of that kind.
double parse(const Setting& setting, std::string_view text) {
  if (setting.kind == Setting::Kind::Flag) return text == "true" ? 1 : (text == "false" ? 0 : NAN);
  if (setting.kind == Setting::Kind::Choice) {
    const auto it = std::find(setting.choices.begin(), setting.choices.end(), text);
    return it == setting.choices.end() ? NAN : static_cast<double>(it - setting.choices.begin());
  }
  double value = NAN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return NAN;
  return setting.kind == Setting::Kind::Whole && value != std::trunc(value) ? NAN : value;
}

}  // namespace

const char* to_string(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::Number: return "number";
    case Setting::Kind::Whole: return "whole";
    case Setting::Kind::Flag: return "flag";
    case Setting::Kind::Choice: return "choice";
  }
  return "";
}

std::string Setting::text(const Settings& settings) const {
  const double value = get(settings);
  if (kind == Kind::Flag) return value != 0 ? "true" : "false";
  if (kind == Kind::Choice) return choices[static_cast<std::size_t>(value)];
  return shortest(value);
}

void Setting::assign(Settings& settings, std::string_view text) const {
  const double value = parse(*this, text);
  if (!(value >= least && value <= most)) {
    throw InputError("", "setting '" + std::string(name) + "'",
                     "should be " + expected(*this) + ", not '" + std::string(text) + "'");
  }
  set(settings, value);
}

}  // namespace uzawa
