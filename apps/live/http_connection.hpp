#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>
#include <string>

namespace uzawa {

class Hub;

/// One request: for the page, or for a WebSocket, which a ViewerSocket then takes over.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  /// `count`: shared by all connections that wait for a request or an answer.
  HttpConnection(boost::asio::ip::tcp::socket socket, Hub& hub, std::shared_ptr<int> count);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void start();

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  void answer(const Request& request);
  void refuse(const Request& request, boost::beast::http::status status, const std::string& reason);
  void send(const Request& request, Response response);

  boost::beast::tcp_stream stream_;
  Hub& hub_;
  std::shared_ptr<int> count_;
  boost::beast::flat_buffer input_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
};

}  // namespace uzawa
