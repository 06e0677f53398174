#include "step_scenes.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "build_folders.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa::bench {

namespace {

constexpr double kRadius = 0.01, kSphereMass = 0.004;  // m, kg: as in the granular scenes of the papers
constexpr double kHalf = 0.05;                         // m, of the boxes
const char* const kFloor = R"(<geom name="floor" type="plane" size="10 10 0.1" friction="0.8"/>)";

std::vector<double> numbers(const char* text) {
  std::vector<double> values;
  char* end = nullptr;
  for (double value = std::strtod(text, &end); end != text; value = std::strtod(text, &end)) {
    values.push_back(value);
    text = end;
  }
  return values;
}

std::string text_of(const tinyxml2::XMLElement& element) {
  tinyxml2::XMLPrinter printer;
  element.Accept(&printer);
  return printer.CStr();
}

/// Names of an element and of all below it, and the joints they refer to, with a suffix.
void rename(tinyxml2::XMLElement& element, const std::string& suffix) {
  for (const char* attribute : {"name", "joint"}) {
    const char* name = element.Attribute(attribute);
    if (name != nullptr) element.SetAttribute(attribute, (name + suffix).c_str());
  }
  for (auto* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    rename(*child, suffix);
  }
}

/// The part of a free joint's positions that says where it is.
double coordinate(const std::vector<double>& q, int body, int axis) { return q[at(7 * body + axis)]; }

std::string box_text(const std::string& name, const double (&place)[3], double mass) {
  return fmt::format(
      R"(<body name="{0}" pos="{1} {2} {3}"><freejoint/><geom type="box" size="{4} {4} {4}" mass="{5}"
         friction="0.8"/></body>)",
      name, place[0], place[1], place[2], kHalf, mass);
}

std::string expect_boxes_in_place(const std::vector<double>& q, const std::vector<double>& start, double slack) {
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (i % 7 < 3 && !(std::abs(q[i] - start[i]) < slack)) {
      return fmt::format("box {} is {:.1f} mm from its place", i / 7, 1e3 * std::abs(q[i] - start[i]));
    }
  }
  return "";
}

Scene file_scene(const char* name, const std::filesystem::path& path, int root, double lowest) {
  Scene scene;
  scene.name = name;
  scene.path = path;
  scene.complaint = [root, lowest](const std::vector<double>& q) -> std::string {
    const double height = q[root < 0 ? q.size() - 5 : at(root) + 2];
    return height > lowest && height < 2 ? "" : fmt::format("what should lie or stand is at z = {:.3f} m", height);
  };
  return scene;
}

}  // namespace

Scene quadrupeds(bool limp) {
  constexpr int kRobots = 8;
  constexpr double kDrop = 0.1;     // m
  constexpr double kSpread = 0.05;  // rad
  tinyxml2::XMLDocument file;
  const std::string path = std::string(UZAWA_MODELS) + "/quadruped.xml";
  if (file.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS) throw std::runtime_error("cannot read " + path);
  tinyxml2::XMLElement& root = *file.RootElement();
  tinyxml2::XMLElement& body = *root.FirstChildElement("worldbody")->FirstChildElement("body");
  tinyxml2::XMLElement& motors = *root.FirstChildElement("actuator");
  const tinyxml2::XMLElement& key = *root.FirstChildElement("keyframe")->FirstChildElement("key");
  const std::vector<double> home = numbers(key.Attribute("qpos")), control = numbers(key.Attribute("ctrl"));

  Scene scene;
  scene.name = limp ? "8 quadrupeds, limp" : "8 quadrupeds, standing";
  std::string bodies = kFloor, actuators;
  for (int i = 0; i < kRobots; ++i) {
    rename(body, "'");  // one more stroke a robot
    rename(motors, "'");
    bodies += text_of(body);
    for (auto* motor = motors.FirstChildElement(); motor != nullptr; motor = motor->NextSiblingElement()) {
      actuators += text_of(*motor);
    }
    scene.q.insert(scene.q.end(), home.begin(), home.end());
    double* place = scene.q.data() + scene.q.size() - home.size();
    place[0] += i % 4;
    place[1] += i / 4;
    place[2] += kDrop;
    // No two alike: what one fall meets by chance must not count eight times. The joints follow the seven of the trunk.
    for (std::size_t j = 7; j < home.size(); ++j) place[j] += kSpread * std::sin(static_cast<double>(j * at(i + 1)));
    if (!limp) scene.control.insert(scene.control.end(), control.begin(), control.end());
  }
  scene.xml = fmt::format("<mujoco>{}{}<worldbody>{}</worldbody>{}</mujoco>",
                          text_of(*root.FirstChildElement("compiler")), text_of(*root.FirstChildElement("default")),
                          bodies, limp ? "" : "<actuator>" + actuators + "</actuator>");
  scene.first = 75;  // 0.15 s: they have landed
  scene.complaint = [size = static_cast<int>(home.size()), limp](const std::vector<double>& q) -> std::string {
    for (int i = 0; i < kRobots; ++i) {
      const double* trunk = &q[at(i * size)];
      const bool in_place = std::abs(trunk[0] - i % 4) < 0.6 && std::abs(trunk[1] - i / 4) < 0.6;
      if (!in_place || !(trunk[2] > (limp ? 0.02 : 0.3) && trunk[2] < 0.6)) {
        return fmt::format("robot {} is at {:.3f} {:.3f} {:.3f}", i, trunk[0], trunk[1], trunk[2]);
      }
    }
    return "";
  };
  return scene;
}

