#pragma once

#include "uzawa/collision/skin/skin_query.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

/// Contacts of two skins, or of a skin with itself.
///
/// Vertices of each against faces of the other: the face under a vertex, and the nearest point of the other skin where
/// that is on an edge or a vertex. Edges against edges where neither is within a flat part of its skin, for those are
/// no features of it, and where no face beside them is nearer. A face of a cord is a stretch of it.
///
/// A closed skin keeps others outside: a vertex inside goes out through the nearest face that looks the vertex' own
/// way, as deep as the mean length of the edges. Skins that are not closed keep their present sides.
///
/// What is joined does not touch: features that have a link in common; of one skin with itself, also those that are
/// closer than twice the radius at rest.
///
/// Keeps its memory from pair to pair.
class SkinSkinContacts {
 public:
  void find(const PlacedSkin& a, const PlacedSkin& b, const SkinPair& pair, const SkinReach& reach,
            std::vector<Contact>& out);

 private:
  /// One direction of a pair in work: features of `from` against those of `onto`.
  struct Search {
    const PlacedSkin& from;
    const PlacedSkin& onto;
    const SkinReach& reach;
    SkinContactList& list;
    bool is_first = true;  ///< `from` is the skin of geom1
    bool self = false;

    double radii() const { return from.shape().radius + onto.shape().radius; }
  };
  /// A face near a vertex.
  struct Near {
    int face = 0;
    TrianglePoint foot;
    Vec3 point;           ///< the foot, m
    double square = 0;    ///< of the distance, m^2
    bool joined = false;  ///< by a link in common
  };
  struct EdgePair {
    int first = 0, second = 0;
    double share1 = 0, share2 = 0;
    Vec3 point1, point2;
  };

  void meet_vertices(const Search& s);
  void meet_vertex(const Search& s, int vertex);
  void list_faces(const Search& s, int vertex, double bound);
  bool is_inside(const Search& s, const Near& nearest, const Vec3& place) const;
  void push_out(const Search& s, int vertex) const;
  void add_vertex(const Search& s, int vertex, const Near& near, const Vec3& outward, double height,
                  std::uint64_t with) const;
  void add_outside(const Search& s, int vertex, const Near& near, std::uint64_t with) const;
  bool has_link_of(const Search& s, int vertex, int face) const;
  void meet_edges(const Search& s);
  void meet_edge(const Search& s, const EdgePair& edges) const;
  bool edges_are_joined(const Search& s, const EdgePair& edges) const;

  std::vector<Near> near_;
  std::vector<std::uint32_t> seen_, other_seen_;
  std::uint32_t search_ = 0, other_search_ = 0;
  std::vector<int> items_;
};

}  // namespace uzawa
