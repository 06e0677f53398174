#include "uzawa/sim/warm_start.hpp"

#include <algorithm>
#include <numeric>

namespace uzawa {

void WarmStart::fill(const Problem& problem, std::span<const std::uint64_t> keys, std::vector<double>& start) {
  start.clear();
  if (entries_.empty()) return;
  start.assign(static_cast<std::size_t>(problem.rows), 0.0);
  std::size_t next = 0;
  for (std::size_t c = 0; c < keys.size(); ++c) {
    // Constraints come in much the order of the last step: what follows the last hit is tried first.
    if (next >= entries_.size() || entries_[next].key != keys[c]) {
      const std::size_t found = find(keys[c]);
      if (found == entries_.size()) continue;
      next = found;
    }
    const int dims = problem.dims(static_cast<int>(c));
    std::copy_n(entries_[next].impulse.begin(), dims, start.begin() + problem.constraints[c].row);
    ++next;
  }
}

std::size_t WarmStart::find(std::uint64_t key) {
  if (by_key_.empty()) {
    by_key_.resize(entries_.size());
    std::iota(by_key_.begin(), by_key_.end(), std::size_t{0});
    std::sort(by_key_.begin(), by_key_.end(), [&](std::size_t a, std::size_t b) {
      return entries_[a].key != entries_[b].key ? entries_[a].key < entries_[b].key : a < b;
    });
  }
  const auto place = std::lower_bound(by_key_.begin(), by_key_.end(), key,
                                      [&](std::size_t entry, std::uint64_t k) { return entries_[entry].key < k; });
  return place == by_key_.end() || entries_[*place].key != key ? entries_.size() : *place;
}

void WarmStart::store(const Problem& problem, std::span<const std::uint64_t> keys, std::span<const double> lambda) {
  clear();
  for (std::size_t c = 0; c < keys.size(); ++c) {
    Entry& entry = entries_.emplace_back();
    entry.key = keys[c];
    const int dims = problem.dims(static_cast<int>(c));
    std::copy_n(lambda.begin() + problem.constraints[c].row, dims, entry.impulse.begin());
  }
  by_key_.reserve(entries_.capacity());  // not in a later step
}

}  // namespace uzawa
