#include <mutex>
#include <optional>
#include <thread>

#include "bindings.hpp"
#include "mocap_goals.hpp"
#include "simulation.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/live/live_server.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "viewer_page.hpp"

namespace uzawa::python {

namespace {

/// What the viewers see: a twin of a world of Python. It goes on from each snapshot that is handed over by one step,
/// which gives it the contacts there; on its own it goes on only where `runs` says so.
class Twin : public LiveSubject {
 public:
  Twin(std::shared_ptr<const SharedModel> shared, const SimSettings& settings, const FullSnapshot& start, bool runs)
      : shared_(std::move(shared)), settings_(settings), start_(start), runs_(runs) {
    make(settings);
    go_on_from(start);
  }

  /// From any thread.
  void hand_over(FullSnapshot snapshot) {
    const std::lock_guard lock(mutex_);
    next_ = std::move(snapshot);
  }

  const World& world() const override { return *world_; }
  const StepReport& step(std::span<const double> push) override {
    std::optional<FullSnapshot> next;
    {
      const std::lock_guard lock(mutex_);
      next.swap(next_);
    }
    if (next) {
      go_on_from(*next);
    } else if (!runs_) {
      return world_->report();
    }
    force_ = applied_;
    for (std::size_t d = 0; d < push.size(); ++d) force_[d] += push[d];
    return world_->step(control_, force_);
  }
  void change(const SimSettings& settings, double) override {
    const World::Snapshot now = world_->save();
    make(settings);
    world_->restore(now);
    settings_ = settings;
  }
  void reset() override {
    make(settings_);
    go_on_from(start_);
  }

 private:
  void go_on_from(const FullSnapshot& snapshot) {
    world_->restore(snapshot.world);
    guide_mocap(*world_, snapshot.mocap);
    control_ = snapshot.control;
    applied_ = snapshot.applied;
  }
  void make(const SimSettings& settings) { world_ = std::make_unique<World>(shared_, settings); }

  std::shared_ptr<const SharedModel> shared_;
  SimSettings settings_;
  FullSnapshot start_;
  bool runs_;
  std::unique_ptr<World> world_;
  std::vector<double> control_, applied_, force_;
  std::mutex mutex_;
  std::optional<FullSnapshot> next_;
};

/// A server in a thread of its own.
class View {
 public:
  View(Simulation& s, const std::string& host, int port, bool runs) {
    if (viewer_page().empty()) {
      throw InputError("", "view", "this package was built without the viewer (UZAWA_VIEWER=OFF)");
    }
    twin_ = std::make_unique<Twin>(s.world().shared_model(), s.world().settings(), s.save(), runs);
    LogInfo info = describe(s.world());
    info.version = UZAWA_VERSION;
    server_ = std::make_unique<LiveServer>(ServerSettings{
        .host = host, .port = port, .names = {}, .page = viewer_page(), .scene = scene_message(info, s.model())});
    thread_ = std::thread([this] { server_->run(*twin_, {.playing = true, .pace = 1}, false); });
  }
  ~View() { close(); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  std::string url() const { return server_ ? server_->url() : std::string(); }
  bool is_open() const { return thread_.joinable(); }
  void sync(FullSnapshot snapshot) {
    if (is_open()) twin_->hand_over(std::move(snapshot));
  }
  void close() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }

 private:
  std::unique_ptr<Twin> twin_;
  std::unique_ptr<LiveServer> server_;
  std::thread thread_;
};

}  // namespace

void bind_live(nb::module_& m) {
  m.attr("has_viewer") = !viewer_page().empty();
  nb::class_<View> c(m, "View", "A world as a browser shows it");
  c.def("__init__", [](View* self, Simulation& s, const std::string& host, int port, bool runs) {
    const Simulation::Guard guard(s);
    new (self) View(s, host, port, runs);
  });
  c.def_prop_ro("url", &View::url, "to open in a browser");
  c.def_prop_ro("is_open", &View::is_open);
  c.def("sync", [](View& v, Simulation& s) {
    const Simulation::Guard guard(s);
    v.sync(s.save());
  });
  c.def("close", &View::close, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace uzawa::python
