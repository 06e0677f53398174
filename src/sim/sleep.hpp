#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

struct SleepSettings {
  bool enabled = false;  ///< off: what moves very slowly is not to stop
  double speed = 1e-3;   ///< m/s or rad/s; an island rests where all its dofs are slower
  double time = 0.5;     ///< s that it must rest
};

/// Islands that rest are frozen: their velocities are zero and they are left out of the problem, until something that
/// is awake comes near, their control or external force changes, or somebody edits the state. Nothing that is awake
/// ever shares a constraint with something asleep, so falling asleep takes the kinetic energy that is left (below
/// `speed`), and waking adds none. Subsystems whose actuators have dynamics of their own do not sleep.
class Sleep {
 public:
  Sleep(const Model& model, const SleepSettings& settings);

  /// Who sleeps; part of what a saved world holds.
  struct Record {
    std::vector<double> rested;             ///< per subsystem, s
    std::vector<int> group;                 ///< per subsystem: the same for those that fell asleep together; -1: awake
    std::vector<double> control, external;  ///< of the last step
    bool operator==(const Record&) const = default;
  };
  const Record& record() const { return record_; }
  void set_record(const Record& record);
  void wake_all();

  /// At the start of a step, when its contacts are known. `external` may be empty.
  void wake(std::span<const Contact> contacts, std::span<const double> control, std::span<const double> external);
  /// At the end of a step; v gets zeros where an island falls asleep.
  void put_to_sleep(const Problem& problem, double dt, std::span<double> v);

  /// Per subsystem, 1: asleep; empty where nobody sleeps.
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
  std::vector<char> disturbed_;  ///< per island: somebody has not rested for long enough
};

}  // namespace uzawa
