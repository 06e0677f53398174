#pragma once

#include <cstddef>

namespace uzawa {

/// An index of ours, which is an int, as the standard library wants it.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace uzawa
