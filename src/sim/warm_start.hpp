#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// Impulses of the last step by the keys of their constraints: the first iterate of the next step. Part of
/// World::Snapshot, so that a restored world continues with the same bits.
///
/// Keys of contacts name features. Where corners of two shapes coincide (boxes of one size on top of each other),
/// rounding errors decide whether a point is a corner of the one, of the other, or a crossing of edges, and its key
/// changes from step to step although nothing moves. So a contact of an unknown key takes the impulse of the nearest
/// one of the same pair whose key is gone.
///
/// At rest, impulses that are off by eps are good enough for n steps, until the velocities that they add up to are not;
/// then a solve stops these, with impulses that are off by n eps the other way, and every few steps would take a Newton
/// step. So after such a solve what is kept is eps away from where it started, which is a share of 1/(n+1) of the way.
///
/// Newton steps of CANAL with warm starts and without: stack of 10 boxes that stands for 100 steps 6 and 300; heap of
/// 12 bodies that falls for 300 steps 1,980 and 1,692, where first-order iterations, which cold starts begin with, are
/// not counted.
class WarmStart {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::array<double, 3> impulse{}, least{};  ///< scalar rows use the first; least: Result::least
    std::uint64_t pair = 0;                    ///< of a contact: its geoms
    std::array<double, 3> position{};
    int still = 0;  ///< solves since the impulse has changed
    bool operator==(const Entry&) const = default;
  };

  /// Fills `start` and `least` with the last impulses of the constraints of `problem` and Result::least of them, zero
  /// for new ones; empty where no step is stored. `contacts`: those of the problem, in their order, among others that
  /// it leaves out.
  void fill(const Problem& problem, std::span<const std::uint64_t> keys, std::span<const Contact> contacts,
            std::vector<double>& start, std::vector<double>& least);
  void store(const Problem& problem, std::span<const std::uint64_t> keys, std::span<const Contact> contacts,
             std::span<const double> lambda, std::span<const double> least);
  /// N s, of a contact; 0 where there was none.
  double normal_impulse(std::uint64_t key) {
    const std::size_t entry = entries_.empty() ? 0 : find(key);
    return entry == entries_.size() ? 0 : entries_[entry].impulse[2];
  }
  /// All that the next step depends on: for files and other processes.
  std::span<const Entry> entries() const { return entries_; }
  static WarmStart from_entries(std::vector<Entry> entries) {
    WarmStart warm;
    warm.entries_ = std::move(entries);
    return warm;
  }
  void clear() {
    entries_.clear();
    by_key_.clear();
    by_pair_.clear();
    start_.clear();
  }

  bool operator==(const WarmStart& other) const { return entries_ == other.entries_; }

 private:
  void keep(const Problem& problem, std::size_t constraint, std::span<const double> lambda, double rest, Entry& entry);
  /// Index of the first entry with that key; the number of entries where there is none.
  std::size_t find(std::uint64_t key);
  /// Index of the nearest entry of the contact's pair that is not taken; the number of entries where there is none.
  std::size_t find_nearest(const Contact& contact);

  std::vector<Entry> entries_;        ///< in the order of the constraints
  std::vector<std::size_t> by_key_;   ///< entries, ascending by key; made when one is looked for
  std::vector<std::size_t> by_pair_;  ///< the same by pair
  std::vector<char> taken_;           ///< per entry, while start impulses are looked for
  std::vector<std::size_t> unknown_;  ///< constraints whose keys are new
  std::vector<double> start_;         ///< what fill() has given, per row; empty: nothing
  std::vector<int> still_;            ///< per constraint, Entry::still of what it has given
};

}  // namespace uzawa
