#include "uzawa/live/live_loop.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plain_subject.hpp"
#include "support/simple_models.hpp"
#include "support/soft_models.hpp"

namespace uzawa {
namespace {

using nlohmann::json;
using test::PlainSubject;
using namespace std::chrono_literals;

/// What a loop publishes, and a way to wait for it.
class Listener {
 public:
  LiveLoop::Publish publish() {
    return [this](const LiveUpdate& update) {
      {
        const std::lock_guard lock(mutex_);
        if (update.status) statuses_.push_back(json::parse(*update.status));
        if (update.frame) frames_.push_back(unpack_block(*update.frame, "", "").front());
        if (update.notice) notices_[update.viewer] = json::parse(*update.notice)["text"];
      }
      news_.notify_all();
    };
  }
  template <typename Condition>
  [[nodiscard]] bool wait(Condition&& condition) {
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, 20s, condition);
  }
  [[nodiscard]] bool wait_status(const std::function<bool(const json&)>& condition) {
    return wait([&] { return !statuses_.empty() && condition(statuses_.back()); });
  }
  [[nodiscard]] bool wait_time(double time) {
    return wait([&] { return !frames_.empty() && frames_.back().time >= time - 1e-9; });
  }
  ReplayFrame last() {
    const std::lock_guard lock(mutex_);
    return frames_.back();
  }
  std::size_t frames() {
    const std::lock_guard lock(mutex_);
    return frames_.size();
  }
  std::string notice(int viewer) {
    return wait([&] { return notices_.contains(viewer); }) ? notices_[viewer] : "";
  }

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<json> statuses_;
  std::vector<ReplayFrame> frames_;
  std::map<int, std::string> notices_;
};

constexpr LiveLoop::Start kPaused{.playing = false};

TEST(LiveLoop, StandsStillWhileNobodyLooks) {
  PlainSubject subject(test::free_body(), {.dt = 0.002});
  Listener listener;
  LiveLoop loop(subject, {.playing = true, .pace = 0}, listener.publish());
  ASSERT_TRUE(listener.wait_time(0));
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(listener.frames(), 1U);
  loop.set_viewers(1);
  EXPECT_TRUE(listener.wait_time(1));
  loop.set_viewers(0);
  EXPECT_TRUE(listener.wait_status([](const json& s) { return s["viewers"] == 0; }));
  const double time = listener.last().time;
  std::this_thread::sleep_for(50ms);
  EXPECT_LE(listener.last().time, time);
}

TEST(LiveLoop, StepsAndResets) {
  PlainSubject subject(test::free_body(), {.dt = 0.002});
  Listener listener;
  LiveLoop loop(subject, kPaused, listener.publish());
  loop.set_viewers(1);
  ASSERT_TRUE(loop.post(1, StepCommand{10}));
  ASSERT_TRUE(listener.wait_time(0.02));
  EXPECT_NEAR(listener.last().time, 0.02, 1e-12);
  ASSERT_TRUE(loop.post(1, ResetCommand{}));
  ASSERT_TRUE(listener.wait_status([](const json& s) { return s["run"] == 1; }));
  EXPECT_EQ(listener.last().time, 0);
}

TEST(LiveLoop, GoesOnWithOtherSettings) {
  PlainSubject subject(test::free_body(), {.dt = 0.002});
  Listener listener;
  LiveLoop loop(subject, kPaused, listener.publish());
  loop.set_viewers(1);
  ASSERT_TRUE(loop.post(1, StepCommand{5}));
  ASSERT_TRUE(loop.post(1, ChangeCommand{.solver = "pgs", .dt = 0.005, .friction = 0.5}));
  ASSERT_TRUE(loop.post(1, StepCommand{2}));
  ASSERT_TRUE(listener.wait_time(0.02));
  EXPECT_NEAR(listener.last().time, 0.02, 1e-12);
  EXPECT_TRUE(listener.wait_status([](const json& s) { return s["solver"] == "pgs" && s["dt"] == 0.005; }));
  EXPECT_EQ(subject.last_friction, 0.5);
  // v of a fall does not depend on who falls when: nothing was lost on the way.
  EXPECT_NEAR(subject.world().state().v[2], -9.81 * 0.02, 1e-12);
}

TEST(LiveLoop, TellsWhoAskedForNonsense) {
  PlainSubject subject(test::free_body());
  Listener listener;
  LiveLoop loop(subject, kPaused, listener.publish());
  ASSERT_TRUE(loop.post(4, PullCommand{.link = 3}));
  EXPECT_NE(listener.notice(4).find("there are 1"), std::string::npos);
}

TEST(LiveLoop, PullEndsWithItsViewer) {
  ModelSpec spec = test::free_body();
  spec.options.gravity = {};
  PlainSubject subject(spec, {.dt = 0.002});
  Listener listener;
  LiveLoop loop(subject, kPaused, listener.publish());
  loop.set_viewers(2);
  ASSERT_TRUE(loop.post(1, PullCommand{.link = 0, .target = {1, 0, 0}}));
  ASSERT_TRUE(loop.post(2, StepCommand{3}));
  loop.forget(1);
  ASSERT_TRUE(listener.wait_time(0.006));
  const double x = listener.last().placements[0].position.x();
  EXPECT_GT(x, 0);
  ASSERT_TRUE(loop.post(2, StepCommand{2}));
  ASSERT_TRUE(listener.wait_time(0.010));
  const double x2 = listener.last().placements[0].position.x();
  ASSERT_TRUE(loop.post(2, StepCommand{2}));
  ASSERT_TRUE(listener.wait_time(0.014));
  EXPECT_NEAR(listener.last().placements[0].position.x() - x2, x2 - x, 1e-9) << "nothing pulls it any more";
}

/// Links of nodes are not in a frame, but can be pulled; their skin is there.
TEST(LiveLoop, ShowsAndPullsSoftBodies) {
  ModelSpec spec;
  spec.options.gravity = {};
  const TetMesh mesh = test::box_mesh(3, 3, 3, {0.1, 0.1, 0.1});
  test::add_soft_body(spec, "jelly", mesh.nodes, 0, {1, 0, 0, 1}).tets = mesh.tets;
  PlainSubject subject(spec, {.dt = 0.002});
  Listener listener;
  LiveLoop loop(subject, kPaused, listener.publish());
  loop.set_viewers(1);
  ASSERT_TRUE(loop.post(1, PullCommand{.link = 26, .target = {1, 0.1, 0.1}}));
  ASSERT_TRUE(loop.post(1, StepCommand{3}));
  ASSERT_TRUE(listener.wait_time(0.006));
  const ReplayFrame frame = listener.last();
  EXPECT_TRUE(frame.placements.empty());
  ASSERT_EQ(frame.skins.size(), 1U);
  ASSERT_EQ(frame.skins[0].size(), 26U);
  EXPECT_GT(frame.skins[0][25].x(), 0.1001);
}

TEST(LiveLoop, CommandsDoNotPileUp) {
  PlainSubject subject(test::free_body());
  Listener listener;
  std::mutex gate;
  std::unique_lock hold(gate);
  auto publish = listener.publish();
  std::atomic<bool> is_held = false;
  LiveLoop loop(subject, kPaused, [&](const LiveUpdate& update) {
    if (is_held) const std::lock_guard wait(gate);  // a loop that takes its time
    publish(update);
  });
  is_held = true;
  int taken = 0;
  for (int i = 0; i < 10000; ++i) taken += loop.post(1, StepCommand{1}) ? 1 : 0;
  EXPECT_LT(taken, 600);
  for (int i = 0; i < 10000; ++i) EXPECT_EQ(loop.post(2, PullCommand{}), loop.post(2, PullCommand{}));
  hold.unlock();
}

}  // namespace
}  // namespace uzawa
