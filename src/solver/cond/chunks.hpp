#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "uzawa/base/thread_pool.hpp"

namespace uzawa {

/// Loops over long vectors in chunks that depend on the length alone: sums have the same bits for any number of
/// threads.
class Chunks {
 public:
  void prepare(std::size_t size, ThreadPool* pool) {
    size_ = size;
    pool_ = pool;
    partial_.resize((size + kChunk - 1) / kChunk);
  }
  /// Calls work(begin, end) for all chunks.
  template <typename Work>
  void for_each(Work&& work) const {
    const int count = static_cast<int>(partial_.size());
    const auto task = [&](int i) {
      const std::size_t begin = static_cast<std::size_t>(i) * kChunk;
      work(begin, std::min(size_, begin + kChunk));
    };
    if (pool_ != nullptr && count >= kWorthSharing) {
      pool_->for_each(count, task);
    } else {
      for (int i = 0; i < count; ++i) task(i);
    }
  }
  /// The sum over i of term(i).
  template <typename Term>
  double sum(Term&& term) {
    for_each([&](std::size_t begin, std::size_t end) {
      double part = 0;
      for (std::size_t i = begin; i < end; ++i) part += term(i);
      partial_[begin / kChunk] = part;
    });
    double total = 0;
    for (const double part : partial_) total += part;
    return total;
  }

 private:
  static constexpr std::size_t kChunk = 1024;
  static constexpr int kWorthSharing = 6;
  std::size_t size_ = 0;
  ThreadPool* pool_ = nullptr;
  std::vector<double> partial_;
};

}  // namespace uzawa
