#pragma once

#include "uzawa/log/log_frame.hpp"
#include "uzawa/log/replay_frame.hpp"

namespace uzawa {

/// Makes frames of a replay, or of a live view, of those of a log.
class ReplayFrameMaker {
 public:
  /// The model must outlive it.
  explicit ReplayFrameMaker(const Model& model) : model_(model), data_(model) {}

  /// To be told of every step: a frame has the largest of some numbers since the frame before.
  void note(const StepReport& report);
  ReplayFrame make(const LogFrame& frame);
  /// A state that no step has led to.
  ReplayFrame make_start(const State& state);

 private:
  const Model& model_;
  DynamicsData data_;
  std::array<float, kReplaySeries> peaks_{};  ///< since the last frame
};

}  // namespace uzawa
