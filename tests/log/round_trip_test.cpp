/// What goes into a log comes out of it, bit for bit.
#include <gtest/gtest.h>

#include <set>

#include "io/temp_folder.hpp"
#include "log/run_to_log.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/log/log_reader.hpp"

namespace uzawa::test {
namespace {

void expect_same(const Vec3& a, const Vec3& b) {
  EXPECT_EQ(a.x(), b.x());
  EXPECT_EQ(a.y(), b.y());
  EXPECT_EQ(a.z(), b.z());
}

void expect_same(const StepReport& a, const StepReport& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.solve_status, b.solve_status);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.inner_iterations, b.inner_iterations);
  EXPECT_EQ(a.islands, b.islands);
  EXPECT_EQ(a.constraints, b.constraints);
  EXPECT_EQ(a.contacts, b.contacts);
  EXPECT_EQ(a.resolves, b.resolves);
  EXPECT_EQ(a.residual, b.residual);
  EXPECT_EQ(a.siconos, b.siconos);
  EXPECT_EQ(a.penetration, b.penetration);
  EXPECT_EQ(a.times.solve, b.times.solve);
  EXPECT_EQ(a.times.total(), b.times.total());
}

void expect_same(const LogFrame& a, const LogFrame& b) {
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.control, b.control);
  EXPECT_EQ(a.external, b.external);
  EXPECT_EQ(a.kinetic, b.kinetic);
  EXPECT_EQ(a.potential, b.potential);
  expect_same(a.report, b.report);
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t c = 0; c < a.contacts.size(); ++c) {
    const LogContact &x = a.contacts[c], &y = b.contacts[c];
    EXPECT_EQ(x.geom1, y.geom1);
    EXPECT_EQ(x.geom2, y.geom2);
    EXPECT_EQ(x.gap, y.gap);
    EXPECT_EQ(x.key, y.key);
    expect_same(x.position, y.position);
    expect_same(x.normal, y.normal);
    expect_same(x.force, y.force);
  }
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t r = 0; r < a.rows.size(); ++r) {
    EXPECT_EQ(a.rows[r].source, b.rows[r].source);
    EXPECT_EQ(a.rows[r].element, b.rows[r].element);
    EXPECT_EQ(a.rows[r].part, b.rows[r].part);
    EXPECT_EQ(a.rows[r].force, b.rows[r].force);
  }
}

TEST(LogTest, ComesBackBitForBit) {
  const TempFolder folder;
  const auto path = folder.path() / "run.h5";
  const Recorded recorded = run_to_log(path, 400);
  LogReader reader(path);
  EXPECT_EQ(reader.info(), recorded.info);
  ASSERT_EQ(reader.frames(), 400U);
  LogFrame frame;
  // Backwards, so that no frame can come from the one before it.
  for (std::size_t i = reader.frames(); i-- > 0;) {
    reader.read(i, frame);
    EXPECT_EQ(frame.state, recorded.states[i]);
    EXPECT_EQ(reader.times()[i], recorded.states[i].time);
    expect_same(frame, recorded.frames[i]);
    ASSERT_FALSE(testing::Test::HasFailure()) << "frame " << i;
  }
}

TEST(LogTest, TheSceneOfTheseTestsFillsEveryDataset) {
  const TempFolder folder;
  const Recorded recorded = run_to_log(folder.path() / "run.h5", 400);
  std::set<int> sources;
  std::set<std::size_t> contacts;
  for (const LogFrame& frame : recorded.frames) {
    contacts.insert(frame.contacts.size());
    for (const LogRow& row : frame.rows) {
      if (row.force != 0) sources.insert(row.source);
    }
  }
  for (const ConstraintSource source : {ConstraintSource::Limit, ConstraintSource::JointFriction,
                                        ConstraintSource::TendonLimit, ConstraintSource::Equality}) {
    EXPECT_EQ(sources.count(static_cast<int>(source)), 1U) << static_cast<int>(source);
  }
  EXPECT_EQ(sources.count(-1), 0U) << "rows without a name";
  EXPECT_GT(contacts.size(), 2U) << "the number of contacts never changes";
  EXPECT_FALSE(recorded.frames[0].state.activation.empty());
}

TEST(LogTest, EveryNthStepIsThatStep) {
  const TempFolder folder;
  const Recorded all = run_to_log(folder.path() / "all.h5", 100), some = run_to_log(folder.path() / "some.h5", 100, 7);
  LogReader reader(folder.path() / "some.h5");
  ASSERT_EQ(reader.frames(), 14U);
  LogFrame frame;
  for (std::size_t i = 0; i < reader.frames(); ++i) {
    reader.read(i, frame);
    EXPECT_EQ(frame.state, all.states[7 * i + 6]);
  }
}

TEST(LogTest, AnEmptyLogIsALog) {
  const TempFolder folder;
  run_to_log(folder.path() / "run.h5", 0);
  LogReader reader(folder.path() / "run.h5");
  EXPECT_EQ(reader.frames(), 0U);
  LogFrame frame;
  EXPECT_THROW(reader.read(0, frame), std::exception);
}

TEST(LogTest, ForcesCarryTheWeight) {
  // Of boxes at rest: the ground's contacts push the lowest box, as geom2, up with the weight of all three.
  const TempFolder folder;
  const Recorded recorded = run_to_log(folder.path() / "run.h5", 400);
  double total = 0;
  for (const LogContact& contact : recorded.frames.back().contacts) {
    if (contact.geom1 == 0) total += contact.force.z();
  }
  EXPECT_NEAR(total, 3 * 9.81, 1e-3);
}

TEST(LogTest, LimitForceBalancesTheMotor) {
  // Finger a is pushed by its motor against its limit: together with the tendon they carry what the motor gives.
  const TempFolder folder;
  const Recorded recorded = run_to_log(folder.path() / "run.h5", 400);
  const LogFrame& frame = recorded.frames[100];  // sin(1.01) N
  double held = 0;
  for (const LogRow& row : frame.rows) {
    const bool limit = row.source == static_cast<int>(ConstraintSource::Limit) && row.element == 3;
    const bool tendon = row.source == static_cast<int>(ConstraintSource::TendonLimit);
    if (limit || tendon) held += row.force;
  }
  EXPECT_NEAR(held, -frame.control[0], 1e-6);
}

TEST(LogTest, EnergyIsThatOfTheState) {
  const TempFolder folder;
  const Recorded recorded = run_to_log(folder.path() / "run.h5", 50);
  const Model model(busy_scene());
  double potential = 0, kinetic = 0;
  const State& state = recorded.states.back();
  for (std::size_t box = 0; box < 3; ++box) {
    potential += 9.81 * state.q[7 * box + 2];
    for (std::size_t k = 0; k < 3; ++k) {
      kinetic += 0.5 * state.v[6 * box + k] * state.v[6 * box + k];
      kinetic += 0.5 * (2.0 / 3 * 0.05 * 0.05) * state.v[6 * box + 3 + k] * state.v[6 * box + 3 + k];
    }
  }
  for (const std::size_t finger : {18U, 19U}) kinetic += 0.5 * 0.2 * state.v[finger] * state.v[finger];
  potential += 2 * 0.2 * 9.81 * 0.06;
  EXPECT_NEAR(recorded.frames.back().kinetic, kinetic, 1e-12);
  EXPECT_NEAR(recorded.frames.back().potential, potential, 1e-12);
}

}  // namespace
}  // namespace uzawa::test
