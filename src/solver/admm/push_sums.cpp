#include "uzawa/solver/admm/push_sums.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

void PushSums::place(std::span<const int> start) {
  start_.assign(start.begin(), start.end());
  zero_ = start_.back();
  int next = zero_ + 1;
  source_.resize(start_.size() - 1);
  for (std::size_t i = 0; i < source_.size(); ++i) {
    const int count = start_[i + 1] - start_[i];
    source_[i] = count == 0 ? zero_ : (count == 1 ? start_[i] : next++);
  }
  push_.assign(at(next), {});
  sums_.clear();
  runs_.clear();
  run_start_.assign(1, 0);
}

int PushSums::add_part(std::span<const int> links) {
  const auto count_of = [&](int link) { return start_[at(link) + 1] - start_[at(link)]; };
  bucket_.clear();
  for (const int link : links) {
    const std::size_t count = at(count_of(link));
    if (count < 2) continue;
    if (bucket_.size() <= count) bucket_.resize(count + 1, 0);
    ++bucket_[count];
  }
  int next = static_cast<int>(sums_.size());
  for (std::size_t count = 2; count < bucket_.size(); ++count) {
    const int begin = next;
    next += bucket_[count];
    if (next > begin) runs_.push_back({static_cast<int>(count), begin, next});
    bucket_[count] = begin;
  }
  sums_.resize(at(next));
  for (const int link : links) {
    const int count = count_of(link);
    if (count > 1) sums_[at(bucket_[at(count)]++)] = {start_[at(link)], source_[at(link)]};
  }
  run_start_.push_back(static_cast<int>(runs_.size()));
  return static_cast<int>(run_start_.size()) - 2;
}

int PushSums::add_spare_slot() {
  push_.push_back({});
  return static_cast<int>(push_.size()) - 1;
}

void PushSums::add_up(int part) {
  for (int r = run_start_[at(part)]; r < run_start_[at(part) + 1]; ++r) {
    const Run& run = runs_[at(r)];
    for (int i = run.begin; i < run.end; ++i) {
      const Sum& sum = sums_[at(i)];
      const Six* push = &push_[at(sum.first)];
      Six total = push[0];
      for (int k = 1; k < run.length; ++k) total += push[k];
      push_[at(sum.into)] = total;
    }
  }
}

}  // namespace uzawa
