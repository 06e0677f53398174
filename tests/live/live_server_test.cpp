#include "uzawa/live/live_server.hpp"

#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "plain_subject.hpp"
#include "support/simple_models.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using nlohmann::json;

/// A server with a falling body, in a thread.
class LiveServerTest : public testing::Test {
 protected:
  LiveServerTest() : thread_([this] { server_.run(subject_, {.playing = true, .pace = 1}, false); }) {}
  ~LiveServerTest() override {
    server_.stop();
    thread_.join();
  }

  tcp::socket connect() {
    tcp::socket socket(context_);
    socket.connect({asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(server_.port())});
    return socket;
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(server_.port()); }

  http::response<http::string_body> ask(http::request<http::string_body> request) {
    tcp::socket socket = connect();
    if (request.find(http::field::host) == request.end()) request.set(http::field::host, host());
    http::write(socket, request);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    if (request.method() == http::verb::head) parser.skip(true);
    http::read(socket, buffer, parser);
    return parser.release();
  }

  /// What is answered to a page that wants to steer.
  http::status upgrade(const std::string& own, const std::string& origin) {
    http::request<http::string_body> request(http::verb::get, "/live", 11);
    request.set(http::field::host, own);
    if (!origin.empty()) request.set(http::field::origin, origin);
    request.set(http::field::connection, "Upgrade");
    request.set(http::field::upgrade, "websocket");
    request.set(http::field::sec_websocket_version, "13");
    request.set(http::field::sec_websocket_key, "dGhlIHNhbXBsZSBub25jZQ==");
    return ask(request).result();
  }

  asio::io_context context_;
  test::PlainSubject subject_{test::free_body(), {.dt = 0.002}};
  LiveServer server_{{.page = "<html>page</html>", .scene = R"({"type":"scene"})"}};
  std::thread thread_;
};

/// A viewer that is no browser.
class Viewer {
 public:
  Viewer(tcp::socket socket, const std::string& host, const std::string& origin = "") : socket_(std::move(socket)) {
    socket_.set_option(websocket::stream_base::decorator([origin](websocket::request_type& request) {
      if (!origin.empty()) request.set(http::field::origin, origin);
    }));
    socket_.handshake(host, "/live", error);
  }
  /// The next message: JSON, or {"type": "frame"}; on the end of the connection {"type": "closed"}.
  json next() {
    beast::flat_buffer buffer;
    socket_.read(buffer, error);
    if (error)
      return {{"type", "closed"}, {"code", socket_.reason().code}, {"reason", socket_.reason().reason.c_str()}};
    if (socket_.got_binary()) return {{"type", "frame"}};
    return json::parse(beast::buffers_to_string(buffer.data()));
  }
  json next_of(const std::string& type) {
    for (int i = 0; i < 10000; ++i) {
      json message = next();
      if (message["type"] == type || message["type"] == "closed") return message;
    }
    return {};
  }
  void send(const std::string& text) {
    socket_.text(true);
    socket_.write(asio::buffer(text), error);
  }
  void send_raw(const std::string& bytes) { asio::write(socket_.next_layer(), asio::buffer(bytes), error); }

  beast::error_code error;

 private:
  websocket::stream<tcp::socket> socket_;
};

TEST_F(LiveServerTest, ServesThePageAndNothingElse) {
  const auto page = ask({http::verb::get, "/", 11});
  EXPECT_EQ(page.result(), http::status::ok);
  EXPECT_EQ(page.body(), "<html>page</html>");
  EXPECT_EQ(ask({http::verb::head, "/", 11}).result(), http::status::ok);
  EXPECT_EQ(ask({http::verb::get, "/../etc/passwd", 11}).result(), http::status::not_found);
  EXPECT_EQ(ask({http::verb::post, "/", 11}).result(), http::status::method_not_allowed);
  http::request<http::string_body> rebound(http::verb::get, "/", 11);
  rebound.set(http::field::host, "evil.example");
  EXPECT_EQ(ask(rebound).result(), http::status::misdirected_request);
}

TEST_F(LiveServerTest, GreetsWithSceneStatusAndFrame) {
  Viewer viewer(connect(), host(), "http://" + host());
  ASSERT_FALSE(viewer.error) << viewer.error.message();
  EXPECT_EQ(viewer.next()["type"], "scene");
  EXPECT_EQ(viewer.next()["type"], "status");
  EXPECT_EQ(viewer.next_of("frame")["type"], "frame");
}

