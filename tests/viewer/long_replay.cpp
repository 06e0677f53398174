// A replay longer than anybody would want to simulate for a test: long_replay OUT.html FRAMES writes ten bodies that
// swing, and prints where the first of them is at the end.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "uzawa/log/replay_scene.hpp"
#include "uzawa/log/replay_writer.hpp"
#include "viewer_page.hpp"

namespace {

constexpr int kBodies = 10;

uzawa::ModelSpec balls() {
  uzawa::ModelSpec spec;
  for (int b = 1; b <= kBodies; ++b) {
    uzawa::BodySpec body;
    body.name = "body" + std::to_string(b);
    body.parent = 0;
    body.mass = 1;
    body.principal_inertia = {1, 1, 1};
    spec.bodies.push_back(body);
    uzawa::JointSpec joint;
    joint.type = uzawa::JointType::Free;
    joint.body = b;
    spec.joints.push_back(joint);
    uzawa::GeomSpec geom;
    geom.body = b;
    geom.size = {0.2, 0, 0};
    spec.geoms.push_back(geom);
  }
  return spec;
}

int write_replay(const char* path, long frames) {
  const uzawa::World world{uzawa::Model(balls())};
  uzawa::ReplayWriter writer(path, uzawa::viewer_page(), uzawa::describe(world), world.model());
  uzawa::LogFrame frame;
  frame.state = world.state();
  for (long i = 1; i <= frames; ++i) {
    frame.state.time = static_cast<double>(i) / uzawa::kReplayRate;
    for (int b = 0; b < kBodies; ++b) {
      double* q = &frame.state.q[static_cast<std::size_t>(7 * b)];
      q[0] = b + 0.4 * std::sin(frame.state.time * (1 + 0.1 * b));
      q[2] = 1 + 0.4 * std::cos(frame.state.time);
    }
    if (writer.wants(frame.report, frame.state.time)) writer.write(frame);
  }
  writer.close();
  std::printf("{\"x\": %.9g}\n", frame.state.q[0]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 3 ? write_replay(argv[1], std::atol(argv[2])) : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
