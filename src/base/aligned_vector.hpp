#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace uzawa {

/// Allocates at cache-line boundaries: loading a register of eight numbers across two lines takes twice as long.
template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <typename U>
  LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* data, std::size_t) { ::operator delete(data, kLine); }
  bool operator==(const LineAllocator&) const { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

}  // namespace uzawa
