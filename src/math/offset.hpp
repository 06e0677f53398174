#pragma once

#include <cstddef>
#include <cstdint>

namespace uzawa {

/// Index of an array element, kept as a byte offset: saves a multiplication in loops with random access.
template <typename T>
class Offset {
 public:
  Offset() = default;
  explicit Offset(int index) : bytes_(static_cast<std::uint32_t>(index) * std::uint32_t{sizeof(T)}) {}

  const T& in(const T* data) const {
    return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(data) + bytes_);
  }
  T& in(T* data) const { return *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(data) + bytes_); }
  bool operator==(const Offset&) const = default;

 private:
  std::uint32_t bytes_ = 0;
};

}  // namespace uzawa
