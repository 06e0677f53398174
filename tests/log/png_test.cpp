/// PNG files, read back by the format's own words.
#include "uzawa/log/png.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "uzawa/log/byte_packing.hpp"

namespace uzawa::test {
namespace {

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < 4; ++k) out = out << 8U | static_cast<unsigned char>(bytes[at + k]);
  return out;
}

/// Bit by bit, as the appendix of the format has it.
std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1U ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
  }
  return ~crc;
}

int paeth(int a, int b, int c) {
  const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<unsigned char> rgb;
};

Picture read(const std::string& png) {
  Picture out;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t size = big_endian(png, at);
    const std::string name = png.substr(at + 4, 4), data = png.substr(at + 8, size);
    EXPECT_EQ(big_endian(png, at + 8 + size), checksum(name + data)) << name;
    if (name == "IHDR") {
      out.width = big_endian(data, 0);
      out.height = big_endian(data, 4);
      EXPECT_EQ(data.substr(8), std::string("\x08\x02\x00\x00\x00", 5));
    }
    if (name == "IDAT") packed += data;
    at += 12 + size;
  }
  const std::string rows = inflated(packed);
  const std::size_t stride = 3 * out.width;
  EXPECT_EQ(rows.size(), (stride + 1) * out.height);
  out.rgb.resize(stride * out.height);
  for (std::size_t y = 0; y < out.height; ++y) {
    for (std::size_t i = 0; i < stride; ++i) {
      const int left = i < 3 ? 0 : out.rgb[y * stride + i - 3];
      const int above = y == 0 ? 0 : out.rgb[(y - 1) * stride + i];
      const int corner = i < 3 || y == 0 ? 0 : out.rgb[(y - 1) * stride + i - 3];
      const int guesses[] = {0, left, above, (left + above) / 2, paeth(left, above, corner)};
      const auto raw = static_cast<unsigned char>(rows[y * (stride + 1) + 1 + i]);
      out.rgb[y * stride + i] = static_cast<unsigned char>(raw + guesses[static_cast<int>(rows[y * (stride + 1)])]);
    }
  }
  return out;
}

TEST(Png, HoldsThePixels) {
  std::mt19937 random(1);
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {64, 3}, {2, 40}}) {
    std::vector<unsigned char> noise(static_cast<std::size_t>(3 * width * height)), slope = noise;
    for (std::size_t i = 0; i < noise.size(); ++i) {
      noise[i] = static_cast<unsigned char>(random());
      slope[i] = static_cast<unsigned char>(i / 2 + i / 50);
    }
    for (const auto& rgb : {noise, slope}) {
      const Picture picture = read(to_png(width, height, rgb));
      EXPECT_EQ(picture.width, width);
      EXPECT_EQ(picture.height, height);
      EXPECT_EQ(picture.rgb, rgb) << width << " x " << height;
    }
  }
}

TEST(Png, GradientsAreSmall) {
  std::vector<unsigned char> rgb;
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x)
      rgb.insert(rgb.end(), {static_cast<unsigned char>(x), static_cast<unsigned char>(y), 9});
  }
  EXPECT_LT(to_png(256, 256, rgb).size(), rgb.size() / 50);
}

}  // namespace
}  // namespace uzawa::test
