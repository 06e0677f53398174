#include "webp.hpp"

#include <cmath>
#include <cstdint>

#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

constexpr std::size_t kFileHeader = 12;  // "RIFF", size, "WEBP"
constexpr char kAnimated = 0x02;         // flag of the extended header
constexpr char kReplace = 0x02;          // flag of a picture: nothing of the last one shines through

/// Lowest byte first.
std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8U * static_cast<unsigned>(i))) & 0xFFU));
  return out;
}

/// Contents of odd length are followed by a zero.
std::string chunk(const std::string& name, const std::string& content) {
  return name + number(content.size(), 4) + content + (content.size() % 2 == 1 ? std::string(1, '\0') : "");
}

std::uint64_t less_one(int size) { return static_cast<std::uint64_t>(size - 1); }

}  // namespace

void MovingPicture::add(const std::string& file) {
  const bool good = file.size() > kFileHeader && file.starts_with("RIFF") && file.substr(8, 4) == "WEBP";
  if (!good) throw InputError("", "moving picture", "the browser makes no WebP pictures");
  pictures_.push_back(file.substr(kFileHeader));
}

std::string MovingPicture::bytes() const {
  const std::string size = number(less_one(width_), 3) + number(less_one(height_), 3);
  std::string body = "WEBP" + chunk("VP8X", kAnimated + std::string(3, '\0') + size);
  body += chunk("ANIM", number(0xFFFFFFFF, 4) + number(0, 2));  // background; 0: for ever
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const auto time = [&](std::size_t k) { return std::llround(1e3 * static_cast<double>(k) / rate_); };  // ms
    const auto duration = static_cast<std::uint64_t>(time(i + 1) - time(i));
    body += chunk("ANMF", number(0, 6) + size + number(duration, 3) + kReplace + pictures_[i]);
  }
  return chunk("RIFF", body);
}

}  // namespace uzawa::cli
