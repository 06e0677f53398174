#pragma once

#include <memory>
#include <vector>

#include "uzawa/collision/broad/pair_filter.hpp"
#include "uzawa/collision/sdf/sdf_shape.hpp"
#include "uzawa/collision/shapes/shape.hpp"
#include "uzawa/collision/skin/skin_set.hpp"

namespace uzawa {

/// Immutable collision data of a Model's geoms: shapes with their hulls, allowed pairs, margins. Built once (hulls take
/// time), shared by any number of Colliders.
class ShapeSet {
 public:
  /// Throws InputError that names a geom or mesh without size or volume. Geoms excluded from all contacts are not
  /// checked.
  explicit ShapeSet(const Model& model);
  ShapeSet(const ShapeSet&) = delete;
  ShapeSet& operator=(const ShapeSet&) = delete;

  struct Geom {
    Shape shape;
    int link = -1;      ///< -1: the ground
    Pose pose;          ///< in the link's frame
    double margin = 0;  ///< m
    bool active = false;
  };
  struct ExplicitPair {
    PairKey key = 0;    ///< geom1 < geom2
    double margin = 0;  ///< m
    int index = -1;     ///< of the Model's contact pairs
  };

  const std::vector<Geom>& geoms() const { return geoms_; }
  const PairFilter& filter() const { return filter_; }
  /// Ascending by key.
  const std::vector<ExplicitPair>& explicit_pairs() const { return explicit_pairs_; }
  /// Geoms of ShapeType::Skin; they are not active among `geoms`.
  const SkinSet& skins() const { return skins_; }
  /// False where the model turns contacts off.
  bool enabled() const { return enabled_; }

  /// Gap below which contacts of two geoms are reported, as MuJoCo combines margins.
  double margin(int geom1, int geom2) const {
    return geoms_[static_cast<std::size_t>(geom1)].margin + geoms_[static_cast<std::size_t>(geom2)].margin;
  }

 private:
  void add_geom(const Model& model, int index);
  void shape_geom(const Model& model, int index, Geom& geom);
  const ConvexHull* hull_of(const ModelSpec& spec, int mesh);
  const HeightField* field_of(const ModelSpec& spec, int field);
  void add_sdf_partners(const ModelSpec& spec);
  void add_skins(const Model& model);

  PairFilter filter_;
  bool enabled_ = true;
  std::vector<Geom> geoms_;
  std::vector<ExplicitPair> explicit_pairs_;
  std::vector<std::unique_ptr<ConvexHull>> hulls_;    ///< per mesh, where a geom needs it
  std::vector<std::unique_ptr<HeightField>> fields_;  ///< per height field, where a geom needs it
  std::vector<std::unique_ptr<SdfShape>> sdfs_;       ///< of geoms, where they need it
  SkinSet skins_;
};

}  // namespace uzawa
