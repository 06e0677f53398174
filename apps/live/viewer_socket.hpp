#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <memory>
#include <string>

#include "uzawa/live/live_loop.hpp"

namespace uzawa {

class Hub;

/// One viewer's connection. Holds at most one message of a kind that waits to be sent, and has at most two frames
/// under way that the viewer has not said to have seen.
class ViewerSocket : public std::enable_shared_from_this<ViewerSocket> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  ViewerSocket(boost::beast::tcp_stream stream, Hub& hub);
  /// Answers the request for an upgrade and joins the hub.
  void accept(const Request& request);

  // -- from the hub
  void begin(int id, LiveUpdate::Text scene);
  void show(const LiveUpdate& update);
  /// `code`: of RFC 6455.
  void close(unsigned short code, const std::string& reason);

 private:
  using Error = boost::beast::error_code;

  void read();
  void receive(const std::string& text, bool is_text);
  void complain(const std::string& reason);
  void send_next();
  void leave();

  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  Hub& hub_;
  int id_ = 0;  ///< 0: not with the hub
  boost::beast::flat_buffer input_;
  LiveUpdate::Text scene_, status_, notice_, frame_;  ///< to be sent; null: nothing
  LiveUpdate::Text sending_;
  int credit_ = 0;      ///< frames that may be sent before the viewer says that it has seen one
  int complaints_ = 0;  ///< about what the viewer sends
  bool closing_ = false;
};

}  // namespace uzawa
