#include "recording.hpp"

#include <filesystem>
#include <mutex>

#include "uzawa/base/error.hpp"
#include "viewer_page.hpp"

namespace uzawa::python {

namespace {

/// HDF5 keeps global state: one thread at a time.
std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Recording::Recording(const std::string& path, const World& world, int every)
    : path_(path), every_(every), maker_(world) {
  if (every < 1) throw InputError(path, "every", "must be at least 1");
  LogInfo info = describe(world);
  info.version = UZAWA_VERSION;
  info.every = every;
  const std::string ending = std::filesystem::path(path).extension().string();
  const std::lock_guard lock(hdf5_mutex());
  if (ending == ".html") {
    if (viewer_page().empty()) {
      throw InputError(path, "replay", "this package was built without the viewer (UZAWA_VIEWER=OFF)");
    }
    replay_ = std::make_unique<ReplayWriter>(path, viewer_page(), info, world.model());
  } else if (ending == ".h5" || ending == ".hdf5") {
    log_ = std::make_unique<LogWriter>(path, info);
  } else {
    throw InputError(path, "recording", "the name must end in .h5 (log) or .html (replay)");
  }
}

void Recording::add(const World& world, std::span<const double> control, std::span<const double> external) {
  ++step_;
  const bool to_log = log_ && step_ % every_ == 0;
  const bool to_replay = replay_ && replay_->wants(world.report(), world.state().time);
  if (!to_log && !to_replay) return;
  const LogFrame& frame = maker_.make(control, external);
  ++frames_;
  const std::lock_guard lock(hdf5_mutex());
  if (to_log) log_->write(frame);
  if (to_replay) replay_->write(frame);
}

void Recording::close() {
  const std::lock_guard lock(hdf5_mutex());
  if (log_) log_->close();
  if (replay_) replay_->close();
  log_.reset();
  replay_.reset();
}

}  // namespace uzawa::python
