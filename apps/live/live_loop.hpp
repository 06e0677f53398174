#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "uzawa/live/live_subject.hpp"
#include "uzawa/live/messages.hpp"
#include "uzawa/live/pull.hpp"
#include "uzawa/log/log_frame.hpp"
#include "uzawa/log/replay_frame_maker.hpp"

namespace uzawa {

/// Something that viewers are to be sent; each part may be missing.
struct LiveUpdate {
  using Text = std::shared_ptr<const std::string>;
  Text status, frame;  ///< for all; a status goes before a frame
  Text notice;         ///< for one viewer
  int viewer = 0;      ///< whom the notice is for
};

/// Runs a subject in a thread of its own, in step with the clock or as fast as it can, and does what viewers ask for.
/// While nobody looks it stands still.
class LiveLoop {
 public:
  using Publish = std::function<void(LiveUpdate)>;
  struct Start {
    bool playing = true;
    double pace = 1;
  };
  /// `publish` is called from that thread, first with the start. The subject must outlive the loop, which alone uses
  /// it.
  LiveLoop(LiveSubject& subject, const Start& start, Publish publish);
  /// After the step at hand.
  ~LiveLoop();
  LiveLoop(const LiveLoop&) = delete;
  LiveLoop& operator=(const LiveLoop&) = delete;

  // -- from any thread
  /// False where too many commands are waiting; then this one is lost.
  [[nodiscard]] bool post(int viewer, Command command);
  void set_viewers(int count);
  /// A viewer is gone, and what it pulled is free.
  void forget(int viewer);

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    int viewer = 0;
    Command command;
  };

  void run();
  std::deque<Waiting> wait_for_work();
  bool is_running() const;
  bool is_stopped();

  void carry_out(const Waiting& waiting);
  void apply(int viewer, const PlayCommand& command);
  void apply(int viewer, const StepCommand& command);
  void apply(int viewer, const ResetCommand& command);
  void apply(int viewer, const PaceCommand& command);
  void apply(int viewer, const ChangeCommand& command);
  void apply(int viewer, const PullCommand& command);
  void apply(int viewer, const ReleaseCommand& command);
  void apply(int viewer, const SeenCommand& command) { static_cast<void>(viewer), static_cast<void>(command); }

  void watch_new_world();
  void set_anchor();
  void advance();
  bool step();
  void measure_speed();
  void publish_new(bool with_frame);

  LiveSubject& subject_;
  Publish publish_;
  SimSettings settings_;  ///< as they are, friction apart
  LiveStatus status_;
  std::map<int, PullCommand> pulls_;  ///< by viewer
  std::vector<double> push_;          ///< nv
  bool stepped_ = false;              ///< the world has made a step of its own, so that there are contacts to show

  // Made anew with the world.
  std::optional<FrameMaker> frames_;
  std::optional<ReplayFrameMaker> replay_;
  std::optional<PullForce> pull_;

  Clock::time_point tick_due_, status_due_;
  Clock::time_point anchor_, speed_anchor_;  ///< wall times that belong to these simulated ones
  double anchor_time_ = 0, speed_anchor_time_ = 0;
  bool frame_is_old_ = false, status_is_old_ = false;

  std::mutex mutex_;  ///< of what follows
  std::condition_variable work_;
  std::deque<Waiting> waiting_;
  int viewers_ = 0;
  bool stop_ = false;

  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace uzawa
