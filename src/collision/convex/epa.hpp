#pragma once

#include <array>

#include "uzawa/collision/convex/gjk.hpp"

namespace uzawa {

/// Penetration of two cores that overlap, by EPA: a polytope inside A - B grows towards the boundary point nearest to
/// the origin. Keeps its memory from call to call and allocates none.
class Epa {
 public:
  /// From the simplex that GJK ended with.
  void start(const ConvexPair& pair, const Simplex& simplex);
  /// Grows the polytope until its nearest face is within the tolerance of the boundary, relative to the size of A - B.
  Proximity resume(const ConvexPair& pair, double tolerance);
  /// Grows the polytope until it shows that in no direction more than 12 degrees from the normal the boundary is nearer
  /// than `distance` by more than the tolerance (relative); true then. False where it found a nearer one, which
  /// resume() goes on with.
  bool nowhere_else(const ConvexPair& pair, const Vec3& normal, double distance, double tolerance);

 private:
  static constexpr int kMaxVertices = 192, kMaxFaces = 512, kMaxIterations = 160;

  struct Face {
    int vertex[3], neighbor[3];  ///< neighbor k is across the edge from vertex k to vertex k + 1
    bool seen;                   ///< by the new vertex, while the polytope grows
    Vec3 normal;                 ///< unit, outward
  };
  struct HorizonEdge {
    int from, to, outside;  ///< outside: the face beyond
  };

  bool span(const ConvexPair& pair, const Simplex& simplex);
  bool add_spanning_point(const ConvexPair& pair);
  int make_face(int a, int b, int c);
  int nearest_face() const;
  int nearest_face_away_from(const Vec3& normal, double limit) const;
  /// Looks beyond a face: notes it where its penetration is the least so far. Returns the supporting point.
  DifferencePoint probe(const ConvexPair& pair, int face, double& reach);
  void grow(const DifferencePoint& p, int face);
  /// Replaces the faces visible from the new vertex. False where rounding has made that impossible, or memory is full.
  bool expand(int first_seen, int vertex);
  void find_horizon(int first_seen, int vertex);
  Proximity flat_result(const ConvexPair& pair) const;
  Proximity result() const;

  std::array<DifferencePoint, kMaxVertices> vertices_;
  std::array<Face, kMaxFaces> faces_;
  /// Per face: distance of its plane from the origin, m; huge where it has no area or is gone. Padded to whole lanes.
  alignas(32) std::array<double, kMaxFaces> distance_;
  std::array<HorizonEdge, kMaxFaces> horizon_;
  std::array<int, kMaxFaces> seen_, free_;
  int vertex_count_ = 0, face_count_ = 0, free_count_ = 0, seen_count_ = 0, horizon_count_ = 0;
  double scale_ = 0;    ///< m, size of A - B
  bool stuck_ = false;  ///< the polytope cannot grow
  struct {
    int vertex[3];
    Vec3 normal;
    double distance, reach;
  } best_;  ///< the face that promises the least penetration so far
};

}  // namespace uzawa
