#include <fmt/format.h>

#include "chromium.hpp"
#include "commands.hpp"
#include "frame_list.hpp"
#include "simulate.hpp"
#include "terminal.hpp"
#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "viewer_page.hpp"

namespace uzawa::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::minutes kFilmPatience(10);

/// The replay of a scene or model, as far as the frames go.
void write_replay(RunArguments arguments, const FrameList& frames, const fs::path& html) {
  arguments.html = html;
  const std::unique_ptr<Subject> subject = make_subject(arguments);
  const double needed = frames.highest() >= 0 ? frames.highest() / kReplayRate : subject->duration();
  const double dt = subject->world().dt();
  // A frame is the first step at or after its time: one more may be needed.
  const long steps = step_count(arguments.duration.value_or(needed) + dt, dt);
  Recorder recorder(arguments, subject->world(), subject->info(), steps);
  std::exception_ptr error;
  const RunSummary summary = simulate(*subject, steps, &recorder, error);
  if (error) std::rethrow_exception(error);
  if (summary.count(StepStatus::Failed) > 0) fmt::print(stderr, "uzawa: note: a step failed; the pictures end there\n");
}

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

/// The page with the replay, as it is to look.
void prepare(Chromium& browser, const fs::path& html, const RenderArguments& arguments) {
  browser.open("file://" + fs::absolute(html).string());
  const json message = browser.evaluate(R"(new Promise((resolve) => {
    const look = () => {
      const box = document.getElementById('message');
      if (window.uzawa) resolve(window.uzawa.warning);
      else if (box && !box.hidden) resolve('!' + document.getElementById('message-text').textContent);
      else setTimeout(look, 20);
    };
    look();
  }))");
  const auto text = message.is_string() ? message.get<std::string>() : "";
  if (text.starts_with('!')) throw InputError(html.string(), "replay", text.substr(1));
  if (!text.empty()) fmt::print(stderr, "uzawa: note: {}\n", text);
  const json look = {{"panels", arguments.panels},
                     {"azimuth", or_null(arguments.azimuth)},
                     {"elevation", or_null(arguments.elevation)},
                     {"zoom", arguments.zoom},
                     {"toggles",
                      {{"points", arguments.points},
                       {"forces", arguments.forces},
                       {"color", arguments.body_colors},
                       {"dark", arguments.dark},
                       {"plots", arguments.panels}}}};
  browser.evaluate("window.uzawa.present(" + look.dump() + ")");
}

fs::path picture_path(const fs::path& folder, std::size_t index) {
  return folder / fmt::format("frame_{:05}.png", index);
}

/// Number of pictures that were written: fewer where Ctrl-C ended it.
std::size_t write_pictures(Chromium& browser, const FrameList& frames, const fs::path& folder) {
  const std::vector<int> numbers = frames.numbers(browser.evaluate("window.uzawa.frames").get<int>());
  const InterruptGuard guard;
  ProgressBar bar;
  std::size_t done = 0;
  for (; done < numbers.size() && !InterruptGuard::interrupted(); ++done) {
    // What was drawn is on the screen after the next frame of the browser.
    const json time = browser.evaluate(fmt::format(
        "window.uzawa.seek({}).then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame("
        "() => resolve(window.uzawa.state().time)))))",
        numbers[done]));
    DraftFile(picture_path(folder, done), "picture").write_whole(browser.screenshot());
    bar.show(static_cast<double>(done + 1) / static_cast<double>(numbers.size()),
             time.is_number() ? time.get<double>() : 0);
  }
  return done;
}

/// Of the pictures, where ffmpeg is installed and they are evenly spaced; says what it did.
void write_film(const RenderArguments& arguments, int stride, std::size_t count) {
  if (stride == 0 || count < 2) return;
  const fs::path ffmpeg = find_program({"ffmpeg"});
  if (ffmpeg.empty()) {
    fmt::print("no film: ffmpeg is not here (Debian: apt-get install ffmpeg)\n");
    return;
  }
  const TempFolder folder;
  DraftFile film(arguments.out / (arguments.model.stem().string() + ".mp4"), "film");
  const std::vector<std::string> words = {"-y",
                                          "-loglevel",
                                          "error",
                                          "-framerate",
                                          fmt::format("{:g}", kReplayRate / stride),
                                          "-i",
                                          (arguments.out / "frame_%05d.png").string(),
                                          "-frames:v",
                                          std::to_string(count),
                                          "-vf",
                                          "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                          "-pix_fmt",
                                          "yuv420p",
                                          "-f",
                                          "mp4",
                                          film.draft().string()};
  ChildProcess process(ffmpeg, words, folder.path() / "printed");
  if (process.wait(kFilmPatience) != 0) film.fail("ffmpeg fails: " + process.last_words());
  film.commit();
  fmt::print("{}\n", film.path().string());
}

}  // namespace

int render(const RenderArguments& arguments) {
  if (viewer_page().empty()) {
    throw InputError("", "render", "this program was built without the viewer (UZAWA_VIEWER=OFF)");
  }
  const FrameList frames(arguments.frames);
  const fs::path program = find_chromium();
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (!fs::is_directory(arguments.out))
    throw InputError(arguments.out.string(), "--out", "can't be made: " + error.message());

  const TempFolder folder;
  const bool is_replay = arguments.model.extension() == ".html";
  const fs::path html = is_replay ? arguments.model : folder.path() / "replay.html";
  if (!is_replay) write_replay(arguments, frames, html);
  if (is_replay && !fs::is_regular_file(html)) throw InputError(html.string(), "replay", "no such file");
  Chromium browser(program, arguments.width, arguments.height);
  prepare(browser, html, arguments);
  const std::size_t count = write_pictures(browser, frames, arguments.out);
  fmt::print("{}: {} {} of {} x {}\n", arguments.out.string(), count, count == 1 ? "picture" : "pictures",
             arguments.width, arguments.height);
  if (InterruptGuard::interrupted()) return kInterrupted;
  write_film(arguments, frames.stride(), count);
  return kOk;
}

}  // namespace uzawa::cli
