#pragma once

#include <cmath>
#include <string>

#include "uzawa/base/error.hpp"
#include "uzawa/model/spec.hpp"

namespace uzawa {

/// Checks of one element; every complaint names the file and the element.
class ElementCheck {
 public:
  ElementCheck(const ModelSpec& spec, const char* kind, std::size_t index, const std::string& name)
      : source_(spec.source),
        label_(std::string(kind) + ' ' + (name.empty() ? '#' + std::to_string(index) : "'" + name + "'")) {}

  void require(bool condition, const std::string& reason) const {
    if (!condition) throw InputError(source_, label_, reason);
  }
  void finite(const char* field, double value) const {
    require(std::isfinite(value), std::string(field) + " is not a finite number");
  }
  void finite(const char* field, const Vec3& value) const {
    require(all_finite(value), std::string(field) + " is not finite");
  }
  void finite(const char* field, const Quat& value) const {
    finite(field, value.w);
    finite(field, value.v);
  }
  template <typename Numbers>
  void all_finite_in(const char* field, const Numbers& values) const {
    for (const auto value : values) finite(field, static_cast<double>(value));
  }
  void not_negative(const char* field, double value) const {
    finite(field, value);
    require(value >= 0, std::string(field) + " is negative");
  }
  void ordered(const char* field, const std::optional<Range>& range) const {
    if (!range) return;
    finite(field, range->lower);
    finite(field, range->upper);
    require(range->lower <= range->upper, std::string(field) + " is empty (lower bound above upper bound)");
  }
  void index(const char* field, int value, std::size_t count, int lowest = 0) const {
    require(value >= lowest && value < static_cast<int>(count),
            std::string(field) + " " + std::to_string(value) + " does not exist");
  }

 private:
  const std::string& source_;
  std::string label_;
};

/// Parts of validate(ModelSpec): bodies and joints have been checked before.
void check_soft_bodies(const ModelSpec& spec);
void check_rods(const ModelSpec& spec);
void check_appearance(const ModelSpec& spec);

}  // namespace uzawa
