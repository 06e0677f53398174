#pragma once

#include <memory>

#include "uzawa/assembly/plan.hpp"
#include "uzawa/collision/shape_set.hpp"

namespace uzawa {

/// A Model with the data that collision and assembly derive from it once: shapes with their hulls, blocks. Immutable,
/// and shared by any number of worlds and threads; a world of its own then costs its state and scratch memory only.
class SharedModel {
 public:
  /// Throws InputError that names the geom with an invalid shape.
  explicit SharedModel(Model model);
  /// The model again with other masses, friction or gains: the shapes are those of `like`, and none is made anew.
  /// Geoms, their places in their links, masks, margins and explicit pairs must be the same.
  SharedModel(Model model, const SharedModel& like);
  SharedModel(const SharedModel&) = delete;
  SharedModel& operator=(const SharedModel&) = delete;

  const Model& model() const { return model_; }
  const std::shared_ptr<const ShapeSet>& shapes() const { return shapes_; }
  const std::shared_ptr<const AssemblyPlan>& plan() const { return plan_; }

 private:
  Model model_;
  std::shared_ptr<const ShapeSet> shapes_;
  std::shared_ptr<const AssemblyPlan> plan_;  ///< refers to model_
};

std::shared_ptr<const SharedModel> share(Model model);

}  // namespace uzawa
