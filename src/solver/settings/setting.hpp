#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace uzawa {

struct Settings;

/// One field of Settings by name: for listings, and for generic code that reads and writes settings by name (command
/// line, other languages). Each struct of settings has a table of these; defaults are those of the struct.
struct Setting {
  enum class Kind { Number, Whole, Flag, Choice };

  const char* name;    ///< path of the field, as in canal.penalty
  Kind kind;           ///< Choice: a number into `choices`
  const char* unit;    ///< empty: none
  double least, most;  ///< sensible values, both bounds included; others are refused
  const char* reason;  ///< meaning, and why the default is what it is
  std::span<const char* const> choices;
  double (*get)(const Settings& settings);
  void (*set)(Settings& settings, double value);  ///< unchecked

  /// The value as assign() takes it: a number, true or false, the name of a choice.
  std::string text(const Settings& settings) const;
  /// Throws InputError that names setting and range where the text is no sensible value.
  void assign(Settings& settings, std::string_view text) const;
};
const char* to_string(Setting::Kind kind);

struct SettingRange {
  double least, most;
};

/// A field of the section of a method.
template <auto kSection, auto kField>
struct SectionField {
  static auto& in(auto& settings) { return settings.*kSection.*kField; }
};
/// A field of Settings itself.
template <auto kField>
struct CommonField {
  static auto& in(auto& settings) { return settings.*kField; }
};

/// A line of a table. Section tables are templates on the section's place, because Settings is complete only after
/// them.
template <typename Field>
constexpr Setting describe(const char* name, const char* unit, SettingRange range, const char* reason,
                           std::span<const char* const> choices = {}) {
  using Value = std::remove_cvref_t<decltype(Field::in(std::declval<Settings&>()))>;
  constexpr Setting::Kind kKind = std::is_same_v<Value, bool> ? Setting::Kind::Flag
                                  : std::is_enum_v<Value>     ? Setting::Kind::Choice
                                  : std::is_integral_v<Value> ? Setting::Kind::Whole
                                                              : Setting::Kind::Number;
  return {.name = name,
          .kind = kKind,
          .unit = unit,
          .least = range.least,
          .most = range.most,
          .reason = reason,
          .choices = choices,
          .get = [](const Settings& settings) { return static_cast<double>(Field::in(settings)); },
          .set =
              [](Settings& settings, double value) {
                if constexpr (kKind == Setting::Kind::Flag) {
                  Field::in(settings) = value != 0;
                } else if constexpr (kKind == Setting::Kind::Choice) {
                  Field::in(settings) = static_cast<Value>(static_cast<int>(value));
                } else {
                  Field::in(settings) = static_cast<Value>(value);
                }
              }};
}
/// A flag.
template <typename Field>
constexpr Setting describe(const char* name, const char* reason) {
  return describe<Field>(name, "", {0, 1}, reason);
}
/// A choice.
template <typename Field>
constexpr Setting describe(const char* name, std::span<const char* const> choices, const char* reason) {
  return describe<Field>(name, "", {0, static_cast<double>(choices.size()) - 1}, reason, choices);
}

}  // namespace uzawa
