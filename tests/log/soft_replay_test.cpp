/// Replays of soft bodies and rods: what is drawn is where the nodes are, it is small, and mere nodes cost no
/// placement.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "io/temp_folder.hpp"
#include "support/soft_models.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/log_reader.hpp"
#include "uzawa/log/log_writer.hpp"
#include "uzawa/log/replay_layout.hpp"
#include "uzawa/log/replay_reader.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "uzawa/log/replay_writer.hpp"

namespace uzawa::test {
namespace {

const std::string kPage = "<html>" + std::string(kReplayMark) + "</html>";
constexpr std::array<float, 4> kRed{1, 0, 0, 1};

Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> value(-size, size);
  return {value(random), value(random), value(random)};
}

double extent_of(const std::vector<Vec3>& points) {
  double extent = 0;
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(), [k](const Vec3& a, const Vec3& b) { return a[k] < b[k]; });
    extent = std::max(extent, (*high)[k] - (*low)[k]);
  }
  return extent;
}

void expect_same_skins(const std::vector<ReplayFrame>& given, const std::vector<ReplayFrame>& got) {
  ASSERT_EQ(got.size(), given.size());
  for (std::size_t body = 0; body < given.front().skins.size(); ++body) {
    double extent = 0;
    for (const ReplayFrame& frame : given) extent = std::max(extent, extent_of(frame.skins[body]));
    for (std::size_t f = 0; f < given.size(); ++f) {
      const std::vector<Vec3>&a = given[f].skins[body], &b = got[f].skins[body];
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t v = 0; v < a.size(); ++v) {
        for (int k = 0; k < 3; ++k) {
          ASSERT_LE(std::abs(a[v][k] - b[v][k]), extent * kReplaySkinError * (1 + 1e-9) + 1e-15 * std::abs(a[v][k]));
        }
      }
    }
  }
}

/// Bodies that jump about, rest, and move on at constant speed: every prediction is the best one somewhere.
std::vector<ReplayFrame> random_skins(std::mt19937& random, std::size_t frames) {
  std::vector<ReplayFrame> out(frames);
  for (const std::size_t vertices : {1U, 7U, 100U}) {
    std::vector<Vec3> shape(vertices), speed(vertices);
    for (std::size_t f = 0; f < frames; ++f) {
      for (std::size_t v = 0; v < vertices; ++v) {
        if (f % 10 < 3) shape[v] = random_vector(random, 1);
        speed[v] = f % 10 < 6 ? Vec3() : f % 10 == 6 ? random_vector(random, 0.1) : speed[v];
        shape[v] = shape[v] + speed[v];
      }
      out[f].skins.push_back(shape);
    }
  }
  return out;
}

TEST(SkinPacking, ComesBackWithinTheStatedBounds) {
  std::mt19937 random(11);
  for (const std::size_t frames : {1U, 2U, 3U, 40U}) {
    const std::vector<ReplayFrame> given = random_skins(random, frames);
    expect_same_skins(given, unpack_block(pack_block(given), "file", "block"));
  }
}

/// 1/131070 of its size, not of its way; and what only moves on costs next to nothing.
TEST(SkinPacking, PrecisionAndSizeDoNotDependOnTheWay) {
  std::mt19937 random(12);
  std::vector<ReplayFrame> given(100);
  std::vector<Vec3> shape(500);
  for (Vec3& x : shape) x = random_vector(random, 0.05);
  for (std::size_t f = 0; f < given.size(); ++f) {
    given[f].skins.resize(1);
    const Vec3 way(2.0 * static_cast<double>(f), 0, -std::pow(static_cast<double>(f), 2));
    for (const Vec3& x : shape) given[f].skins[0].push_back(x + way);
  }
  const std::string packed = pack_block(given);
  expect_same_skins(given, unpack_block(packed, "file", "block"));
  EXPECT_LT(packed.size(), 2 * pack_block({given.data(), 1}).size());
}

TEST(SkinPacking, NumbersThatAreNoneDoNotCrash) {
  std::vector<ReplayFrame> given(3);
  for (ReplayFrame& frame : given) frame.skins = {{{0, 0, 0}, {1, 2, 3}}};
  given[1].skins[0][0] = {NAN, INFINITY, -INFINITY};
  const std::vector<ReplayFrame> got = unpack_block(pack_block(given), "file", "block");
  EXPECT_NEAR(got[1].skins[0][1].z(), 3, 1e-4);
  EXPECT_NEAR(got[2].skins[0][0].x(), 0, 1e-4);
}