Scene spheres(int side, double heavy) {
  const double wall = side * 1.15 * kRadius;  // half of the box
  Scene scene;
  scene.name = fmt::format("{} spheres in a box", side * side * side);
  if (heavy != 1) scene.name += fmt::format(", every tenth x {:g}", heavy);
  std::string bodies = R"(<geom type="plane" size="1 1 0.1" friction="0.5"/>)";
  for (const char* axis : {"1 0 0", "-1 0 0", "0 1 0", "0 -1 0"}) {
    const std::vector<double> n = numbers(axis);
    bodies += fmt::format(R"(<geom type="plane" size="1 1 0.1" friction="0.5" pos="{} {} 0" zaxis="{}"/>)",
                          -wall * n[0], -wall * n[1], axis);
  }
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> jitter(-0.1 * kRadius, 0.1 * kRadius);
  const int count = side * side * side;
  for (int i = 0; i < count; ++i) {
    const auto place = [&](int k) { return (k - 0.5 * (side - 1)) * 2.25 * kRadius + jitter(random); };
    const double x = place(i % side), y = place(i / side % side);
    const double z = (1.2 + i / (side * side) * 2.25) * kRadius;
    bodies +=
        fmt::format(R"(<body pos="{:.6f} {:.6f} {:.6f}"><freejoint/><geom size="{}" mass="{}" friction="0.5"/></body>)",
                    x, y, z, kRadius, kSphereMass * (i % 10 == 9 ? heavy : 1));
  }
  scene.xml = "<mujoco><size memory=\"256M\"/><worldbody>" + bodies + "</worldbody></mujoco>";
  scene.steps = 300;
  scene.first = 20;
  scene.complaint = [count, wall](const std::vector<double>& q) -> std::string {
    const double slack = 0.5 * kRadius;
    for (int i = 0; i < count; ++i) {
      const double x = coordinate(q, i, 0), y = coordinate(q, i, 1), z = coordinate(q, i, 2);
      const double reach = wall - kRadius + slack;
      if (!(std::abs(x) < reach && std::abs(y) < reach && z > kRadius - slack && z < 1)) {
        return fmt::format("sphere {} is out of the box: {:.4f} {:.4f} {:.4f}", i, x, y, z);
      }
    }
    return "";
  };
  return scene;
}

Scene stack(const std::vector<double>& masses) {
  Scene scene;
  scene.name = fmt::format("{}-box stack, {:g} to {:g} kg", masses.size(), masses.front(), masses.back());
  std::string bodies = kFloor;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double z = kHalf * (2 * static_cast<double>(i) + 1);
    bodies += box_text(fmt::format("box{}", i), {0, 0, z}, masses[i]);
    scene.q.insert(scene.q.end(), {0, 0, z, 1, 0, 0, 0});
  }
  scene.xml = "<mujoco><worldbody>" + bodies + "</worldbody></mujoco>";
  scene.steps = 1000;
  // MuJoCo's contacts give way by several millimetres: that is no failure of the run.
  scene.complaint = [start = scene.q](const std::vector<double>& q) { return expect_boxes_in_place(q, start, 0.03); };
  return scene;
}

Scene towers(int side, int height, double heavy) {
  Scene scene;
  scene.name = fmt::format("{} towers of {} boxes", side * side, height);
  if (heavy != 1) scene.name += fmt::format(", the top ones x {:g}", heavy);
  std::string bodies = kFloor;
  for (int i = 0; i < side * side * height; ++i) {
    const int level = i / (side * side);
    const double place[3] = {(i % side) * (2 * kHalf + 5e-4), (i / side % side) * (2 * kHalf + 5e-4),
                             kHalf * (2 * level + 1)};
    bodies += box_text(fmt::format("box{}", i), place, level == height - 1 ? heavy : 1);
    scene.q.insert(scene.q.end(), {place[0], place[1], place[2], 1, 0, 0, 0});
  }
  scene.xml = "<mujoco><size memory=\"256M\"/><worldbody>" + bodies + "</worldbody></mujoco>";
  scene.steps = 100;
  scene.complaint = [start = scene.q](const std::vector<double>& q) { return expect_boxes_in_place(q, start, 0.03); };
  return scene;
}

std::vector<Scene> step_scenes() {
  std::vector<Scene> scenes = {quadrupeds(false), quadrupeds(true),
                               file_scene("humanoid", std::string(UZAWA_MODELS) + "/humanoid_scene.xml", 0, 0.05)};
  const std::string hand = std::string(UZAWA_SHARED_DATA) + "/menagerie/shadow_hand/scene_right.xml";
  if (std::filesystem::exists(hand)) {
    scenes.push_back(file_scene("shadow_hand and an egg", hand, -1, -0.1));
  } else {
    fmt::print("skipped (not there): shadow_hand\n");
  }
  scenes.push_back(spheres(6));
  scenes.push_back(stack({0.1, 0.1, 0.1, 5}));
  return scenes;
}

}  // namespace uzawa::bench
