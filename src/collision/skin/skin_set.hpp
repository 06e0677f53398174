#pragma once

#include <vector>

#include "uzawa/collision/broad/pair_filter.hpp"
#include "uzawa/collision/skin/skin_shape.hpp"

namespace uzawa {

/// Two geoms that may touch, of which at least one is a skin.
struct SkinPair {
  int geom1 = 0, geom2 = 0;   ///< geom1 < geom2; equal: a skin and itself
  int explicit_pair = -1;     ///< of the Model; -1: found by the masks
  double margin = 0;          ///< m
  int skin = -1;              ///< of SkinSet; of two skins that of geom1
  int other_skin = -1;        ///< of SkinSet; -1: the other geom is rigid
  bool skin_is_first = true;  ///< `skin` is that of geom1
  int rigid_link = -1;        ///< of the rigid geom; -1: the ground, or none
  /// Per vertex of the skin, 1: it does not touch the rigid geom, because the geom's link carries it, or because their
  /// bodies are excluded. Empty: all do.
  std::vector<char> barred;

  PairKey key() const { return pair_key(geom1, geom2); }
  int rigid_geom() const { return skin_is_first ? geom2 : geom1; }
  bool bars(int vertex) const { return !barred.empty() && barred[static_cast<std::size_t>(vertex)] != 0; }
};

/// Skins of a model and the pairs of geoms that they may touch in. Immutable once the ShapeSet has filled it.
class SkinSet {
 public:
  void add(const Model& model, int geom);
  struct Geoms {
    int geom1 = 0, geom2 = 0, explicit_pair = -1;
    double margin = 0;
  };
  void add_pair(const Model& model, const Geoms& geoms);
  void sort_pairs();

  const std::vector<SkinShape>& skins() const { return skins_; }
  /// Ascending by their geoms.
  const std::vector<SkinPair>& pairs() const { return pairs_; }
  /// The skin of a geom; -1: it has none.
  int skin_of(int geom) const;
  /// One of the geoms has a skin.
  bool has(int geom1, int geom2) const { return skin_of(geom1) >= 0 || skin_of(geom2) >= 0; }

 private:
  std::vector<SkinShape> skins_;
  std::vector<int> skin_of_geom_;
  std::vector<SkinPair> pairs_;
};

}  // namespace uzawa
