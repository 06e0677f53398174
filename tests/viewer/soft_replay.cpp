// A replay of things that bend, without a simulation: soft_replay OUT.html SECONDS writes a waving mat of 1,512 nodes,
// a wobbling ball, a flag, a cord and two rods, and prints where some vertices are at the end.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/soft_models.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "uzawa/log/replay_writer.hpp"
#include "viewer_page.hpp"

namespace {

using uzawa::Vec3;

constexpr double kPi = std::numbers::pi;
constexpr int kRope = 40, kRing = 24;  // links
const Vec3 kBallPlace(0, -0.9, 0.25), kFlagPlace(-0.9, -0.6, 0.6);

Vec3 wave(const Vec3& x, double t) {
  return x + Vec3(0, 0, 0.06 * std::sin(7 * x.x() + 5 * t) * std::cos(5 * x.y() - 3 * t));
}
Vec3 wobble(const Vec3& x, double t) {
  const double s = 1 + 0.25 * std::sin(6 * t);
  const Vec3 d = x - kBallPlace;
  return kBallPlace + Vec3(d.x() / std::sqrt(s), d.y() / std::sqrt(s), d.z() * s);
}
Vec3 flutter(const Vec3& x, double t) {
  const double out = x.x() - kFlagPlace.x();
  return x + Vec3(0, 0.3 * out * std::sin(9 * out - 6 * t), 0);
}
Vec3 swing(const Vec3& x, double t) { return x + Vec3(0.1 * std::sin(2 * t) * std::sin(2 * x.z()), 0, 0); }

std::vector<Vec3> rope(double t) {
  std::vector<Vec3> points;
  for (int i = 0; i <= kRope; ++i) {
    const double s = static_cast<double>(i) / kRope, angle = 4 * kPi * s + t;
    points.emplace_back(0.9 + 0.15 * std::cos(angle), -1 + 1.2 * s, 0.25 + 0.15 * std::sin(angle));
  }
  return points;
}
std::vector<Vec3> ring(double t) {
  std::vector<Vec3> points;
  for (int i = 0; i <= kRing; ++i) {
    const double angle = 2 * kPi * i / kRing;
    points.emplace_back(-0.9 + 0.2 * std::cos(angle), 0.2 * std::sin(angle), 0.2 + 0.05 * std::sin(2 * angle + 3 * t));
  }
  return points;
}

uzawa::ModelSpec scene() {
  using namespace uzawa::test;
  uzawa::ModelSpec spec;
  uzawa::GeomSpec ground;
  ground.shape = uzawa::ShapeType::Plane;
  spec.geoms.push_back(ground);
  uzawa::TetMesh mat = box_mesh(28, 27, 2, {0.5, 0.5, 0.02});
  for (Vec3& x : mat.nodes) x = x + Vec3(0, 0, 0.3);
  add_soft_body(spec, "mat", mat.nodes, 0, {0.2F, 0.5F, 0.8F, 1}).tets = mat.tets;
  uzawa::TetMesh ball = ball_mesh(9, 0.2);
  for (Vec3& x : ball.nodes) x = x + kBallPlace;
  add_soft_body(spec, "ball", ball.nodes, 0.002, {0.8F, 0.25F, 0.2F, 1}).tets = ball.tets;
  std::vector<Vec3> flag;
  for (int i = 0; i < 16 * 11; ++i)
    flag.push_back(kFlagPlace + Vec3(0.04 * (i % 16), 0, 0.04 * static_cast<int>(i / 16)));
  uzawa::SoftBodySpec& shell = add_soft_body(spec, "flag", flag, 0.004, {0.9F, 0.75F, 0.2F, 1});
  shell.material.thickness = 0.008;
  for (int i = 0; i < 16 * 10; ++i) {
    if (i % 16 == 15) continue;
    shell.triangles.push_back({i, i + 1, i + 17});
    shell.triangles.push_back({i, i + 17, i + 16});
  }
  std::vector<Vec3> cord;
  for (int i = 0; i < 12; ++i) cord.emplace_back(-0.45, 0.8, 0.1 * i);
  uzawa::SoftBodySpec& string = add_soft_body(spec, "cord", cord, 0.01, {0.3F, 0.3F, 0.35F, 1});
  for (int i = 0; i + 1 < 12; ++i) string.edges.push_back({i, i + 1});
  add_rod(spec, "rope", rope(0), 0.03, {0.75F, 0.6F, 0.4F, 1});
  spec.geoms.back().orientation = uzawa::exp_rotation({kPi, 0, 0});  // a capsule may look either way
  uzawa::RodSpec& closed = add_rod(spec, "ring", ring(0), 0.025, {0.5F, 0.5F, 0.5F, 1});
  closed.joints.push_back({.first = kRing - 1, .second = 0});
  return spec;
}

int write_replay(const char* path, double seconds) {
  const uzawa::World world{uzawa::Model(scene())};
  const uzawa::Model& model = world.model();
  uzawa::ReplayWriter writer(path, uzawa::viewer_page(), uzawa::describe(world), model);
  uzawa::LogFrame frame;
  frame.state = world.state();
  const std::array motions{wave, wobble, flutter, swing};
  for (int i = 1; i <= static_cast<int>(std::lround(seconds * uzawa::kReplayRate)); ++i) {
    const double t = frame.state.time = i / uzawa::kReplayRate;
    for (std::size_t s = 0; s < motions.size(); ++s) {
      uzawa::test::deform(
          model, static_cast<int>(s), [&](const Vec3& x) { return motions[s](x, t); }, frame.state);
    }
    uzawa::test::lay_rod(model, 0, rope(t), 0.3 * std::sin(t), frame.state);
    uzawa::test::lay_rod(model, 1, ring(t), 0, frame.state);
    if (writer.wants(frame.report, t)) writer.write(frame);
  }
  writer.close();
  nlohmann::json vertices = nlohmann::json::array();
  for (std::size_t s = 0; s < motions.size(); ++s) {
    const uzawa::SoftBodySpec& soft = model.spec().soft_bodies[s];
    const std::vector<int>& skin = model.skin(static_cast<int>(s)).vertices;
    for (std::size_t v = 0; v < skin.size(); v += skin.size() / 5) {
      const int body = soft.bodies[static_cast<std::size_t>(skin[v])];
      const Vec3 x = motions[s](model.spec().bodies[static_cast<std::size_t>(body)].position, frame.state.time);
      vertices.push_back({{"soft", s}, {"vertex", v}, {"position", {x.x(), x.y(), x.z()}}});
    }
  }
  std::puts(nlohmann::json({{"vertices", vertices}}).dump().c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 3 ? write_replay(argv[1], std::atof(argv[2])) : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
