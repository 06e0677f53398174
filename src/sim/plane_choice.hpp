#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/collision/planes/separating_planes.hpp"
#include "uzawa/collision/shape_set.hpp"
#include "uzawa/sim/free_paths.hpp"
#include "uzawa/sim/step_end.hpp"
#include "uzawa/sim/warm_start.hpp"

namespace uzawa {

/// Which plane a speculative contact takes. A contact commits its pair to one half-space for the length of the step,
/// but where several planes keep two convex shapes apart the law is that one of them does: a box that slides over the
/// seam of two tiles is kept apart from the next tile by that tile's top, and by its side only until it gets there. The
/// rule: a pair takes the plane that lasts longest, and none at all while some plane lasts the step.
///
/// The lifetime of a plane is known for given velocities only. At those of the start of the step, a pair with a plane
/// that lasts is deferred, without a row; after each solve, deferred pairs are looked at again with the velocities as
/// solved, and where no plane lasts the one that lasted longest gets its rows. No pair tunnels: each plane that is used
/// separates its pair at the start of the step, and each pair that is left without one is apart at its end.
/// Signed distances need not be convex and have no such planes; their contacts follow the same rule point by point
/// (FreePaths).
class PlaneChoice {
 public:
  PlaneChoice(const Model& model, std::shared_ptr<const ShapeSet> shapes)
      : shapes_(std::move(shapes)), paths_(shapes_), links_(model.links().size()) {}

  /// The contacts of the start of a step, `found`, with the planes chosen, into `out`. Pairs with an impulse in the
  /// last step keep their plane: what rests must not be set free and caught again. `now`: link poses; `end`: poses that
  /// the present velocities lead to.
  void choose(std::span<const Contact> found, std::span<const Pose> now, StepEnd& end, WarmStart& last,
              std::vector<Contact>& out);
  bool has_deferred() const { return !deferred_.empty() || paths_.has_deferred(); }
  /// After a solve: appends to `out` the rows of deferred pairs for which no plane lasts, and where there is one and
  /// `all`, those of all. `end`: as solved.
  void look_again(std::span<const Pose> now, StepEnd& end, bool all, std::vector<Contact>& out);

 private:
  struct Lifetime {
    int plane = 0;
    double steps = 0;  ///< infinite: the pair parts
  };
  struct Deferred {
    SeparatingPlanes planes;
    std::size_t first = 0, count = 0;  ///< of contacts_: those that the pair was found with
    double touch = 0;                  ///< m of overlap that is none
    Lifetime life;                     ///< of the plane that lasts longest
  };

  void choose_for_pair(std::span<const Contact> pair, std::span<const Pose> now, StepEnd& end, WarmStart& last,
                       std::vector<Contact>& out);
  bool keep_plane(std::span<const Contact> pair, std::span<const Pose> now, WarmStart& last, std::vector<Contact>& out);
  void measure_depths(std::span<const Contact> found);
  double depth_elsewhere(const Contact& contact) const;
  Lifetime longest(const SeparatingPlanes& planes, double touch, const Contact& contact, std::span<const Pose> now,
                   std::span<const Pose> end) const;
  void add_rows(std::span<const Contact> pair, const SeparatingPlane& plane, std::span<const Pose> now,
                std::vector<Contact>& out);
  PlacedShape place(int geom, std::span<const Pose> poses) const;
  double sink(int geom, std::span<const Pose> now, std::span<const Pose> end) const;

  struct Depths {
    PairKey pair = 0;                ///< with the deepest overlap
    double deepest = 0, second = 0;  ///< m, of it and of all others
  };

  std::shared_ptr<const ShapeSet> shapes_;
  FreePaths paths_;
  std::size_t links_;
  std::vector<Depths> depths_;  ///< per link
  std::vector<Deferred> deferred_;
  std::vector<Contact> contacts_;
  SeparatingPlanes planes_;
  Patch patch_;
  Manifold manifold_;
};

}  // namespace uzawa
