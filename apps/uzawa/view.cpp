#include <fmt/format.h>

#include <cstdio>

#include "commands.hpp"
#include "subject.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/live/live_server.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "viewer_page.hpp"

namespace uzawa::cli {

int view(const ViewArguments& arguments) {
  if (viewer_page().empty()) {
    throw InputError("", "view", "this program was built without the viewer (UZAWA_VIEWER=OFF)");
  }
  const std::unique_ptr<Subject> subject = make_subject(arguments);
  LiveServer server({.host = arguments.host,
                     .port = arguments.port,
                     .names = arguments.names,
                     .page = viewer_page(),
                     .scene = scene_message(subject->info(), subject->world().model()),
                     .report = [](const std::string& line) { fmt::print(stderr, "uzawa: {}\n", one_line(line)); }});
  if (!arguments.host.starts_with("127.") && arguments.host != "::1") {
    fmt::print(stderr, "uzawa: note: whoever reaches {} port {} can steer this simulation\n", arguments.host,
               server.port());
  }
  fmt::print("{}: open {} in a browser; Ctrl-C ends\n", arguments.model.string(), server.url());
  std::fflush(stdout);  // also where it goes to a pipe: who started this waits for the address
  server.run(*subject, {.playing = !arguments.paused, .pace = arguments.pace}, true);
  return kOk;
}

}  // namespace uzawa::cli
