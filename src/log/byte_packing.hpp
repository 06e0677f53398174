#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Numbers as compressed text: little-endian bytes, zlib, base64.
namespace uzawa {

static_assert(std::endian::native == std::endian::little, "bytes are stored as they are in memory");

std::string deflated(std::string_view bytes);
/// Throws std::runtime_error with the reason where the input is malformed.
std::string inflated(std::string_view bytes);

std::string to_base64(std::string_view bytes);
/// Throws std::runtime_error with the reason where the input is malformed.
std::string from_base64(std::string_view text);

class ByteWriter {
 public:
  template <typename T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  /// First the lowest bytes of all values, then the second ones, and so on: similar bytes are adjacent, which
  /// compresses well.
  template <typename T>
  void put_planes(std::span<const T> values) {
    for (std::size_t b = 0; b < sizeof(T); ++b) {
      for (const T value : values) bytes_.push_back(static_cast<char>((value >> (8 * b)) & 0xFFU));
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <typename T>
  std::vector<T> get_planes(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("it ends too early");  // before count * sizeof(T) overflows
    const std::string_view planes = take(count * sizeof(T));
    std::vector<T> values(count, 0);
    for (std::size_t b = 0; b < sizeof(T); ++b) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto byte = static_cast<unsigned char>(planes[b * count + i]);
        values[i] = static_cast<T>(values[i] | static_cast<T>(static_cast<T>(byte) << (8 * b)));
      }
    }
    return values;
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("it ends too early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace uzawa
