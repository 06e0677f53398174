/// Replays: what is packed comes out again within the stated bounds, at the stated rate; damage is found and named.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "io/temp_folder.hpp"
#include "log/run_to_log.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_reader.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "uzawa/log/replay_writer.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

const std::string kPage = "<html>before" + std::string(kReplayMark) + "after</html>";

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vec3 random_vector(std::mt19937& random, double size) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}

Vec3 random_direction(std::mt19937& random) {
  const Vec3 x = random_vector(random, 1);
  return x * (1 / norm(x));
}

/// Frames with jumps, turns beyond half a turn, and contacts that come and go.
std::vector<ReplayFrame> random_frames(std::mt19937& random, std::size_t count, std::size_t links) {
  std::vector<ReplayFrame> frames(count);
  for (ReplayFrame& frame : frames) {
    frame.time = uniform(random, 0, 100);
    for (float& x : frame.series) x = static_cast<float>(uniform(random, -1, 1));
    for (std::size_t i = 0; i < links; ++i) {
      frame.placements.push_back({random_vector(random, std::pow(10.0, static_cast<double>(i % 5) - 2)),
                                  exp_rotation(random_vector(random, 4))});
    }
    for (std::size_t i = 0; i < links / 2; ++i) frame.joints.push_back(uniform(random, -3, 3));
    frame.contacts.resize(random() % 5);
    for (ReplayContact& contact : frame.contacts) {
      contact = {static_cast<int>(random() % 100000), static_cast<int>(random() % 7), random_vector(random, 1),
                 random_vector(random, std::pow(10.0, uniform(random, -6, 6))), random_direction(random)};
    }
  }
  return frames;
}

/// The largest of |a - b| along an axis that the range of the values allows.
void expect_within_range(const Vec3& a, const Vec3& b, const Vec3& range) {
  for (int k = 0; k < 3; ++k) EXPECT_LE(std::abs(a[k] - b[k]), range[k] * kReplayPositionError * (1 + 1e-9) + 1e-15);
}

template <typename Get>
Vec3 range_of(const std::vector<ReplayFrame>& frames, Get&& each) {
  Vec3 low(1e300, 1e300, 1e300), high = -low;
  for (const ReplayFrame& frame : frames) {
    each(frame, [&](const Vec3& x) {
      for (int k = 0; k < 3; ++k) low.set(k, std::min(low[k], x[k])), high.set(k, std::max(high[k], x[k]));
    });
  }
  return high - low;
}

void expect_same_contacts(const std::vector<ReplayFrame>& given, const std::vector<ReplayFrame>& got) {
  const Vec3 range = range_of(given, [](const ReplayFrame& frame, auto&& visit) {
    for (const ReplayContact& contact : frame.contacts) visit(contact.position);
  });
  for (std::size_t f = 0; f < given.size(); ++f) {
    ASSERT_EQ(got[f].contacts.size(), given[f].contacts.size());
    for (std::size_t c = 0; c < given[f].contacts.size(); ++c) {
      const ReplayContact &a = given[f].contacts[c], &b = got[f].contacts[c];
      EXPECT_EQ(a.geom1, b.geom1);
      EXPECT_EQ(a.geom2, b.geom2);
      expect_within_range(a.position, b.position, range);
      for (int k = 0; k < 3; ++k)
        EXPECT_LE(std::abs(a.force[k] - b.force[k]), kReplayForceError * std::abs(a.force[k]));
      EXPECT_LE(norm(a.normal - b.normal), kReplayNormalError);
    }
  }
}

TEST(ReplayBlock, ComesBackWithinTheStatedBounds) {
  std::mt19937 random(3);
  for (const std::size_t count : {1U, 2U, 50U}) {
    for (const std::size_t links : {0U, 1U, 9U}) {
      const std::vector<ReplayFrame> given = random_frames(random, count, links);
      const std::vector<ReplayFrame> got = unpack_block(pack_block(given), "file", "block");
      ASSERT_EQ(got.size(), count);
      for (std::size_t f = 0; f < count; ++f) {
        EXPECT_EQ(got[f].time, given[f].time);
        EXPECT_EQ(got[f].series, given[f].series);
        ASSERT_EQ(got[f].placements.size(), links);
        for (std::size_t i = 0; i < links; ++i) {
          const Vec3 range =
              range_of(given, [&](const ReplayFrame& frame, auto&& visit) { visit(frame.placements[i].position); });
          expect_within_range(given[f].placements[i].position, got[f].placements[i].position, range);
          EXPECT_LE(norm(rotation_between(given[f].placements[i].orientation, got[f].placements[i].orientation)),
                    kReplayAngleError);
        }
        ASSERT_EQ(got[f].joints.size(), links / 2);
        for (std::size_t j = 0; j < links / 2; ++j) {
          EXPECT_NEAR(got[f].joints[j], given[f].joints[j], 6 * kReplayJointError);
        }
      }
      expect_same_contacts(given, got);
    }
  }
}

