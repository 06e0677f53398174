#include "worst_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "build_folders.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* kGround = R"(<geom type="plane" size="5 5 0.1" friction="0.6"/>)";

std::string document(const std::string& bodies) {
  return "<mujoco><size memory=\"512M\"/><option timestep=\"0.002\"/><worldbody>" + bodies + "</worldbody></mujoco>";
}

/// A body with a free joint, at rest.
void add_body(Scene& scene, std::string& bodies, const std::array<double, 3>& place, const std::array<double, 4>& turn,
              const std::string& geom) {
  bodies += fmt::format(R"(<body pos="{} {} {}"><freejoint/>{}</body>)", place[0], place[1], place[2], geom);
  scene.q.insert(scene.q.end(), place.begin(), place.end());
  scene.q.insert(scene.q.end(), turn.begin(), turn.end());
  scene.v.insert(scene.v.end(), 6, 0.0);
}

/// Every free body of a scene that has only such within `reach` of the origin, and none below the ground.
std::function<std::string(const std::vector<double>&)> stays_within(double reach, double sink) {
  return [=](const std::vector<double>& q) -> std::string {
    for (std::size_t i = 0; i + 6 < q.size(); i += 7) {
      const bool inside = std::abs(q[i]) < reach && std::abs(q[i + 1]) < reach && q[i + 2] > -sink && q[i + 2] < reach;
      if (!inside) return fmt::format("body {} is at {:.3f} {:.3f} {:.3f}", i / 7, q[i], q[i + 1], q[i + 2]);
    }
    return "";
  };
}

/// A wall of side x side bricks, laid in bond, that a ball hits in the middle.
Scene wall(int side) {
  constexpr double kLength = 0.2, kHalfHeight = 0.04, kSpeed = 10;  // m, m, m/s
  Scene scene;
  scene.name = fmt::format("wall of {} bricks hit by a ball", side * side);
  std::string bodies = kGround;
  for (int i = 0; i < side * side; ++i) {
    const int row = i / side;
    add_body(
        scene, bodies, {0, kLength * (i % side + 0.5 * (row % 2)), kHalfHeight * (2 * row + 1)}, {1, 0, 0, 0},
        fmt::format(R"(<geom type="box" size="0.05 {} {}" mass="1.6" friction="0.6"/>)", kLength / 2, kHalfHeight));
  }
  add_body(scene, bodies, {-0.2, kLength * side / 2, kHalfHeight * side}, {1, 0, 0, 0},
           R"(<geom size="0.1" mass="8" friction="0.6"/>)");
  scene.v[scene.v.size() - 6] = kSpeed;
  scene.xml = document(bodies);
  scene.complaint = stays_within(30, 0.05);
  return scene;
}

/// A row of dominoes, the first of which is pushed.
Scene dominoes(int count) {
  constexpr double kHalfHeight = 0.05, kSpacing = 0.045, kPush = 3;  // m, m, rad/s
  Scene scene;
  scene.name = fmt::format("{} dominoes", count);
  std::string bodies = kGround;
  for (int i = 0; i < count; ++i) {
    add_body(scene, bodies, {kSpacing * i, 0, kHalfHeight}, {1, 0, 0, 0},
             fmt::format(R"(<geom type="box" size="0.005 0.025 {}" mass="0.03" friction="0.4"/>)", kHalfHeight));
  }
  scene.v[0] = kPush * kHalfHeight;
  scene.v[4] = kPush;
  scene.xml = document(bodies);
  scene.steps = 1000;
  scene.complaint = stays_within(5, 0.05);
  return scene;
}

/// Balls, boxes, capsules and cylinders that are dropped into a box, turned at random.
Scene mixed_bodies(int count) {
  constexpr double kSize = 0.03, kCell = 0.1;                             // m
  const int side = static_cast<int>(std::ceil(std::sqrt(count / 10.0)));  // ten layers
  const double half = kCell * side / 2;
  Scene scene;
  scene.name = fmt::format("{} mixed bodies dropped into a box", count);
  std::string bodies = kGround;
  for (const auto& [x, y] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
    bodies += fmt::format(R"(<geom type="plane" size="5 5 0.1" friction="0.6" pos="{} {} 0" zaxis="{} {} 0"/>)",
                          -half * x, -half * y, x, y);
  }
  std::mt19937_64 random(5);
  const auto draw = [&] { return 2 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1; };  // -1 to 1
  for (int i = 0; i < count; ++i) {
    const auto place = [&](int k) { return kCell * (k + 0.5) - half + 0.01 * draw(); };
    const int cell = i % (side * side);
    std::array<double, 4> turn = {draw(), draw(), draw(), draw()};
    const double length = std::hypot(std::hypot(turn[0], turn[1]), std::hypot(turn[2], turn[3]));
    for (double& x : turn) x /= length;
    const std::array<std::string, 4> geoms = {fmt::format(R"(size="{}")", kSize),
                                              fmt::format(R"(type="box" size="{0} {1} {1}")", kSize, 0.8 * kSize),
                                              fmt::format(R"(type="capsule" size="{} {}")", 0.7 * kSize, 0.7 * kSize),
                                              fmt::format(R"(type="cylinder" size="{} {}")", kSize, 0.7 * kSize)};
    add_body(scene, bodies, {place(cell % side), place(cell / side), kCell * (i / (side * side) + 1)}, turn,
             "<geom " + geoms[at(i % 4)] + R"( density="1000" friction="0.6"/>)");
  }
  scene.xml = document(bodies);
  scene.steps = 400;
  scene.complaint = stays_within(std::max(2.0, half + 0.05), 0.02);
  return scene;
}

/// A robot's own scene, from its keyframe under that keyframe's controls.
Scene robot(const fs::path& path) {
  Scene scene;
  scene.name = path.parent_path().filename().string() + "/" + path.stem().string();
  scene.path = path;
  scene.complaint = [](const std::vector<double>& q) -> std::string {
    const auto far = std::find_if(q.begin(), q.end(), [](double x) { return !(std::abs(x) < 1e3); });
    return far == q.end() ? "" : fmt::format("coordinate {} is {:g}", far - q.begin(), *far);
  };
  return scene;
}

void add_robots(const fs::path& folder, std::vector<Scene>& scenes) {
  if (!fs::is_directory(folder)) {
    fmt::print("skipped (not there): {}\n", folder.filename().string());
    return;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".xml" && stem.find("scene") != std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) scenes.push_back(robot(file));
}

}  // namespace

std::vector<Scene> worst_scenes() {
  std::vector<Scene> scenes = {wall(5), wall(10), dominoes(30), mixed_bodies(500), mixed_bodies(1000)};
  add_robots(UZAWA_MODELS, scenes);
  add_robots(std::string(UZAWA_SHARED_DATA) + "/menagerie", scenes);
  return scenes;
}

}  // namespace uzawa::bench
