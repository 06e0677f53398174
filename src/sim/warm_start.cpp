#include "uzawa/sim/warm_start.hpp"

#include <algorithm>

namespace uzawa {

void WarmStart::fill(const Problem& problem, std::span<const std::uint64_t> keys, std::vector<double>& start) const {
  start.clear();
  if (entries_.empty()) return;
  start.assign(static_cast<std::size_t>(problem.rows), 0.0);
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const auto entry = std::lower_bound(entries_.begin(), entries_.end(), keys[c],
                                        [](const Entry& e, std::uint64_t key) { return e.key < key; });
    if (entry == entries_.end() || entry->key != keys[c]) continue;
    const int dims = problem.dims(static_cast<int>(c));
    std::copy_n(entry->impulse.begin(), dims, start.begin() + problem.constraints[c].row);
  }
}

void WarmStart::store(const Problem& problem, std::span<const std::uint64_t> keys, std::span<const double> lambda) {
  entries_.clear();
  for (std::size_t c = 0; c < keys.size(); ++c) {
    Entry& entry = entries_.emplace_back();
    entry.key = keys[c];
    const int dims = problem.dims(static_cast<int>(c));
    std::copy_n(lambda.begin() + problem.constraints[c].row, dims, entry.impulse.begin());
  }
  // Ties are broken by the impulses, so that the order is one of content alone.
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.impulse < b.impulse; });
}

}  // namespace uzawa
