#include "uzawa/live/viewer_socket.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket.hpp>

#include "uzawa/base/error.hpp"
#include "uzawa/live/hub.hpp"

namespace uzawa {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

namespace {

constexpr std::size_t kMostBytes = 16U << 10U;  // of a message of a viewer
constexpr int kMostCredit = 2;                  // one frame being drawn, one on its way
constexpr int kMostComplaints = 20;
constexpr std::chrono::seconds kHandshake(10), kIdle(30);

}  // namespace

ViewerSocket::ViewerSocket(beast::tcp_stream stream, Hub& hub)
    : socket_(std::move(stream)), hub_(hub), credit_(kMostCredit) {}

void ViewerSocket::accept(const Request& request) {
  // Who does not answer for so long is gone, whether the network said so or not.
  socket_.set_option(websocket::stream_base::timeout{kHandshake, kIdle, true});
  socket_.read_message_max(kMostBytes);
  socket_.async_accept(request, [self = shared_from_this()](const Error& error) {
    if (error) return;
    self->hub_.join(self);
    self->read();
  });
}

void ViewerSocket::begin(int id, LiveUpdate::Text scene) {
  id_ = id;
  scene_ = std::move(scene);
  send_next();
}

void ViewerSocket::show(const LiveUpdate& update) {
  if (update.status) status_ = update.status;
  if (update.notice) notice_ = update.notice;
  if (update.frame) frame_ = update.frame;
  send_next();
}

void ViewerSocket::read() {
  socket_.async_read(input_, [self = shared_from_this()](const Error& error, std::size_t /*bytes*/) {
    if (error) {
      if (error != websocket::error::closed && !self->closing_) {
        self->hub_.settings().report("a viewer is gone: " + error.message());
      }
      self->leave();
      return;
    }
    self->receive(beast::buffers_to_string(self->input_.data()), self->socket_.got_text());
    self->input_.consume(self->input_.size());
    if (!self->closing_) self->read();
  });
}

void ViewerSocket::receive(const std::string& text, bool is_text) {
  try {
    if (!is_text) throw InputError("message", "", "is binary; JSON is expected");
    const Command command = parse_command(text);
    if (std::holds_alternative<SeenCommand>(command)) {
      credit_ = std::min(credit_ + 1, kMostCredit);
      send_next();
    } else {
      hub_.receive(id_, command);
    }
  } catch (const InputError& error) {
    complain(error.what());
  }
}

void ViewerSocket::complain(const std::string& reason) {
  if (++complaints_ > kMostComplaints) {
    const std::string last = "too many messages that make no sense";
    hub_.settings().report("a viewer was sent away: " + last + "; the last one: " + reason);
    close(websocket::close_code::policy_error, last);
    return;
  }
  notice_ = std::make_shared<const std::string>(notice_message(reason));
  send_next();
}

/// The scene, then how things stand, then a frame: what comes later makes sense only with what came before.
void ViewerSocket::send_next() {
  if (sending_ || closing_) return;
  const bool is_frame = !scene_ && !status_ && !notice_;
  if (is_frame && (!frame_ || credit_ == 0)) return;
  LiveUpdate::Text& next = scene_ ? scene_ : status_ ? status_ : notice_ ? notice_ : frame_;
  if (is_frame) --credit_;
  sending_ = std::exchange(next, nullptr);
  socket_.binary(is_frame);
  socket_.async_write(boost::asio::buffer(*sending_),
                      [self = shared_from_this()](const Error& error, std::size_t /*bytes*/) {
                        self->sending_ = nullptr;
                        if (error) {
                          self->leave();
                        } else {
                          self->send_next();
                        }
                      });
}

void ViewerSocket::close(unsigned short code, const std::string& reason) {
  if (closing_) return;
  closing_ = true;
  leave();
  socket_.async_close({static_cast<websocket::close_code>(code), reason},
                      [self = shared_from_this()](const Error& /*error*/) {});
}

void ViewerSocket::leave() {
  if (id_ != 0) hub_.leave(std::exchange(id_, 0));
}

}  // namespace uzawa
