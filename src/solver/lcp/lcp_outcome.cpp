#include "uzawa/solver/lcp/lcp_outcome.hpp"

#include <algorithm>
#include <utility>

namespace uzawa {

const char* to_string(LcpEnd end) {
  switch (end) {
    case LcpEnd::Solved: return "solved";
    case LcpEnd::NoSolution: return "no-solution";
    case LcpEnd::Cycle: return "cycle";
    case LcpEnd::Error: return "error";
    case LcpEnd::PivotLimit: return "pivot-limit";
    case LcpEnd::NodeLimit: return "node-limit";
    case LcpEnd::Stopped: return "stopped";
    case LcpEnd::BadInput: return "bad-input";
  }
  return "";
}

void HashSet::clear() {
  std::fill(slots_.begin(), slots_.end(), 0U);
  count_ = 0;
}

bool HashSet::insert(std::uint64_t hash) {
  if (hash == 0) hash = 1;
  if (2 * (count_ + 1) > slots_.size()) grow();
  std::size_t i = hash & (slots_.size() - 1);
  while (slots_[i] != 0 && slots_[i] != hash) i = (i + 1) & (slots_.size() - 1);
  if (slots_[i] == hash) return false;
  slots_[i] = hash;
  ++count_;
  return true;
}

void HashSet::grow() {
  std::vector<std::uint64_t> old =
      std::exchange(slots_, std::vector<std::uint64_t>(std::max<std::size_t>(2048, 2 * slots_.size())));
  count_ = 0;
  for (const std::uint64_t hash : old) {
    if (hash != 0) insert(hash);
  }
}

}  // namespace uzawa
