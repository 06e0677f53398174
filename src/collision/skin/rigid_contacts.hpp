#pragma once

#include "uzawa/collision/convex/clipping.hpp"
#include "uzawa/collision/convex/epa.hpp"
#include "uzawa/collision/sdf/frank_wolfe.hpp"
#include "uzawa/collision/skin/shape_distance.hpp"
#include "uzawa/collision/skin/skin_query.hpp"

namespace uzawa {

/// A rigid geom and how it moves.
struct MovingShape {
  PlacedShape placed;
  Vec3 velocity;    ///< m/s, of the centre of its bounds
  double spin = 0;  ///< m/s, of its points about that centre at the most
};

/// Contacts of a skin with a rigid geom.
///
/// The signed distance from a convex shape is a convex function of the place. So all that touches it first is among
/// these: vertices of the skin; minima along edges; minima within faces. With flat shapes the latter are not single
/// points, and corners of the shape over the face stand for them. Edges and faces whose vertices show that there is no
/// lower point between them are left out, which is all of them over a flat side of the shape. Signed distances are
/// searched in the same way, as far as one minimum an edge and a face; of height fields, peaks meet faces.
///
/// A corner within a closed skin counts at the nearest of the faces that it may have come through: where a plate lies
/// under a block and sticks out beside it, its corner is far behind the block's side, but it is not through there.
///
/// A minimum along an edge counts where no face beside the edge is nearer still; on a closed skin, contacts of edges
/// and faces count from outside only.
///
/// Keeps its memory from pair to pair.
class SkinRigidContacts {
 public:
  void find(const PlacedSkin& skin, const MovingShape& other, const SkinPair& pair, const SkinReach& reach,
            std::vector<Contact>& out);

 private:
  /// One pair in work.
  struct Search {
    const PlacedSkin& skin;
    const MovingShape& other;
    const SkinPair& pair;
    const SkinReach& reach;
    SkinContactList& list;
    ShapeDistance distance;
    ConvexCore core;
    FrankWolfeSettings descent;

    const SkinShape& shape() const { return skin.shape(); }
    const Pose& pose() const { return other.placed.pose; }
    /// Gap below which a vertex' contacts are reported.
    double reach_of(int vertex) const {
      return reach.slack + reach.time * (norm(skin.velocities()[at(vertex)] - other.velocity) + other.spin);
    }
  };

  void meet_plane(const PlacedSkin& skin, const MovingShape& plane, const SkinPair& pair, const SkinReach& reach,
                  SkinContactList& list) const;
  void list_near(const PlacedSkin& skin, const Aabb& box);
  void meet_vertices(const Search& s);
  void meet_edges(const Search& s) const;
  void meet_faces(const Search& s);
  void meet_convex(const Search& s, int face, double reach);
  void add_corners(const Search& s);
  void meet_sampled(const Search& s, int face, double reach) const;
  void meet_peaks(const Search& s, int face, double reach) const;
  void push_apart(const Search& s);
  Proximity way_out_of(const Search& s, const SkinFace& face);
  bool overlaps(const Search& s, const SampledTriangle& corner) const;
  bool is_inside(const Search& s, const Vec3& point) const;
  /// Lower bound of a convex function over a triangle: each corner's tangent plane is one.
  static double least_over(const SampledTriangle& corner);
  SampledTriangle corners_of(const SkinFace& face) const;

  std::vector<int> faces_, edges_, vertices_;           ///< near the geom
  std::vector<std::uint32_t> edge_seen_, vertex_seen_;  ///< the search that listed it last
  std::uint32_t search_ = 0;
  /// A corner of the shape over a face or behind it, in the shape's frame.
  struct Corner {
    int face = 0;
    std::uint64_t id = 0;
    Vec3 point, normal;  ///< out of the face
    Vec3 weight;         ///< of its foot
    double height = 0;   ///< m, over the face
  };
  std::vector<Corner> corners_;
  std::vector<SampledPoint> samples_;  ///< per vertex, in the geom's frame; of the vertices listed
  Patch patch_;
  Epa epa_;
};

}  // namespace uzawa
