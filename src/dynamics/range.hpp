#pragma once

#include <algorithm>
#include <optional>

#include "uzawa/model/spec.hpp"

/// Optional ranges of controls and forces.
namespace uzawa {

inline double clamp_to(const std::optional<Range>& range, double value) {
  return range ? std::clamp(value, range->lower, range->upper) : value;
}
inline bool is_inside(const std::optional<Range>& range, double value) {
  return !range || (value > range->lower && value < range->upper);
}

}  // namespace uzawa
