#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "chromium.hpp"
#include "commands.hpp"
#include "frame_list.hpp"
#include "simulate.hpp"
#include "terminal.hpp"
#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "viewer_page.hpp"
#include "webm.hpp"
#include "webp.hpp"

namespace uzawa::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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
                     {"camera", arguments.camera},
                     {"toggles",
                      {{"points", arguments.points},
                       {"forces", arguments.forces},
                       {"color", arguments.body_colors},
                       {"dark", arguments.dark},
                       {"lights", arguments.lights},
                       {"textures", !arguments.no_textures},
                       {"plots", arguments.panels}}}};
  if (!browser.evaluate("window.uzawa.present(" + look.dump() + ")").get<bool>()) {
    const json names = browser.evaluate("window.uzawa.cameras");
    throw InputError(
        "", "--camera",
        "the model has no camera '" + arguments.camera + "'; it has " +
            (names.empty() ? "none" : fmt::format("{}", fmt::join(names.get<std::vector<std::string>>(), ", "))));
  }
}

/// Named by the frame's number.
fs::path picture_path(const fs::path& folder, int frame) { return folder / fmt::format("frame_{:05}.png", frame); }

/// What is asked for of each frame: a picture, a place in the film, or both.
class Camera {
 public:
  /// `rate`: pictures of the film a second; 0: no film.
  Camera(Chromium& browser, const RenderArguments& arguments, double rate)
      : browser_(browser), arguments_(arguments), pictures_(!arguments.film) {
    if (rate == 0) return;
    const json size = browser_.evaluate("window.uzawa.pictureSize()");
    const int width = size[0].get<int>(), height = size[1].get<int>();
    if (arguments.webp) {
      moving_ = std::make_unique<MovingPicture>(width, height, rate);
    } else {
      browser_.evaluate(
          fmt::format("window.uzawa.beginFilm({}, {})", rate, std::lround(kBitsAPixel * width * height * rate)));
      film_ = std::make_unique<WebmFilm>(width, height, rate);
    }
  }

  /// s, simulated: its time.
  double take(int frame) {
    // With the page around it, a picture is one of the page; else the page's drawing alone, which is quicker.
    const bool of_page = arguments_.panels && pictures_;
    const json shot = browser_.evaluate(fmt::format("window.uzawa.capture({}, {{png: {}, webp: {}}})", frame,
                                                    pictures_ && !of_page, moving_ != nullptr));
    add_chunks(shot["chunks"]);
    if (moving_) moving_->add(from_base64(shot["webp"].get<std::string>()));
    if (of_page) {
      // What was drawn is on the screen after the next frame of the browser.
      browser_.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
      write_picture(frame, browser_.screenshot());
    } else if (pictures_) {
      write_picture(frame, from_base64(shot["png"].get<std::string>()));
    }
    return shot["time"].is_number() ? shot["time"].get<double>() : 0;
  }

  /// Writes the film.
  void finish() {
    if (film_) {
      add_chunks(browser_.evaluate("window.uzawa.endFilm()"));
      write_film(".webm", film_->bytes(), film_->pictures());
    }
    if (moving_) write_film(".webp", moving_->bytes(), moving_->pictures());
  }

 private:
  static constexpr double kBitsAPixel = 0.12;  // of a film: enough for edges that stay sharp

  void write_picture(int frame, const std::string& png) {
    DraftFile(picture_path(arguments_.out, frame), "picture").write_whole(png);
  }
  void write_film(const char* extension, const std::string& bytes, std::size_t pictures) {
    DraftFile file(arguments_.out / (arguments_.model.stem().string() + extension), "film");
    file.write_whole(bytes);
    fmt::print("{}: a film of {} pictures\n", file.path().string(), pictures);
  }
  void add_chunks(const json& chunks) {
    for (const json& chunk : chunks)
      film_->add(from_base64(chunk["data"].get<std::string>()), chunk["key"].get<bool>());
  }

  Chromium& browser_;
  const RenderArguments& arguments_;
  bool pictures_;
  std::unique_ptr<WebmFilm> film_;
  std::unique_ptr<MovingPicture> moving_;
};

/// Number of frames that were taken: fewer where Ctrl-C ended it.
std::size_t take_frames(Chromium& browser, const FrameList& frames, const RenderArguments& arguments) {
  const std::vector<int> numbers = frames.numbers(browser.evaluate("window.uzawa.frames").get<int>());
  const bool is_film = frames.stride() > 0 && numbers.size() > 1 && !arguments.panels;
  if (arguments.film && !is_film) {
    throw InputError("", "--film", "needs frames at even distances, as in --frames 0:end:2, and no --panels");
  }
  Camera camera(browser, arguments, is_film ? kReplayRate / frames.stride() : 0);
  const InterruptGuard guard;
  ProgressBar bar;
  std::size_t done = 0;
  for (; done < numbers.size() && !InterruptGuard::interrupted(); ++done) {
    const double time = camera.take(numbers[done]);
    bar.show(static_cast<double>(done + 1) / static_cast<double>(numbers.size()), time);
  }
  if (!InterruptGuard::interrupted()) camera.finish();
  return done;
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
  const std::size_t count = take_frames(browser, frames, arguments);
  if (!arguments.film) {
    fmt::print("{}: {} {} of {} x {}\n", arguments.out.string(), count, count == 1 ? "picture" : "pictures",
               arguments.width, arguments.height);
  }
  if (InterruptGuard::interrupted()) return kInterrupted;
  return kOk;
}

}  // namespace uzawa::cli
