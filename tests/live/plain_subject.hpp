#pragma once

#include <memory>

#include "uzawa/live/live_subject.hpp"

namespace uzawa::test {

/// A model that nobody drives; counts what it is asked for.
class PlainSubject : public LiveSubject {
 public:
  explicit PlainSubject(ModelSpec spec, SimSettings settings = {})
      : spec_(std::move(spec)),
        settings_(std::move(settings)),
        world_(std::make_unique<World>(Model(spec_), settings_)) {}

  const World& world() const override { return *world_; }
  const StepReport& step(std::span<const double> push) override { return world_->step({}, push); }
  void change(const SimSettings& settings, double friction) override {
    auto next = std::make_unique<World>(Model(spec_), settings);
    next->restore(world_->save());
    world_ = std::move(next);
    settings_ = settings;
    last_friction = friction;
  }
  void reset() override { world_ = std::make_unique<World>(Model(spec_), settings_); }

  double last_friction = 1;

 private:
  ModelSpec spec_;
  SimSettings settings_;
  std::unique_ptr<World> world_;
};

}  // namespace uzawa::test
