#include "uzawa/live/http_connection.hpp"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "uzawa/live/hub.hpp"
#include "uzawa/live/request_check.hpp"
#include "uzawa/live/viewer_socket.hpp"

namespace uzawa {

namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

constexpr std::chrono::seconds kPatience(10);
constexpr std::uint32_t kMostHeader = 8192;
constexpr std::uint64_t kMostBody = 1024;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket, Hub& hub, std::shared_ptr<int> count)
    : stream_(std::move(socket)), hub_(hub), count_(std::move(count)) {
  ++*count_;
}

HttpConnection::~HttpConnection() { --*count_; }

void HttpConnection::start() {
  parser_.emplace();
  parser_->header_limit(kMostHeader);
  parser_->body_limit(kMostBody);
  stream_.expires_after(kPatience);
  http::async_read(stream_, input_, *parser_,
                   [self = shared_from_this()](const beast::error_code& error, std::size_t /*bytes*/) {
                     if (!error) {
                       self->answer(self->parser_->get());
                     } else if (error.category() == http::make_error_code(http::error::bad_version).category() &&
                                error != http::error::end_of_stream) {
                       self->refuse({}, http::status::bad_request, error.message());
                     }
                   });
}

void HttpConnection::answer(const Request& request) {
  const std::string_view host = view(request[http::field::host]);
  if (const std::string why = refuse_host(host, hub_.settings().names); !why.empty()) {
    return refuse(request, http::status::misdirected_request, why);
  }
  const bool is_socket = beast::websocket::is_upgrade(request);
  if (request.target() == "/live" && is_socket) {
    const std::string why = refuse_origin(view(request[http::field::origin]), host);
    if (!why.empty()) return refuse(request, http::status::forbidden, why);
    if (hub_.is_full()) return refuse(request, http::status::service_unavailable, "there are too many viewers");
    stream_.expires_never();  // the WebSocket has times of its own
    return std::make_shared<ViewerSocket>(std::move(stream_), hub_)->accept(request);
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    return refuse(request, http::status::method_not_allowed, "only GET is of use here");
  }
  if (request.target() != "/") return refuse(request, http::status::not_found, "there is only one page: /");
  Response response(http::status::ok, request.version());
  response.set(http::field::content_type, "text/html; charset=utf-8");
  response.body() = hub_.settings().page;
  send(request, std::move(response));
}

void HttpConnection::refuse(const Request& request, http::status status, const std::string& reason) {
  Response response(status, request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = reason + "\n";
  send(request, std::move(response));
}

void HttpConnection::send(const Request& request, Response response) {
  response.set(http::field::server, "uzawa");
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.keep_alive(false);
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  stream_.expires_after(kPatience);
  const auto kept = std::make_shared<Response>(std::move(response));
  http::async_write(stream_, *kept, [self = shared_from_this(), kept](const beast::error_code&, std::size_t /*bytes*/) {
    beast::error_code ignored;
    self->stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  });
}

}  // namespace uzawa
