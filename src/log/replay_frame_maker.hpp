#pragma once

#include "uzawa/log/log_frame.hpp"
#include "uzawa/log/replay_frame.hpp"
#include "uzawa/log/replay_layout.hpp"

namespace uzawa {

/// Converts frames of a log to frames of a replay or of a live view.
class ReplayFrameMaker {
 public:
  /// The model must outlive it.
  explicit ReplayFrameMaker(const Model& model) : model_(model), layout_(model), data_(model) {}

  /// To be called after every step: some numbers of a frame are the maximum since the frame before.
  void note(const StepReport& report);
  ReplayFrame make(const LogFrame& frame);
  /// Frame of an initial state, without a step before it.
  ReplayFrame make_start(const State& state);

 private:
  /// Placements and skins where the kinematics are.
  void place(ReplayFrame& out) const;

  const Model& model_;
  ReplayLayout layout_;
  DynamicsData data_;
  std::array<float, kReplaySeries> peaks_{};  ///< since the last frame
};

}  // namespace uzawa
