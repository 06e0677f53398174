#pragma once

#include <span>

#include "uzawa/sim/world.hpp"

namespace uzawa {

/// What a live view runs: a world with whoever drives it.
class LiveSubject {
 public:
  LiveSubject() = default;
  virtual ~LiveSubject() = default;
  LiveSubject(const LiveSubject&) = delete;
  LiveSubject& operator=(const LiveSubject&) = delete;

  /// Another object after `change` and `reset`; always of the same bodies and joints.
  virtual const World& world() const = 0;
  /// `push`: joint-space force (N, N m) on top of what the controller gives; empty: none.
  virtual const StepReport& step(std::span<const double> push) = 0;
  /// Goes on from here with other settings. `friction`: factor on that of all contacts, as the model has it. Throws
  /// InputError where the settings make no sense; then everything stays as it was.
  virtual void change(const SimSettings& settings, double friction) = 0;
  /// Back to the start, with the settings of the last change.
  virtual void reset() = 0;
};

}  // namespace uzawa
