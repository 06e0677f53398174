#pragma once

#include <cstddef>

namespace uzawa {

/// Converts an int index to the unsigned index type of the standard library.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace uzawa
