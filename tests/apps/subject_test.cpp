#include "subject.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/temp_folder.hpp"
#include "uzawa/base/error.hpp"

/// What a live view does to a scene or a model while it runs.
namespace uzawa::cli {
namespace {

RunArguments scene(const char* name) {
  RunArguments arguments;
  arguments.model = name;
  return arguments;
}

void steps(Subject& subject, int count) {
  for (int i = 0; i < count; ++i) ASSERT_NE(subject.step().status, StepStatus::Failed);
}

TEST(Subject, ResetGoesBackToTheSameBits) {
  const test::TempFolder folder;
  folder.write("ball.xml", R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .2"><freejoint/>
    <geom type="sphere" size=".1"/></body></worldbody></mujoco>)");
  for (const std::string& name : {std::string("newton-cradle"), (folder.path() / "ball.xml").string()}) {
    const auto subject = make_subject(scene(name.c_str()));
    const State start = subject->world().state();
    steps(*subject, 150);
    const State there = subject->world().state();
    EXPECT_NE(there.q, start.q);
    subject->reset();
    EXPECT_EQ(subject->world().state().q, start.q);
    EXPECT_EQ(subject->world().state().time, start.time);
    steps(*subject, 150);
    EXPECT_EQ(subject->world().state().q, there.q) << name;
    EXPECT_EQ(subject->world().state().v, there.v) << name;
  }
}

TEST(Subject, AChangeThatChangesNothingIsNotSeen) {
  const auto whole = make_subject(scene("pinch")), changed = make_subject(scene("pinch"));
  steps(*whole, 100);
  steps(*changed, 50);
  changed->change(changed->world().settings(), 1);
  steps(*changed, 50);
  EXPECT_EQ(whole->world().state().q, changed->world().state().q);
  EXPECT_EQ(whole->world().state().v, changed->world().state().v);
}

/// A pushed box of 1 kg: v = (F/m - mu g) t.
TEST(Subject, FrictionIsAFactorOnThatOfTheModel) {
  const auto speed = [](const Subject& s) { return std::hypot(s.world().state().v[0], s.world().state().v[1]); };
  const auto subject = make_subject(scene("push-box"));
  const double dt = subject->world().dt();
  subject->change(subject->world().settings(), 0);
  steps(*subject, 24);
  EXPECT_NEAR(speed(*subject), 10 * 24 * dt, 1e-6);
  subject->change(subject->world().settings(), 1);  // by itself, not by what it was
  steps(*subject, 24);
  EXPECT_NEAR(speed(*subject), 10 * 24 * dt + (10 - 0.5 * 9.81) * 24 * dt, 1e-6);
  subject->change(subject->world().settings(), 3);
  subject->reset();
  steps(*subject, 24);
  EXPECT_NEAR(speed(*subject), 0, 1e-6) << "a reset keeps the friction, 1.5, which holds the box";
}

TEST(Subject, ABadChangeLeavesEverythingAsItWas) {
  const auto subject = make_subject(scene("push-box"));
  steps(*subject, 10);
  const State before = subject->world().state();
  SimSettings settings = subject->world().settings();
  settings.dt = -1;
  EXPECT_THROW(subject->change(settings, 1), InputError);
  settings.dt = 0.001;
  settings.solver = "magic";
  EXPECT_THROW(subject->change(settings, 1), InputError);
  EXPECT_EQ(subject->world().state().q, before.q);
  steps(*subject, 1);
  EXPECT_NEAR(subject->world().state().time - before.time, 1.0 / 240, 1e-12);
}

}  // namespace
}  // namespace uzawa::cli
