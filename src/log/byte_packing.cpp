#include "uzawa/log/byte_packing.hpp"

#include <zlib.h>

#include <array>

namespace uzawa {

namespace {

constexpr int kLevel = 6;
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;  // of one inflated text: no bomb fills the memory
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kNoDigit = -1;

const std::array<int, 256>& digit_values() {
  static const std::array<int, 256> values = [] {
    std::array<int, 256> out{};
    out.fill(kNoDigit);
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
      out[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
    }
    return out;
  }();
  return values;
}

}  // namespace

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                             bytes.size(), kLevel);
  if (code != Z_OK) throw std::runtime_error("can't be compressed: out of memory");
  out.resize(size);
  return out;
}

std::string inflated(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::runtime_error("can't be read: out of memory");
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::vector<char> piece(1U << 16U);
  int code = Z_OK;
  while (code == Z_OK && out.size() < kMostBytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("its compressed data are damaged or truncated");
  return out;
}

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned triple = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      triple = triple << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out.push_back(k <= count ? kDigits[(triple >> (18 - 6 * k)) & 63U] : '=');
    }
  }
  return out;
}

std::string from_base64(std::string_view text) {
  if (text.size() % 4 != 0) throw std::runtime_error("its base64 text is truncated");
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() / 4 * 3);
  unsigned bits = 0;
  int count = 0;
  for (const char letter : text) {
    const int value = digit_values()[static_cast<unsigned char>(letter)];
    if (value == kNoDigit) throw std::runtime_error("its base64 text is damaged");
    bits = bits << 6U | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU));
  }
  return out;
}

}  // namespace uzawa
