#pragma once

#include <span>
#include <vector>

#include "uzawa/math/six.hpp"

namespace uzawa {

/// Slots for impulses (pushes) on links, and their sums link by link. Links with equal numbers of pushes are summed one
/// after the other: loops whose length varies from link to link cause branch mispredictions.
class PushSums {
 public:
  /// Slots of link i: [start[i], start[i + 1]). Removes all parts.
  void place(std::span<const int> start);
  /// Adds a part: links that one thread sums at once. Returns the part's number.
  int add_part(std::span<const int> links);
  int add_spare_slot();

  void add_up(int part);

  Six* slots() { return push_.data(); }
  const Six* pushes() const { return push_.data(); }
  /// Per link, index of the sum of its pushes: its only slot, the result of add_up, or a zero.
  const std::vector<int>& sources() const { return source_; }
  const Six& sum_on(int link) const { return push_[static_cast<std::size_t>(source_[static_cast<std::size_t>(link)])]; }

 private:
  struct Sum {
    int first, into;
  };
  /// Sums of `length` pushes: [begin, end) of sums_.
  struct Run {
    int length, begin, end;
  };

  std::vector<int> start_;
  std::vector<Six> push_;  ///< slots of the links, a zero, sums, spare slots
  std::vector<int> source_;
  int zero_ = 0;
  std::vector<Sum> sums_;
  std::vector<Run> runs_;
  std::vector<int> run_start_;  ///< per part
  std::vector<int> bucket_;     ///< scratch of add_part
};

}  // namespace uzawa