TEST(SkinPacking, DamagedBytesAreRefusedOrReadButNeverCrash) {
  std::mt19937 random(13);
  const std::string plain = inflated(pack_block(random_skins(random, 9)));
  int refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = plain;
    for (int i = 0; i < 3; ++i)
      damaged[random() % (trial % 2 == 0 ? 32 : damaged.size())] = static_cast<char>(random());
    try {
      unpack_block(deflated(damaged), "file", "block 2");
    } catch (const InputError& error) {
      EXPECT_EQ(error.element(), "block 2");
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

/// Version 2 is version 3 without the number of joints (here there are no contacts, which have normals), version 1 is
/// that without the number of soft bodies.
TEST(SkinPacking, BlocksOfEarlierVersionsAreRead) {
  std::vector<ReplayFrame> given(2);
  for (ReplayFrame& frame : given) frame.placements = {{{1, 2, 3}, Quat()}};
  const std::string plain = inflated(pack_block(given));
  for (const auto& [magic, dropped] : {std::pair("UZB2", 4U), std::pair("UZB1", 8U)}) {
    std::string earlier = plain;
    earlier.replace(0, 4, magic).erase(16, dropped);
    const std::vector<ReplayFrame> got = unpack_block(deflated(earlier), "file", "block");
    ASSERT_EQ(got.size(), 2U);
    EXPECT_EQ(got[1].placements[0].position.z(), 3);
    EXPECT_TRUE(got[1].skins.empty());
  }
}

/// A box of soft material of which some nodes are fixed, on a robot's link, or have a site; a rod; a rigid ball.
ModelSpec mixed_scene() {
  ModelSpec spec;
  BodySpec ball;
  ball.name = "ball";
  ball.parent = 0;
  ball.mass = 1;
  ball.principal_inertia = {1, 1, 1};
  spec.bodies.push_back(ball);
  JointSpec joint;
  joint.type = JointType::Free;
  joint.body = 1;
  spec.joints.push_back(joint);
  GeomSpec geom;
  geom.body = 1;
  geom.size = {0.1, 0, 0};
  spec.geoms.push_back(geom);
  const TetMesh mesh = box_mesh(3, 3, 3, {0.1, 0.1, 0.1});
  SoftBodySpec& soft = add_soft_body(spec, "jelly", mesh.nodes, 0.001, kRed);
  soft.tets = mesh.tets;
  soft.offsets.assign(soft.bodies.size(), Vec3());
  soft.bodies[0] = 0;  // pinned
  soft.offsets[0] = mesh.nodes[0];
  soft.bodies[1] = 1;  // glued to the ball
  soft.offsets[1] = mesh.nodes[1];
  spec.sites.push_back({.name = "mark", .body = soft.bodies[2]});
  add_rod(spec, "rope", {{1, 0, 0}, {1, 0, 0.1}, {1, 0, 0.2}, {1, 0.1, 0.2}}, 0.01, kRed);
  return spec;
}

TEST(ReplayLayout, LeavesOutWhatIsNothingButANode) {
  const Model model(mixed_scene());
  const ReplayLayout layout(model);
  // The ball, the two bodies whose nodes were given to others and now are plain bodies, that with the site, three
  // links.
  EXPECT_EQ(layout.links.size(), 7U);
  for (std::size_t i = 0; i < layout.links.size(); ++i) {
    EXPECT_EQ(layout.place[static_cast<std::size_t>(layout.links[i])], static_cast<int>(i));
  }
  ASSERT_EQ(layout.skins.size(), 1U);
  EXPECT_EQ(layout.skins[0].size(), 26U);  // all nodes but the one inside
  EXPECT_EQ(layout.skins[0][0].link, -1);
  EXPECT_EQ(layout.skins[0][1].link, model.body_link(1));
}

TEST(ReplayScene, TellsOfSoftBodiesAndRods) {
  const Model model(mixed_scene());
  const auto scene = nlohmann::json::parse(scene_message({}, model));
  ASSERT_EQ(scene["softs"].size(), 1U);
  const auto& soft = scene["softs"][0];
  EXPECT_EQ(soft["name"], "jelly");
  EXPECT_EQ(soft["nodes"], 27);
  EXPECT_EQ(soft["vertices"], 26);
  EXPECT_EQ(soft["faces"], 48);
  EXPECT_EQ(soft["closed"], true);
  EXPECT_NEAR(soft["mass"].get<double>(), 24.0 / 27, 1e-12);
  EXPECT_EQ(inflated(from_base64(soft["data"].get<std::string>())).size(), 12U * 48 + 28U * 26);
  EXPECT_EQ(scene["geoms"][1]["shape"], "skin");
  EXPECT_EQ(scene["geoms"][1]["soft"], 0);
  ASSERT_EQ(scene["rods"].size(), 1U);
  EXPECT_EQ(scene["rods"][0]["links"].size(), 3U);
  EXPECT_EQ(scene["rods"][0]["closed"], false);
  const int first = scene["rods"][0]["links"][0];
  EXPECT_EQ(scene["links"][first]["name"], "rope0");
  EXPECT_EQ(scene["geoms"][scene["rods"][0]["geoms"][0].get<int>()]["link"], first);
}

/// From a log, as `uzawa replay` does it.
TEST(SoftReplay, FromALogShowsTheNodesWhereTheyAre) {
  const TempFolder folder;
  const Model model(mixed_scene());
  const World world{model};
  LogFrame frame;
  frame.state = world.state();
  frame.external.assign(static_cast<std::size_t>(model.nv()), 0.0);
  const auto wave = [](double time) { return [time](const Vec3& x) { return x + Vec3(0, 0, time * x.x()); }; };
  {
    LogWriter log(folder.path() / "run.h5", describe(world));
    for (int i = 1; i <= 30; ++i) {
      frame.state.time = i / 60.0;
      deform(model, 0, wave(frame.state.time), frame.state);
      log.write(frame);
    }
    log.close();
  }
  LogReader log(folder.path() / "run.h5");
  ReplayWriter writer(folder.path() / "run.html", kPage, log.info(), model);
  for (std::size_t i = 0; i < log.frames(); ++i) {
    log.read(i, frame);
    if (writer.wants(frame.report, frame.state.time)) writer.write(frame);
  }
  writer.close();
  const Replay replay = read_replay(folder.path() / "run.html");
  ASSERT_EQ(replay.frames.size(), 31U);
  const std::vector<int>& nodes = model.skin(0).vertices;
  for (const ReplayFrame& got : replay.frames) {
    for (std::size_t v = 2; v < nodes.size(); ++v) {  // the first two do not move with their bodies
      const Vec3 rest = model.spec().bodies[static_cast<std::size_t>(nodes[v]) + 2].position;
      EXPECT_LE(norm(got.skins[0][v] - wave(got.time)(rest)), 1e-5);
    }
    EXPECT_LE(norm(got.skins[0][0] - Vec3(-0.1, -0.1, -0.1)), 1e-5);  // pinned
  }
}

/// Ten seconds of a mat of 1,512 nodes that is thrown about: travelling waves that die down, trembling, a throw.
TEST(SoftReplay, TenSecondsOfAMatTakeLessThanFiveMegabytes) {
  const TempFolder folder;
  ModelSpec spec;
  const TetMesh mesh = box_mesh(28, 27, 2, {0.5, 0.5, 0.01});
  add_soft_body(spec, "mat", mesh.nodes, 0, kRed).tets = mesh.tets;
  const Model model(spec);
  const World world{model};
  ReplayWriter writer(folder.path() / "mat.html", kPage, describe(world), model);
  LogFrame frame;
  frame.state = world.state();
  std::mt19937 random(7);
  for (int i = 1; i <= 600; ++i) {
    const double t = frame.state.time = i / 60.0;
    deform(
        model, 0,
        [&](const Vec3& x) {
          const double wave = 0.15 * std::sin(9 * x.x() + 12 * t) * std::cos(6 * x.y() - 8 * t);
          return x + Vec3(0.3 * t, 0.05 * std::sin(5 * t + 8 * x.y()), wave + t * (10 - t)) +
                 random_vector(random, 1e-4);
        },
        frame.state);
    if (writer.wants(frame.report, t)) writer.write(frame);
  }
  writer.close();
  const auto bytes = std::filesystem::file_size(folder.path() / "mat.html");
  RecordProperty("bytes", std::to_string(bytes));
  constexpr double kPageBytes = 0.7e6;
  EXPECT_LT(static_cast<double>(bytes), 5e6 - kPageBytes);
  EXPECT_EQ(read_replay(folder.path() / "mat.html").frames.size(), 601U);
}

}  // namespace
}  // namespace uzawa::test
