#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/base/mixed_bits.hpp"
#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/skin/placed_skin.hpp"
#include "uzawa/collision/skin/skin_set.hpp"

namespace uzawa {

/// How far from touching contacts of a pair are reported.
struct SkinReach {
  double slack = 0;  ///< m, margin and distance of look-ahead
  double time = 0;   ///< s, of look-ahead
};

/// The features of a skin and of its partner that touch; a contact's name within the pair from step to step.
enum class SkinFeature : std::uint64_t { Vertex = 1, Edge, Corner, Face, Across, VertexFace, FaceVertex, Edges };
inline std::uint64_t skin_feature(SkinFeature kind, int first, std::uint64_t second = 0) {
  return (static_cast<std::uint64_t>(kind) << 60) ^ (static_cast<std::uint64_t>(first) << 30) ^ second;
}

/// Lists contacts of one pair of geoms.
class SkinContactList {
 public:
  SkinContactList(const SkinPair& pair, std::vector<Contact>& out)
      : pair_(pair), key_(mixed_bits(pair.key() + 0x9E3779B97F4A7C15ULL)), out_(out) {}

  /// `normal`: out of the skin, towards the rigid geom.
  void add_rigid(const Vec3& position, const Vec3& normal, double gap, const SkinSpot& spot, std::uint64_t feature) {
    Contact& contact = add(position, pair_.skin_is_first ? normal : -normal, gap, feature);
    (pair_.skin_is_first ? contact.face1 : contact.face2) = spot.face;
    (pair_.skin_is_first ? contact.weights1 : contact.weights2) = spot.weights;
  }
  /// `normal`: from the skin of geom1 to that of geom2.
  void add_soft(const Vec3& position, const Vec3& normal, double gap, const SkinSpot& first, const SkinSpot& second,
                std::uint64_t feature) {
    Contact& contact = add(position, normal, gap, feature);
    contact.face1 = first.face;
    contact.face2 = second.face;
    contact.weights1 = first.weights;
    contact.weights2 = second.weights;
  }

 private:
  Contact& add(const Vec3& position, const Vec3& normal, double gap, std::uint64_t feature) {
    out_.push_back({pair_.geom1, pair_.geom2, pair_.explicit_pair, position, normal, gap, mixed_bits(key_ ^ feature)});
    return out_.back();
  }

  const SkinPair& pair_;
  std::uint64_t key_;
  std::vector<Contact>& out_;
};

}  // namespace uzawa
