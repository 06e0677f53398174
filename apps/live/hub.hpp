#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "uzawa/live/live_server.hpp"

namespace uzawa {

class ViewerSocket;

/// Where the simulation and its viewers meet. Lives in the thread of the sockets; `publish` alone may be called from
/// any.
class Hub {
 public:
  Hub(boost::asio::io_context& context, const ServerSettings& settings);

  const ServerSettings& settings() const { return settings_; }
  /// While there is none, commands are lost.
  void set_loop(LiveLoop* loop) { loop_ = loop; }

  /// Every part replaces what has not been passed on yet.
  void publish(LiveUpdate update);

  bool is_full() const;
  /// The viewer is sent the scene and whatever is newest.
  void join(const std::shared_ptr<ViewerSocket>& viewer);
  void leave(int viewer);
  /// Throws InputError where the command can't be taken.
  void receive(int viewer, Command command);
  void close_all();

 private:
  void pass_on();

  boost::asio::io_context& context_;
  const ServerSettings& settings_;
  LiveUpdate::Text scene_;
  LiveLoop* loop_ = nullptr;
  std::map<int, std::shared_ptr<ViewerSocket>> viewers_;
  int next_viewer_ = 1;
  LiveUpdate newest_;

  std::mutex mutex_;  ///< of what follows
  LiveUpdate pending_;
  std::map<int, LiveUpdate::Text> notices_;  ///< by viewer
  bool posted_ = false;
};

}  // namespace uzawa