TEST_F(LiveServerTest, RefusesPagesOfOtherSites) {
  EXPECT_EQ(upgrade(host(), "http://" + host()), http::status::switching_protocols);
  EXPECT_EQ(upgrade(host(), ""), http::status::switching_protocols);
  for (const char* origin : {"http://evil.example", "null", "http://localhost:1"}) {
    EXPECT_EQ(upgrade(host(), origin), http::status::forbidden) << origin;
  }
  EXPECT_EQ(upgrade("evil.example", "http://evil.example"), http::status::misdirected_request);
}

TEST_F(LiveServerTest, SlowViewerGetsTwoFramesUntilItSaysSo) {
  Viewer slow(connect(), host());
  Viewer quick(connect(), host());
  int frames = 0;
  for (int i = 0; i < 30; ++i) {  // half a second of another viewer's frames
    ASSERT_EQ(quick.next_of("frame")["type"], "frame");
    quick.send(R"({"type":"seen"})");
  }
  slow.send(R"({"type":"step","count":0})");  // the answer comes after all that was sent before
  for (json message = slow.next(); message["type"] != "notice"; message = slow.next()) {
    ASSERT_NE(message["type"], "closed");
    frames += message["type"] == "frame" ? 1 : 0;
  }
  EXPECT_EQ(frames, 2);
  slow.send(R"({"type":"seen"})");
  EXPECT_EQ(slow.next_of("frame")["type"], "frame");
}

TEST_F(LiveServerTest, ViewersShareOneSimulation) {
  Viewer first(connect(), host()), second(connect(), host());
  first.send(R"({"type":"play","on":false})");
  json status = second.next_of("status");
  while (status["playing"] == true) status = second.next_of("status");
  EXPECT_EQ(status["viewers"], 2);
  second.send(R"({"type":"reset"})");
  while (status["run"] == 0) status = first.next_of("status");
  EXPECT_EQ(status["run"], 1);
}

TEST_F(LiveServerTest, SendsAwayWhoSendsGarbage) {
  Viewer witness(connect(), host());
  std::mt19937 random(3);
  int sent = 0;
  while (sent < 10000) {
    Viewer viewer(connect(), host());
    ASSERT_FALSE(viewer.error) << viewer.error.message();
    for (int i = 0; i < 500 && !viewer.error; ++i, ++sent) {
      std::string text(random() % 60, ' ');
      for (char& c : text) c = static_cast<char>(' ' + random() % 90);
      viewer.send(text);
    }
    const json last = viewer.next_of("closed");
    if (last["code"] != 0) {  // 0: the connection broke before the farewell was read
      EXPECT_EQ(last["code"], 1008) << last;
      EXPECT_EQ(last["reason"], "too many messages that make no sense");
    }
  }
  witness.send(R"({"type":"seen"})");
  EXPECT_EQ(witness.next_of("frame")["type"], "frame") << "the others go on";
}

TEST_F(LiveServerTest, SurvivesWhatIsNoWebSocketFrame) {
  std::mt19937 random(5);
  for (int i = 0; i < 50; ++i) {
    Viewer viewer(connect(), host());
    std::string bytes(random() % 400 + 1, ' ');
    for (char& c : bytes) c = static_cast<char>(random());
    viewer.send_raw(bytes);
  }
  Viewer huge(connect(), host());
  huge.send(std::string(1 << 20, 'x'));
  EXPECT_EQ(huge.next_of("closed")["type"], "closed");
  for (const char* text : {"GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01 TLS?\r\n\r\n", "GET /\r\n\r\n"}) {
    tcp::socket socket = connect();
    asio::write(socket, asio::buffer(std::string(text)));
    beast::error_code error;
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), error);
    EXPECT_NE(answer.find("400"), std::string::npos) << text << " -> " << answer;
  }
  EXPECT_EQ(ask({http::verb::get, "/", 11}).result(), http::status::ok);
}

TEST_F(LiveServerTest, MoreThan32ViewersAreRefused) {
  std::vector<std::unique_ptr<Viewer>> viewers;
  for (int i = 0; i < 32; ++i) {
    viewers.push_back(std::make_unique<Viewer>(connect(), host()));
    ASSERT_EQ(viewers.back()->next()["type"], "scene");
  }
  EXPECT_EQ(upgrade(host(), ""), http::status::service_unavailable);
}

TEST(LiveServer, SaysWhyItCanNotListen) {
  const LiveServer first({});
  try {
    const LiveServer second({.port = first.port()});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the port is taken"), std::string::npos) << error.what();
  }
  EXPECT_THROW(LiveServer({.host = "nowhere"}), InputError);
  EXPECT_EQ(first.url(), "http://127.0.0.1:" + std::to_string(first.port()) + "/");
}

}  // namespace
}  // namespace uzawa
