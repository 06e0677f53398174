#include "uzawa/live/hub.hpp"

#include <boost/asio/post.hpp>

#include "uzawa/base/error.hpp"
#include "uzawa/live/viewer_socket.hpp"

namespace uzawa {

namespace {

constexpr std::size_t kMostViewers = 32;

/// What is newer replaces what is there.
void merge(LiveUpdate& into, LiveUpdate&& update) {
  if (update.status) into.status = std::move(update.status);
  if (update.frame) into.frame = std::move(update.frame);
}

}  // namespace

Hub::Hub(boost::asio::io_context& context, const ServerSettings& settings)
    : context_(context), settings_(settings), scene_(std::make_shared<const std::string>(settings.scene)) {}

void Hub::publish(LiveUpdate update) {
  const std::lock_guard lock(mutex_);
  if (update.notice) notices_[update.viewer] = std::move(update.notice);
  merge(pending_, std::move(update));
  if (posted_) return;
  posted_ = true;
  boost::asio::post(context_, [this] { pass_on(); });
}

void Hub::pass_on() {
  LiveUpdate update;
  std::map<int, LiveUpdate::Text> notices;
  {
    const std::lock_guard lock(mutex_);
    update = std::exchange(pending_, {});
    notices = std::exchange(notices_, {});
    posted_ = false;
  }
  for (const auto& [id, viewer] : viewers_) {
    const auto notice = notices.find(id);
    viewer->show({update.status, update.frame, notice != notices.end() ? notice->second : nullptr});
  }
  merge(newest_, std::move(update));
}

bool Hub::is_full() const { return viewers_.size() >= kMostViewers; }

void Hub::join(const std::shared_ptr<ViewerSocket>& viewer) {
  const int id = next_viewer_++;
  viewers_[id] = viewer;
  viewer->begin(id, scene_);
  viewer->show(newest_);
  if (loop_ != nullptr) loop_->set_viewers(static_cast<int>(viewers_.size()));
}

void Hub::leave(int viewer) {
  if (viewers_.erase(viewer) == 0 || loop_ == nullptr) return;
  loop_->forget(viewer);
  loop_->set_viewers(static_cast<int>(viewers_.size()));
}

void Hub::receive(int viewer, Command command) {
  if (loop_ != nullptr && !loop_->post(viewer, std::move(command))) {
    throw InputError("message", "", "too many are waiting; this one is lost");
  }
}

void Hub::close_all() {
  const auto viewers = viewers_;  // closing may make them leave
  for (const auto& [id, viewer] : viewers) viewer->close(1001, "the simulation has ended");
}

}  // namespace uzawa
