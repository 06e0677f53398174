#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "uzawa/live/live_loop.hpp"

namespace uzawa {

struct ServerSettings {
  std::string host = "127.0.0.1";  ///< address to listen at; the default is out of reach of other machines
  int port = 0;                    ///< 0: any that is free
  std::vector<std::string> names;  ///< under which the server may be called, beside addresses and localhost
  std::string_view page;           ///< HTML; must outlive the server
  std::string scene;               ///< see scene_message
  /// Told in a line of what goes wrong with a viewer; called from the thread of `run`.
  std::function<void(const std::string&)> report = [](const std::string&) {};
};

/// Serves the page and a live simulation to any number of browsers (HTTP and WebSocket, Boost.Beast).
///
/// A viewer is sent the scene, then how things stand and frames, each only in its newest form: who is slow misses
/// frames, and nothing piles up for anybody. docs/replay-format.md has the messages.
class LiveServer {
 public:
  /// Listens. Throws InputError where it can't: the address is no address, or the port is taken.
  explicit LiveServer(ServerSettings settings);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const;
  /// To open in a browser.
  std::string url() const;
  /// Until `stop`, or until Ctrl-C (or a TERM signal) where `signals` says so.
  void run(LiveSubject& subject, const LiveLoop::Start& start, bool signals);
  /// From any thread.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace uzawa
