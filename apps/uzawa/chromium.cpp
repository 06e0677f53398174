#include "chromium.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "uzawa/base/error.hpp"
#include "uzawa/log/byte_packing.hpp"

namespace uzawa::cli {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kPatience = 60000;  // ms

using Flags = std::vector<std::string>;

/// How it draws: by the machine's own OpenGL, that is by a graphics card or Mesa's llvmpipe, which takes about a third
/// of the time of what Chromium brings along; by that where there is no other.
const Flags kOwnOpenGl = {"--use-gl=angle", "--use-angle=gl-egl"};
const Flags kSwiftShader = {"--use-angle=swiftshader", "--enable-unsafe-swiftshader"};

Flags arguments(const fs::path& profile, const Flags& drawing) {
  Flags out = {"--headless=new",
               "--remote-debugging-pipe",
               "--user-data-dir=" + profile.string(),
               "--no-first-run",
               "--disable-extensions",
               "--disable-background-networking",
               "--disable-component-update",
               "--hide-scrollbars",
               "--mute-audio",
               "--ignore-gpu-blocklist"};
  out.insert(out.end(), drawing.begin(), drawing.end());
  if (geteuid() == 0) out.emplace_back("--no-sandbox");  // for root there is none; it opens our own page only
  out.emplace_back("about:blank");
  return out;
}

}  // namespace

fs::path find_chromium() {
  fs::path found = find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
  if (found.empty()) {
    throw InputError("", "render",
                     "pictures are drawn by Chromium, which is not here (Debian: apt-get install chromium)");
  }
  return found;
}

Chromium::Chromium(const fs::path& program, int width, int height) {
  std::signal(SIGPIPE, SIG_IGN);  // a Chromium that dies is told by the write
  start(program, kOwnOpenGl);
  if (!evaluate("document.createElement('canvas').getContext('webgl2') !== null").get<bool>()) {
    stop();
    start(program, kSwiftShader);
  }
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

Chromium::~Chromium() { stop(); }

void Chromium::start(const fs::path& program, const Flags& drawing) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) throw InputError(program.string(), "pipe", std::strerror(errno));
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]), close(in[1]);
    throw InputError(program.string(), "pipe", std::strerror(errno));
  }
  to_ = in[1];
  from_ = out[0];
  process_ =
      std::make_unique<ChildProcess>(program, arguments(folder_.path() / fmt::format("profile-{}", last_id_), drawing),
                                     folder_.path() / "printed", in[0], out[1]);
  close(in[0]), close(out[1]);

  json target;
  for (const json& candidate : call("Target.getTargets")["targetInfos"]) {
    if (candidate["type"] == "page") target = candidate["targetId"];
  }
  if (target.is_null()) target = call("Target.createTarget", {{"url", "about:blank"}})["targetId"];
  session_ = call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"];
}

/// It is not asked to end, which takes it seconds: nothing of it is kept.
void Chromium::stop() {
  process_.reset();
  close(to_);
  close(from_);
  session_.clear();
  received_.clear();
}

void Chromium::open(const std::string& url) {
  const json answer = call("Page.navigate", {{"url", url}});
  if (answer.contains("errorText")) fail(answer["errorText"].get<std::string>());
}

json Chromium::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    const json& details = answer["exceptionDetails"];
    fail("the page fails: " + details.value("/exception/description"_json_pointer, details.value("text", "")));
  }
  return answer["result"].value("value", json());
}

std::string Chromium::screenshot() {
  return from_base64(call("Page.captureScreenshot", {{"format", "png"}})["data"].get<std::string>());
}

/// Answers may come after events, which nobody waits for.
json Chromium::call(const std::string& method, json parameters) {
  const int id = ++last_id_;
  json message = {{"id", id}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  send(message.dump());
  while (true) {
    json answer = json::parse(receive(), nullptr, false);
    if (answer.is_discarded()) fail("it answers in no language we know");
    if (answer.value("id", 0) != id) continue;
    if (answer.contains("error")) fail(method + ": " + answer["error"].value("message", ""));
    return answer["result"];
  }
}

void Chromium::send(const std::string& text) {
  const std::string bytes = text + '\0';
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(to_, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("it has ended");
    sent += static_cast<std::size_t>(count);
  }
}

std::string Chromium::receive() {
  std::size_t end = received_.find('\0');
  while (end == std::string::npos) {
    pollfd waiting{from_, POLLIN, 0};
    const int ready = poll(&waiting, 1, kPatience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) fail("it does not answer");
    char piece[1U << 16U];
    const ssize_t count = read(from_, piece, sizeof piece);
    if (count <= 0) fail("it has ended");
    const std::size_t searched = received_.size();
    received_.append(piece, static_cast<std::size_t>(count));
    end = received_.find('\0', searched);
  }
  std::string message = received_.substr(0, end);
  received_.erase(0, end + 1);
  return message;
}

void Chromium::fail(const std::string& reason) {
  const std::string words = process_ ? process_->last_words() : "";
  throw InputError("Chromium", "", one_line(reason) + (words.empty() ? "" : "; its last words: " + words));
}

}  // namespace uzawa::cli