/// Straight down and along the axes, where the octahedron's folds are.
TEST(ReplayBlock, NormalsAlongTheAxesAreExact) {
  std::vector<ReplayFrame> frames(1);
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) {
      Vec3 normal;
      normal.set(k, sign);
      frames[0].contacts.push_back({0, 1, {}, {0, 0, 1}, normal});
    }
  }
  const std::vector<ReplayFrame> got = unpack_block(pack_block(frames), "file", "block");
  for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(norm(got[0].contacts[c].normal - frames[0].contacts[c].normal), 0) << c;
}

TEST(ReplayBlock, OneFrameAloneHasExactPositions) {
  std::mt19937 random(4);
  const std::vector<ReplayFrame> given = random_frames(random, 1, 5);
  const std::vector<ReplayFrame> got = unpack_block(pack_block(given), "file", "block");
  for (std::size_t i = 0; i < 5; ++i) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(got[0].placements[i].position[k], given[0].placements[i].position[k]);
    }
  }
}

TEST(ReplayBlock, DamagedBytesAreRefusedOrReadButNeverCrash) {
  std::mt19937 random(5);
  const std::string whole = pack_block(random_frames(random, 20, 3));
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    EXPECT_THROW(unpack_block(whole.substr(0, size), "file", "block 2"), InputError);
  }
  // Damage behind the checksum of zlib: as if a broken program had written it.
  const std::string plain = inflated(whole);
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = plain;
    for (int i = 0; i < 3; ++i)
      damaged[random() % (trial % 2 == 0 ? 16 : damaged.size())] = static_cast<char>(random());
    try {
      unpack_block(deflated(damaged), "file", "block 2");
    } catch (const InputError& error) {
      EXPECT_EQ(error.element(), "block 2");
    }
  }
}

TEST(Base64, IsTheOneOfTheStandard) {  // RFC 4648, section 10
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : pairs) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  std::string all(256, '\0');
  for (int i = 0; i < 256; ++i) all[static_cast<std::size_t>(i)] = static_cast<char>(i);
  EXPECT_EQ(from_base64(to_base64(all)), all);
  EXPECT_THROW(from_base64("Zm9"), std::runtime_error);
  EXPECT_THROW(from_base64("Zm9*"), std::runtime_error);
}

/// Runs the busy scene into a replay; the states of all steps.
std::vector<State> run_to_replay(const fs::path& path, const Model& model, double dt, int steps) {
  World world(model, {.dt = dt});
  FrameMaker maker(world);
  ReplayWriter writer(path, kPage, describe(world), world.model());
  std::vector<State> states{world.state()};
  for (int i = 0; i < steps; ++i) {
    world.step();
    states.push_back(world.state());
    if (writer.wants(world.report(), world.state().time)) writer.write(maker.make({}, {}));
  }
  writer.close();
  return states;
}

TEST(Replay, HasSixtyFramesASecondWhereTheRunWas) {
  const TempFolder folder;
  const Model model(busy_scene());
  for (const double dt : {0.001, 0.004, 1.0 / 60, 0.03}) {
    const int steps = static_cast<int>(std::lround(1 / dt));
    const std::vector<State> states = run_to_replay(folder.path() / "run.html", model, dt, steps);
    const Replay replay = read_replay(folder.path() / "run.html");
    EXPECT_EQ(replay.frames.size(), static_cast<std::size_t>(std::min(61, steps + 1))) << dt;
    DynamicsData data(model);
    for (const ReplayFrame& frame : replay.frames) {
      const auto step = static_cast<std::size_t>(std::lround(frame.time / dt));
      ASSERT_LT(step, states.size());
      EXPECT_EQ(frame.time, states[step].time);
      forward_kinematics(model, states[step].q, data);
      ASSERT_EQ(frame.placements.size(), model.links().size());
      for (std::size_t i = 0; i < model.links().size(); ++i) {
        EXPECT_LE(norm(frame.placements[i].position - data.link_pose[i].position), 2 * kReplayPositionError);
        const Quat orientation = to_quaternion(data.link_pose[i].rotation);
        EXPECT_LE(norm(rotation_between(frame.placements[i].orientation, orientation)), kReplayAngleError);
      }
    }
  }
}

