#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// A pair of geoms as one number that sorts by the first, then by the second.
using PairKey = std::uint64_t;
inline PairKey pair_key(int geom1, int geom2) {
  return static_cast<PairKey>(static_cast<std::uint32_t>(geom1)) << 32 | static_cast<std::uint32_t>(geom2);
}
inline int first_geom(PairKey key) { return static_cast<int>(key >> 32); }
inline int second_geom(PairKey key) { return static_cast<int>(key & 0xFFFFFFFF); }

/// Which geoms may touch by MuJoCo's rules: their masks agree; forces move one of them; they are not on one link; not
/// on a link and its parent (unless the parent is the ground, or the model turns this rule off); their bodies are not
/// excluded. A pair that the model names explicitly is not asked about here: it always counts, with its own margin.
/// Skins go by their masks alone: what carries their nodes and which bodies are excluded is asked vertex by vertex
/// (SkinPair).
class PairFilter {
 public:
  explicit PairFilter(const Model& model);

  bool may_touch(int geom1, int geom2) const {
    const Geom &a = geoms_[static_cast<std::size_t>(geom1)], &b = geoms_[static_cast<std::size_t>(geom2)];
    if (((a.type & b.affinity) == 0 && (b.type & a.affinity) == 0) || a.link == b.link) return false;
    if (a.still && b.still) return false;
    if (filter_parent_ && a.link >= 0 && b.link >= 0 && (a.parent == b.link || b.parent == a.link)) return false;
    return !(a.special && b.special && listed(geom1, geom2, a.body, b.body));
  }
  /// The geom touches something under some mask or explicit pair.
  bool takes_part(int geom) const { return geoms_[static_cast<std::size_t>(geom)].takes_part; }

 private:
  struct Geom {
    int type = 0, affinity = 0;
    int link = 0, parent = -1, body = 0;
    bool still = false;    ///< nothing that acts on it moves it: on the ground, or a mocap body
    bool special = false;  ///< its body is excluded from something, or it is in an explicit pair
    bool takes_part = false;
  };
  bool listed(int geom1, int geom2, int body1, int body2) const;

  std::vector<Geom> geoms_;
  std::vector<PairKey> excluded_bodies_, explicit_pairs_;  ///< sorted
  bool filter_parent_ = true;
};

}  // namespace uzawa
