#include "uzawa/log/png.hpp"

#include <zlib.h>

#include <array>
#include <cstdlib>
#include <limits>

#include "uzawa/log/byte_packing.hpp"

namespace uzawa {

namespace {

constexpr std::size_t kChannels = 3;

void put_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((value >> shift) & 0xFFU));
}

void put_chunk(std::string& out, std::string_view name, std::string_view data) {
  put_big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out.append(name).append(data);
  const auto* bytes = reinterpret_cast<const Bytef*>(out.data() + begin);
  put_big_endian(out, static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(out.size() - begin))));
}

/// What each filter of the format expects of a byte, from those left of it, above it, and above that one.
constexpr int kFilters = 5;
int expected(int filter, int left, int above, int corner) {
  switch (filter) {
    case 1: return left;
    case 2: return above;
    case 3: return (left + above) / 2;
    case 4: {  // Paeth: the nearest to left + above - corner
      const int by_left = std::abs(above - corner), by_above = std::abs(left - corner);
      const int by_corner = std::abs(left + above - 2 * corner);
      if (by_left <= by_above && by_left <= by_corner) return left;
      return by_above <= by_corner ? above : corner;
    }
    default: return 0;
  }
}

/// A row with the filter that leaves the smallest differences, which compress best.
std::string filtered(std::span<const unsigned char> row, std::span<const unsigned char> above) {
  std::string best;
  long least = std::numeric_limits<long>::max();
  for (int filter = 0; filter < kFilters; ++filter) {
    std::string out(1, static_cast<char>(filter));
    long sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int left = i < kChannels ? 0 : row[i - kChannels];
      const int corner = i < kChannels || above.empty() ? 0 : above[i - kChannels];
      const auto left_over =
          static_cast<std::uint8_t>(row[i] - expected(filter, left, above.empty() ? 0 : above[i], corner));
      sum += std::abs(static_cast<std::int8_t>(left_over));
      out.push_back(static_cast<char>(left_over));
    }
    if (sum >= least) continue;
    least = sum;
    best = std::move(out);
  }
  return best;
}

}  // namespace

std::string to_png(int width, int height, std::span<const unsigned char> rgb) {
  std::string header;
  put_big_endian(header, static_cast<std::uint32_t>(width));
  put_big_endian(header, static_cast<std::uint32_t>(height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue; deflate, filters by row, not interlaced
  std::string rows;
  const std::size_t stride = kChannels * static_cast<std::size_t>(width);
  std::span<const unsigned char> above;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    const auto row = rgb.subspan(y * stride, stride);
    rows += filtered(row, above);
    above = row;
  }
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", deflated(rows));
  put_chunk(out, "IEND", "");
  return out;
}

}  // namespace uzawa
