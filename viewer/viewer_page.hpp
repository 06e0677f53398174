#pragma once

#include <string_view>

namespace uzawa {

/// The viewer as one HTML page, made by the build; empty where that was configured with UZAWA_VIEWER=OFF.
std::string_view viewer_page();

}  // namespace uzawa
