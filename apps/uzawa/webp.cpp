#include "webp.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

constexpr std::size_t kFileHeader = 12;  // "RIFF", size, "WEBP"
constexpr std::size_t kChunkHeader = 8;  // name, size
constexpr char kAnimated = 0x02;         // flags of the extended header
constexpr char kAlpha = 0x10;
constexpr char kReplace = 0x02;  // flag of a picture: nothing of the last one shines through

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

/// Of a file, the chunks that a picture of a moving one may have: no header of its own, no colour profile. Empty: there
/// are none.
std::string picture_chunks(const std::string& file) {
  std::string out;
  for (std::size_t at = kFileHeader; at + kChunkHeader <= file.size();) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= std::size_t{static_cast<unsigned char>(file[at + 4 + i])} << (8 * i);
    if (size > file.size() - at - kChunkHeader) return "";
    const std::string name = file.substr(at, 4);
    if (name == "ALPH" || name == "VP8 " || name == "VP8L") out += chunk(name, file.substr(at + kChunkHeader, size));
    at += kChunkHeader + size + size % 2;
  }
  return out;
}

std::uint64_t less_one(int size) { return static_cast<std::uint64_t>(size - 1); }

}  // namespace

void MovingPicture::add(const std::string& file) {
  const bool is_webp = file.size() > kFileHeader && file.starts_with("RIFF") && file.substr(8, 4) == "WEBP";
  std::string chunks = is_webp ? picture_chunks(file) : "";
  if (chunks.empty()) throw InputError("", "moving picture", "the browser makes no WebP pictures");
  has_alpha_ = has_alpha_ || chunks.starts_with("ALPH");
  pictures_.push_back(std::move(chunks));
}

std::string MovingPicture::bytes() const {
  const std::string size = number(less_one(width_), 3) + number(less_one(height_), 3);
  const char flags = static_cast<char>(has_alpha_ ? kAnimated | kAlpha : kAnimated);
  std::string body = "WEBP" + chunk("VP8X", flags + std::string(3, '\0') + size);
  body += chunk("ANIM", number(0xFFFFFFFF, 4) + number(0, 2));  // background; 0: for ever
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const auto time = [&](std::size_t k) { return std::llround(1e3 * static_cast<double>(k) / rate_); };  // ms
    const auto duration = static_cast<std::uint64_t>(time(i + 1) - time(i));
    body += chunk("ANMF", number(0, 6) + size + number(duration, 3) + kReplace + pictures_[i]);
  }
  return chunk("RIFF", body);
}

}  // namespace uzawa::cli
