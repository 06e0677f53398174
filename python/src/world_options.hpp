#pragma once

#include <array>
#include <string>
#include <vector>

#include "uzawa/sim/settings.hpp"

namespace uzawa::python {

/// What Python says of a world: plain data, so that it can be pickled. SimSettings has the meanings.
struct WorldOptions {
  double dt = 0;  ///< s; 0: the model's own
  double theta = SimSettings{}.theta;
  std::string solver = SimSettings{}.solver;
  double tolerance = Settings{}.tolerance;
  int threads = Settings{}.threads;
  double restitution = AssemblySettings{}.restitution;
  bool warm_start = SimSettings{}.warm_start;
  double work = SimSettings{}.work;
  double budget_us = SimSettings{}.budget_us;
  bool sleep = SleepSettings{}.enabled;
  bool energy = SimSettings{}.book_energy;
  std::vector<std::array<std::string, 2>> settings;  ///< of methods by name, as in canal.penalty
};

/// Throws InputError for an unknown setting or one out of its range.
SimSettings to_settings(const WorldOptions& options);

}  // namespace uzawa::python
