#include <fmt/format.h>

#include "commands.hpp"
#include "log_model.hpp"
#include "rehearsal.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/log_reader.hpp"
#include "uzawa/log/replay_writer.hpp"
#include "viewer_page.hpp"

namespace uzawa::cli {

int replay(const ReplayArguments& arguments) {
  rehearse(arguments.log, [&] { const LogReader log(arguments.log); });
  LogReader log(arguments.log);
  const Model model = model_of_log(arguments.log, log.info(), arguments.model, arguments.load);
  ReplayWriter writer(arguments.html, viewer_page(), log.info(), model);
  LogFrame frame;
  for (std::size_t i = 0; i < log.frames(); ++i) {
    log.read(i, frame);
    if (writer.wants(frame.report, frame.state.time)) writer.write(frame);
  }
  writer.close(log.info().interrupted);
  fmt::print("{}: {} frames\n", arguments.html.string(), writer.frames());
  return kOk;
}

}  // namespace uzawa::cli
