#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "uzawa/base/temp_folder.hpp"

namespace uzawa::cli {

/// Where Chromium is. Throws InputError where it is not installed.
std::filesystem::path find_chromium();

/// A page in a Chromium without a window, drawn by a graphics card or by the processor. It is spoken to through a pipe,
/// in the DevTools protocol. All functions throw InputError where Chromium fails or does not answer.
class Chromium {
 public:
  /// `width`, `height`: of the page, px.
  Chromium(const std::filesystem::path& program, int width, int height);
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  void open(const std::string& url);
  /// The value of a JavaScript expression; of a promise, what it comes to.
  nlohmann::json evaluate(const std::string& expression);
  /// PNG.
  std::string screenshot();

 private:
  void start(const std::filesystem::path& program, const std::vector<std::string>& drawing);
  void stop();
  nlohmann::json call(const std::string& method, nlohmann::json parameters = nlohmann::json::object());
  void send(const std::string& text);
  std::string receive();
  [[noreturn]] void fail(const std::string& reason);

  TempFolder folder_;
  int to_ = -1, from_ = -1;  ///< pipes
  std::unique_ptr<ChildProcess> process_;
  std::string session_, received_;
  int last_id_ = 0;
};

}  // namespace uzawa::cli
