#pragma once

#include <span>
#include <string>

namespace uzawa {

/// A picture of 3 bytes a pixel (red, green, blue), row by row from the top, as PNG.
std::string to_png(int width, int height, std::span<const unsigned char> rgb);

}  // namespace uzawa
