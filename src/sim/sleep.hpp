#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

struct SleepSettings {
  bool enabled = false;  ///< off by default: very slow motion would be stopped
  double speed = 1e-3;   ///< m/s or rad/s; an island rests where all its dofs are slower
  double time = 0.5;     ///< s that it must rest
};

/// Islands that rest are frozen: their velocities are zero and they are left out of the problem, until an awake
/// subsystem comes near, their control or external force changes, or the state is set by the caller. Awake and sleeping
/// subsystems never share a constraint, so falling asleep removes the remaining kinetic energy (all dofs slower than
/// `speed`), and waking adds none. Subsystems whose actuators have dynamics of their own do not sleep.
class Sleep {
 public:
  Sleep(const Model& model, const SleepSettings& settings);

  /// Sleep state of all subsystems; part of World::Snapshot.
  struct Record {
    std::vector<double> rested;             ///< per subsystem, s
    std::vector<int> group;                 ///< per subsystem: number of the island it fell asleep with; -1: awake
    std::vector<double> control, external;  ///< of the last step
    bool operator==(const Record&) const = default;
  };
  const Record& record() const { return record_; }
  void set_record(const Record& record);
  void exchange(Record& other);
  void wake_all();

  /// Wakes islands at the start of a step, when its contacts are known. `external` may be empty.
  void wake(std::span<const Contact> contacts, std::span<const double> control, std::span<const double> external);
  /// Freezes resting islands at the end of a step; their entries of v become zero.
  void put_to_sleep(const Problem& problem, double dt, std::span<double> v);

  /// Per subsystem, 1: asleep; empty where all are awake.
  std::span<const char> asleep() const { return {asleep_.data(), count_ > 0 ? asleep_.size() : 0}; }
  int count() const { return count_; }  ///< subsystems

 private:
  void list_actuated();
  bool is_asleep(int subsystem) const { return record_.group[static_cast<std::size_t>(subsystem)] >= 0; }
  void wake_group_of(int subsystem);
  bool wake_touched(std::span<const Contact> contacts);
  int island_of(int subsystem);
  void join_islands(const Problem& problem);
  void refresh();

  const Model& model_;
  SleepSettings settings_;
  Record record_;
  std::vector<char> asleep_;
  int count_ = 0;
  std::vector<std::vector<int>> actuated_;  ///< per actuator: the subsystems that it moves
  std::vector<char> restless_;              ///< per subsystem: never sleeps
  // scratch, per subsystem
  std::vector<int> island_;      ///< union-find: the lowest subsystem of an island is its name
  std::vector<char> disturbed_;  ///< per island: some subsystem has not rested for long enough
};

}  // namespace uzawa
