// A live view of a soft mat that floats, for the test that drags it: soft_live serves it until it is interrupted.
#include <cstdio>
#include <exception>

#include "live/plain_subject.hpp"
#include "support/soft_models.hpp"
#include "uzawa/live/live_server.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "viewer_page.hpp"

namespace {

int serve() {
  uzawa::ModelSpec spec;
  spec.options.gravity = {};
  const uzawa::TetMesh mesh = uzawa::test::box_mesh(9, 9, 2, {0.4, 0.4, 0.05});
  uzawa::test::add_soft_body(spec, "mat", mesh.nodes, 0, {0.2F, 0.5F, 0.8F, 1}).tets = mesh.tets;
  uzawa::test::PlainSubject subject(spec, {.dt = 0.002});
  uzawa::LiveServer server(
      {.page = uzawa::viewer_page(), .scene = scene_message(describe(subject.world()), subject.world().model())});
  std::printf("open %s\n", server.url().c_str());
  std::fflush(stdout);
  server.run(subject, {}, true);
  return 0;
}

}  // namespace

int main() {
  try {
    return serve();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
