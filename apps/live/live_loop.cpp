#include "uzawa/live/live_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

constexpr std::size_t kMostWaiting = 256;  // commands
constexpr std::chrono::microseconds kFrame(1000000 / 60);
constexpr std::chrono::milliseconds kStatus(250);
constexpr double kMostLag = 0.1;  // s; what is further behind the clock than this is not made up for

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

LiveUpdate::Text shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

}  // namespace

LiveLoop::LiveLoop(LiveSubject& subject, const Start& start, Publish publish)
    : subject_(subject), publish_(std::move(publish)), settings_(subject.world().settings()) {
  status_.playing = start.playing;
  status_.pace = start.pace;
  watch_new_world();
  publish_new(true);
  thread_ = std::thread([this] { run(); });
}

LiveLoop::~LiveLoop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_one();
  thread_.join();
}

bool LiveLoop::post(int viewer, Command command) {
  {
    const std::lock_guard lock(mutex_);
    const bool pulls_again = std::holds_alternative<PullCommand>(command) && !waiting_.empty() &&
                             waiting_.back().viewer == viewer &&
                             std::holds_alternative<PullCommand>(waiting_.back().command);
    if (pulls_again) {
      waiting_.back().command = command;  // only where it pulls to in the end matters
    } else if (waiting_.size() < kMostWaiting) {
      waiting_.push_back({viewer, std::move(command)});
    } else {
      return false;
    }
  }
  work_.notify_one();
  return true;
}

void LiveLoop::set_viewers(int count) {
  {
    const std::lock_guard lock(mutex_);
    viewers_ = count;
  }
  work_.notify_one();
}

void LiveLoop::forget(int viewer) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({viewer, ReleaseCommand{}});  // even where too many wait: there is one a viewer
  }
  work_.notify_one();
}

bool LiveLoop::is_stopped() {
  const std::lock_guard lock(mutex_);
  return stop_;
}

bool LiveLoop::is_running() const { return status_.playing && viewers_ > 0; }

/// Commands, once there are some or it is time for the next frame.
std::deque<LiveLoop::Waiting> LiveLoop::wait_for_work() {
  std::unique_lock lock(mutex_);
  const auto is_wanted = [&] { return stop_ || !waiting_.empty() || viewers_ != status_.viewers; };
  if (is_running()) {
    work_.wait_until(lock, tick_due_, is_wanted);
  } else {
    work_.wait(lock, is_wanted);
    set_anchor();
  }
  if (viewers_ != status_.viewers) {
    if (status_.viewers == 0) set_anchor();
    status_.viewers = viewers_;
    status_is_old_ = true;
  }
  return std::exchange(waiting_, {});
}

void LiveLoop::run() {
  while (true) {
    const std::deque<Waiting> commands = wait_for_work();
    if (is_stopped()) return;
    for (const Waiting& waiting : commands) carry_out(waiting);
    if (status_.playing && status_.viewers > 0) advance();
    const Clock::time_point now = Clock::now();
    const bool is_due = now >= tick_due_;
    if (is_due) tick_due_ = std::max(tick_due_ + kFrame, now);
    if (now >= status_due_ && status_.playing) measure_speed();
    publish_new(frame_is_old_ && (is_due || !status_.playing));
  }
}

void LiveLoop::carry_out(const Waiting& waiting) {
  try {
    std::visit([&](const auto& command) { apply(waiting.viewer, command); }, waiting.command);
  } catch (const InputError& error) {
    publish_({.notice = shared(notice_message(error.what())), .viewer = waiting.viewer});
  }
}

void LiveLoop::apply(int /*viewer*/, const PlayCommand& command) {
  status_.playing = command.on;
  if (command.on) status_.trouble.clear();
  status_.speed = 0;
  set_anchor();
  status_is_old_ = true;
}

void LiveLoop::apply(int /*viewer*/, const StepCommand& command) {
  status_.playing = false;
  status_.speed = 0;
  status_.trouble.clear();
  status_is_old_ = true;
  for (int i = 0; i < command.count && !is_stopped() && step(); ++i) {
  }
}

void LiveLoop::apply(int /*viewer*/, const ResetCommand& /*command*/) {
  subject_.reset();
  ++status_.run;
  status_.trouble.clear();
  watch_new_world();
  publish_new(true);  // at once: no frame of the run before may come after the status of this one
}

void LiveLoop::apply(int /*viewer*/, const PaceCommand& command) {
  status_.pace = command.factor;
  set_anchor();
  status_is_old_ = true;
}

