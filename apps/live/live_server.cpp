#include "uzawa/live/live_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "uzawa/base/error.hpp"
#include "uzawa/live/http_connection.hpp"
#include "uzawa/live/hub.hpp"

namespace uzawa {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr int kMostConnections = 128;            // that wait for a request or an answer
constexpr std::chrono::milliseconds kRest(100);  // after a connection that can't be taken, for want of files, say
constexpr std::chrono::milliseconds kGoodbye(500);

[[noreturn]] void refuse(const ServerSettings& settings, const boost::system::error_code& error) {
  std::string reason = error.message();
  if (error == asio::error::address_in_use) reason = "the port is taken; --port 0 takes a free one";
  throw InputError("server", settings.host + " port " + std::to_string(settings.port), reason);
}

}  // namespace

class LiveServer::Impl {
 public:
  explicit Impl(ServerSettings settings)
      : settings_(std::move(settings)),
        acceptor_(context_),
        rest_(context_),
        signals_(context_),
        hub_(context_, settings_) {
    boost::system::error_code error;
    const asio::ip::address address = asio::ip::make_address(settings_.host, error);
    if (error)
      throw InputError("server", settings_.host, "is no address; 127.0.0.1 is this machine, 0.0.0.0 all its networks");
    const tcp::endpoint endpoint(address, static_cast<unsigned short>(settings_.port));
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) refuse(settings_, error);
  }

  int port() const { return acceptor_.local_endpoint().port(); }
  std::string url() const {
    const asio::ip::address address = acceptor_.local_endpoint().address();
    const std::string text = address.is_unspecified() ? "127.0.0.1" : address.to_string();
    return "http://" + (text.find(':') != std::string::npos ? "[" + text + "]" : text) + ":" + std::to_string(port()) +
           "/";
  }

  void run(LiveSubject& subject, const LiveLoop::Start& start, bool signals) {
    if (signals) {
      signals_.add(SIGINT);
      signals_.add(SIGTERM);
      signals_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
        if (!error) end();
      });
    }
    accept();
    {
      LiveLoop loop(subject, start, [this](LiveUpdate update) { hub_.publish(std::move(update)); });
      hub_.set_loop(&loop);
      context_.run();
      hub_.set_loop(nullptr);
    }
    // What is left is to say goodbye; who does not answer is left behind.
    hub_.close_all();
    context_.restart();
    context_.run_for(kGoodbye);
  }

  void stop() {
    asio::post(context_, [this] { end(); });
  }

 private:
  void end() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    signals_.cancel(ignored);  // a second Ctrl-C ends the program
    rest_.cancel();
    context_.stop();
  }

  void accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {
        rest_.expires_after(kRest);
        rest_.async_wait([this](const boost::system::error_code& cancelled) {
          if (!cancelled) accept();
        });
        return;
      }
      if (*connections_ < kMostConnections) {
        boost::system::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<HttpConnection>(std::move(socket), hub_, connections_)->start();
      }
      accept();
    });
  }

  ServerSettings settings_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer rest_;
  asio::signal_set signals_;
  Hub hub_;
  std::shared_ptr<int> connections_ = std::make_shared<int>(0);
};

LiveServer::LiveServer(ServerSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}
LiveServer::~LiveServer() = default;
int LiveServer::port() const { return impl_->port(); }
std::string LiveServer::url() const { return impl_->url(); }
void LiveServer::run(LiveSubject& subject, const LiveLoop::Start& start, bool signals) {
  impl_->run(subject, start, signals);
}
void LiveServer::stop() { impl_->stop(); }

}  // namespace uzawa
