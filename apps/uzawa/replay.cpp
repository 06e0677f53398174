#include <fmt/format.h>

#include "commands.hpp"
#include "log_model.hpp"
#include "rehearsal.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/log_reader.hpp"
#include "uzawa/log/replay_writer.hpp"
#include "viewer_page.hpp"

namespace uzawa::cli {

namespace {

/// A log and the model that it is of.
struct RecordedRun {
  LogReader log;
  Model model;

  RecordedRun(const std::filesystem::path& path, const ReplayArguments& arguments)
      : log((rehearse(path, [&] { const LogReader rehearsed(path); }), path)),
        model(model_of_log(path, log.info(), arguments.model, arguments.load)) {}
};

void write_frames(RecordedRun& run, ReplayWriter& writer) {
  LogFrame frame;
  for (std::size_t i = 0; i < run.log.frames(); ++i) {
    run.log.read(i, frame);
    if (writer.wants(frame.report, frame.state.time)) writer.write(frame);
  }
  fmt::print("{}: {} frames\n", run.log.info().scene.empty() ? run.log.info().model : run.log.info().scene,
             writer.frames());
}

}  // namespace

int replay(const ReplayArguments& arguments) {
  RecordedRun first(arguments.log, arguments);
  std::unique_ptr<RecordedRun> second;
  if (!arguments.second.empty()) second = std::make_unique<RecordedRun>(arguments.second, arguments);
  ReplayWriter writer(arguments.html, viewer_page(), first.log.info(), first.model);
  write_frames(first, writer);
  if (second) {
    writer.begin_second(second->log.info(), second->model, first.log.info().interrupted);
    write_frames(*second, writer);
  }
  writer.close((second ? second->log : first.log).info().interrupted);
  fmt::print("{}\n", arguments.html.string());
  return kOk;
}

}  // namespace uzawa::cli