void LiveLoop::apply(int /*viewer*/, const ChangeCommand& command) {
  SimSettings settings = settings_;
  settings.solver = command.solver.value_or(settings.solver);
  settings.dt = command.dt.value_or(settings.dt);
  settings.solve.tolerance = command.tolerance.value_or(settings.solve.tolerance);
  settings.solve.max_iterations = command.iterations.value_or(settings.solve.max_iterations);
  settings.assembly.restitution = command.restitution.value_or(settings.assembly.restitution);
  const double friction = command.friction.value_or(status_.friction);
  subject_.change(settings, friction);
  settings_ = settings;
  status_.friction = friction;
  status_.trouble.clear();
  watch_new_world();
}

void LiveLoop::apply(int viewer, const PullCommand& command) {
  const auto links = subject_.world().model().links().size();
  if (static_cast<std::size_t>(command.link) >= links) {
    throw InputError("message", "link", "there are " + std::to_string(links));
  }
  pulls_[viewer] = command;
}

void LiveLoop::apply(int viewer, const ReleaseCommand& /*command*/) { pulls_.erase(viewer); }

void LiveLoop::watch_new_world() {
  const World& world = subject_.world();
  frames_.emplace(world);
  replay_.emplace(world.model());
  pull_.emplace(world.model());
  push_.assign(static_cast<std::size_t>(world.model().nv()), 0.0);
  stepped_ = false;
  status_.solver = settings_.solver;
  status_.dt = world.dt();
  status_.tolerance = settings_.solve.tolerance;
  status_.iterations = settings_.solve.max_iterations;
  status_.restitution = settings_.assembly.restitution;
  status_is_old_ = true;
  set_anchor();
}

/// From here on the simulated time follows the clock.
void LiveLoop::set_anchor() {
  anchor_ = speed_anchor_ = Clock::now();
  anchor_time_ = speed_anchor_time_ = subject_.world().state().time;
}

/// Up to the time that the clock says, but no longer than a frame lasts.
void LiveLoop::advance() {
  const Clock::time_point begin = Clock::now();
  const double dt = subject_.world().dt(), time = subject_.world().state().time;
  const double elapsed = seconds(begin - anchor_);
  double target = status_.pace > 0 ? anchor_time_ + status_.pace * elapsed : std::numeric_limits<double>::infinity();
  if (target - time > status_.pace * kMostLag && status_.pace > 0) {
    target = time + status_.pace * kMostLag;
    anchor_ = begin;
    anchor_time_ = target;
  }
  while (subject_.world().state().time + 0.5 * dt < target && Clock::now() - begin < kFrame && step()) {
    const std::lock_guard lock(mutex_);
    if (stop_ || !waiting_.empty()) break;
  }
}

/// False where it can't go on.
bool LiveLoop::step() {
  std::fill(push_.begin(), push_.end(), 0.0);
  const World& world = subject_.world();
  for (const auto& [viewer, pull] : pulls_) pull_->add(pull, world.state(), world.dt(), push_);
  try {
    const StepReport& report = subject_.step(push_);
    replay_->note(report);
    if (report.status == StepStatus::Failed) status_.trouble = "a step failed: no finite velocities were found";
  } catch (const InputError& error) {
    status_.trouble = error.what();
  }
  stepped_ = frame_is_old_ = true;
  if (status_.trouble.empty()) return true;
  status_.playing = false;
  status_is_old_ = true;
  return false;
}

void LiveLoop::measure_speed() {
  const Clock::time_point now = Clock::now();
  const double time = subject_.world().state().time, elapsed = seconds(now - speed_anchor_);
  if (elapsed < 0.5 * seconds(kStatus)) return;
  status_.speed = (time - speed_anchor_time_) / elapsed;
  speed_anchor_ = now;
  speed_anchor_time_ = time;
  status_is_old_ = true;
}

/// What is new, and a frame where that is asked for.
void LiveLoop::publish_new(bool with_frame) {
  LiveUpdate update;
  if (status_is_old_) {
    update.status = shared(status_message(status_));
    status_due_ = Clock::now() + kStatus;
  }
  if (with_frame) {
    const State& state = subject_.world().state();
    const ReplayFrame frame = stepped_ ? replay_->make(frames_->make({}, {})) : replay_->make_start(state);
    update.frame = shared(pack_block({&frame, 1}));
    frame_is_old_ = false;
  }
  status_is_old_ = false;
  if (update.status || update.frame) publish_(std::move(update));
}

}  // namespace uzawa