TEST(Replay, TheSceneTellsWhatToDraw) {
  const TempFolder folder;
  ModelSpec spec = busy_scene();
  spec.geoms[1].name = "</script><b>";  // must not end the element that it stands in
  spec.geoms[2].sdf = SdfSpec{.parts = {{bowl(0.08, 0.05, 0.004)}}};
  spec.geoms[3].sdf = spec.geoms[2].sdf;
  const Model model(spec);
  run_to_replay(folder.path() / "run.html", model, 0.002, 10);
  const auto scene = nlohmann::json::parse(read_replay(folder.path() / "run.html").scene);
  EXPECT_EQ(scene["links"].size(), model.links().size());
  ASSERT_EQ(scene["geoms"].size(), spec.geoms.size());
  EXPECT_EQ(scene["geoms"][0]["shape"], "plane");
  EXPECT_EQ(scene["geoms"][0]["link"], -1);
  EXPECT_EQ(scene["geoms"][1]["name"], "</script><b>");
  EXPECT_EQ(scene["geoms"][1]["shape"], "box");
  EXPECT_EQ(scene["geoms"][2]["shape"], "mesh");
  ASSERT_EQ(scene["meshes"].size(), 1U);  // both bowls share one
  const auto& mesh = scene["meshes"][0];
  const std::string bytes = inflated(from_base64(mesh["data"].get<std::string>()));
  EXPECT_EQ(bytes.size(), 12 * (mesh["vertices"].get<std::size_t>() + mesh["faces"].get<std::size_t>()));
}

/// What the reader complains about; empty: nothing.
std::string complaint(const fs::path& path) {
  try {
    read_replay(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Replay, TruncatedAndDamagedFilesAreNamed) {
  const TempFolder folder;
  run_to_replay(folder.path() / "run.html", Model(busy_scene()), 0.004, 200);
  const std::string whole = read_text(folder.path() / "run.html");
  const std::size_t end = whole.rfind("after</html>");
  for (std::size_t size = 0; size < end; size += 211) {
    EXPECT_NE(complaint(folder.write("cut.html", whole.substr(0, size))), "") << size;
  }
  const std::string middle = complaint(folder.write("cut.html", whole.substr(0, end - 200)));
  EXPECT_NE(middle.find("block 1"), std::string::npos) << middle;
  EXPECT_NE(middle.find("cut off"), std::string::npos) << middle;
  std::string damaged = whole;
  damaged[end - 400] = damaged[end - 400] == 'A' ? 'B' : 'A';
  const std::string said = complaint(folder.write("damaged.html", damaged));
  EXPECT_NE(said.find("block 1"), std::string::npos) << said;
  EXPECT_NE(complaint(folder.write("other.html", "<html></html>")).find("is no replay"), std::string::npos);
  EXPECT_NE(complaint(folder.path() / "absent.html").find("no such file"), std::string::npos);
}

TEST(Replay, IsThereWholeOrNotAtAll) {
  const TempFolder folder;
  const Model model(busy_scene());
  const World world(model, {.dt = 0.002});
  const fs::path path = folder.write("run.html", "the old one");
  { ReplayWriter writer(path, kPage, describe(world), model); }
  EXPECT_EQ(read_text(path), "the old one");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  EXPECT_THROW(ReplayWriter(folder.path(), kPage, describe(world), model), InputError);
  EXPECT_THROW(ReplayWriter(folder.path() / "no" / "run.html", kPage, describe(world), model), InputError);
  EXPECT_THROW(ReplayWriter(path, "a page without the mark", describe(world), model), InputError);
}

}  // namespace
}  // namespace uzawa::test
