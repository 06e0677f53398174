#include "uzawa/sim/warm_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "uzawa/collision/broad/pair_filter.hpp"

namespace uzawa {

namespace {

constexpr double kAtRest = 1e-6;  // of the mean impulse: smaller changes are those of rest

/// Goes through contacts side by side with the constraints made of them.
class ContactCursor {
 public:
  explicit ContactCursor(std::span<const Contact> contacts) : contacts_(contacts) {}
  /// The contact of that key; null where there is none any more.
  const Contact* next(std::uint64_t key) {
    std::size_t i = place_;
    while (i < contacts_.size() && contacts_[i].key != key) ++i;
    if (i == contacts_.size()) return nullptr;
    place_ = i + 1;
    return &contacts_[i];
  }

 private:
  std::span<const Contact> contacts_;
  std::size_t place_ = 0;
};

bool is_contact(const Problem& problem, std::size_t constraint) {
  return problem.constraints[constraint].kind == ConstraintKind::Contact;
}

/// Indices of entries in ascending order of a field, made where they are not there yet.
void sort_once(std::vector<std::size_t>& order, std::span<const WarmStart::Entry> entries,
               std::uint64_t WarmStart::Entry::*field) {
  if (!order.empty()) return;
  order.resize(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return entries[a].*field != entries[b].*field ? entries[a].*field < entries[b].*field : a < b;
  });
}

}  // namespace

void WarmStart::fill(const Problem& problem, std::span<const std::uint64_t> keys, std::span<const Contact> contacts,
                     std::vector<double>& start, std::vector<double>& least) {
  start.clear();
  least.clear();
  start_.clear();
  if (entries_.empty()) return;
  start.assign(static_cast<std::size_t>(problem.rows), 0.0);
  least.assign(static_cast<std::size_t>(problem.rows), 0.0);
  taken_.assign(entries_.size(), 0);
  still_.assign(keys.size(), 0);
  unknown_.clear();
  const auto take = [&](std::size_t c, std::size_t entry) {
    const int dims = problem.dims(static_cast<int>(c));
    std::copy_n(entries_[entry].impulse.begin(), dims, start.begin() + problem.constraints[c].row);
    std::copy_n(entries_[entry].least.begin(), dims, least.begin() + problem.constraints[c].row);
    still_[c] = entries_[entry].still;
    taken_[entry] = 1;
  };
  std::size_t next = 0;
  for (std::size_t c = 0; c < keys.size(); ++c) {
    // Constraints come in much the order of the last step: what follows the last hit is tried first.
    if (next >= entries_.size() || entries_[next].key != keys[c]) {
      const std::size_t found = find(keys[c]);
      if (found == entries_.size()) {
        if (is_contact(problem, c)) unknown_.push_back(c);
        continue;
      }
      next = found;
    }
    take(c, next++);
  }
  ContactCursor cursor(contacts);
  for (const std::size_t c : unknown_) {
    const Contact* contact = cursor.next(keys[c]);
    const std::size_t entry = contact == nullptr ? entries_.size() : find_nearest(*contact);
    if (entry < entries_.size()) take(c, entry);
  }
  start_ = start;
}

std::size_t WarmStart::find(std::uint64_t key) {
  sort_once(by_key_, entries_, &Entry::key);
  const auto place = std::lower_bound(by_key_.begin(), by_key_.end(), key,
                                      [&](std::size_t entry, std::uint64_t k) { return entries_[entry].key < k; });
  return place == by_key_.end() || entries_[*place].key != key ? entries_.size() : *place;
}

std::size_t WarmStart::find_nearest(const Contact& contact) {
  sort_once(by_pair_, entries_, &Entry::pair);
  const PairKey pair = pair_key(contact.geom1, contact.geom2);
  auto place = std::lower_bound(by_pair_.begin(), by_pair_.end(), pair,
                                [&](std::size_t entry, PairKey p) { return entries_[entry].pair < p; });
  std::size_t nearest = entries_.size();
  double least = std::numeric_limits<double>::infinity();
  for (; place != by_pair_.end() && entries_[*place].pair == pair; ++place) {
    if (taken_[*place] != 0) continue;
    const Vec3 away = Vec3::from(entries_[*place].position.data()) - contact.position;
    if (dot(away, away) >= least) continue;
    least = dot(away, away);
    nearest = *place;
  }
  return nearest;
}

void WarmStart::keep(const Problem& problem, std::size_t constraint, std::span<const double> lambda, double rest,
                     Entry& entry) {
  const auto row = static_cast<std::size_t>(problem.constraints[constraint].row);
  const auto dims = static_cast<std::size_t>(problem.dims(static_cast<int>(constraint)));
  double change = 0;
  for (std::size_t k = 0; k < dims; ++k) {
    entry.impulse[k] = lambda[row + k];
    if (!start_.empty()) change = std::max(change, std::abs(lambda[row + k] - start_[row + k]));
  }
  if (start_.empty()) return;
  if (change == 0) {
    entry.still = still_[constraint] + 1;
  } else if (change <= rest) {
    const double share = 1.0 / (still_[constraint] + 1);
    for (std::size_t k = 0; k < dims; ++k) {
      entry.impulse[k] = start_[row + k] + share * (lambda[row + k] - start_[row + k]);
    }
  }
}

void WarmStart::store(const Problem& problem, std::span<const std::uint64_t> keys, std::span<const Contact> contacts,
                      std::span<const double> lambda, std::span<const double> least) {
  if (start_.size() != lambda.size() || still_.size() != keys.size()) start_.clear();
  double square = 0;
  for (const double impulse : start_) square += impulse * impulse;
  const double rest = kAtRest * std::sqrt(square / static_cast<double>(std::max<std::size_t>(1, start_.size())));
  entries_.clear();
  ContactCursor cursor(contacts);
  for (std::size_t c = 0; c < keys.size(); ++c) {
    Entry& entry = entries_.emplace_back();
    entry.key = keys[c];
    const int dims = problem.dims(static_cast<int>(c));
    keep(problem, c, lambda, rest, entry);
    if (least.empty()) {
      entry.least.fill(HUGE_VAL);
    } else {
      std::copy_n(least.begin() + problem.constraints[c].row, dims, entry.least.begin());
    }
    const Contact* contact = is_contact(problem, c) ? cursor.next(keys[c]) : nullptr;
    if (contact == nullptr) continue;
    entry.pair = pair_key(contact->geom1, contact->geom2);
    contact->position.store(entry.position.data());
  }
  by_key_.clear();
  by_pair_.clear();
  // Not in a later step.
  by_key_.reserve(entries_.capacity());
  by_pair_.reserve(entries_.capacity());
  taken_.reserve(entries_.capacity());
  unknown_.reserve(entries_.capacity());
}

}  // namespace uzawa
