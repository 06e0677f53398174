#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "uzawa/collision/sdf/face_thinning.hpp"
#include "uzawa/collision/sdf/frank_wolfe.hpp"
#include "uzawa/collision/sdf/surface_tree.hpp"

namespace uzawa {

/// A point of a sampled surface close to a signed-distance shape.
struct SurfaceContact {
  Vec3 point;                 ///< of the sampled surface, world axes, m
  Vec3 normal;                ///< unit, out of the signed distance's shape towards the sampled one, world axes
  double gap = 0;             ///< the distance at the point, m; negative: penetration
  std::uint32_t feature = 0;  ///< of the sampled surface, the same from step to step: see feature_of
};

enum class FeatureKind : std::uint8_t { Vertex, Edge, Face };
inline std::uint32_t feature_of(FeatureKind kind, int index) {
  return static_cast<std::uint32_t>(index) << 2 | static_cast<std::uint32_t>(kind);
}

/// A signed distance and its pose.
struct PlacedDistance {
  const SignedDistance* shape = nullptr;
  Pose pose;
};

struct SurfaceSearch {
  double margin = 0;  ///< m; points with a larger gap are left out
  /// Keep only points from which the surface falls in no direction: fewer, but a face that lies flat is held by one
  /// point of it.
  bool local_minima_only = false;
  /// Leave out points that are apart and from which the surface falls steeply: they are beside the other shape.
  bool facing_only = false;
  /// Where four times as many faces are near enough, only the most promising ones, spread over the surface, are
  /// searched, and each has one contact. With fewer faces there may be more contacts than this.
  int most_contacts = std::numeric_limits<int>::max();
  FrankWolfeSettings descent;
};

/// Contact search in stages over all faces, so that distances are evaluated in batches: faces not excluded by the
/// hierarchy of spheres; distances at their corners; selection of faces (face_thinning.hpp) where there are too many;
/// minima along their edges; minima inside. Memory is kept from search to search. Statistics of the last search can be
/// read.
class SdfContactFinder {
 public:
  struct Stats {
    int nodes = 0, faces = 0, walks = 0;  ///< spheres tested, faces searched, walks inside of faces
    int left_out = 0;                     ///< faces near enough that were not searched
  };

  /// Every minimum of the distance over a face, corner and edge minima once, in an order that depends on the surface
  /// only. The result is valid until the next call.
  std::span<const SurfaceContact> find(const SurfaceTree& surface, const Pose& pose, const PlacedDistance& other,
                                       const SurfaceSearch& search);

  /// The same for a ball with its centre at the origin of `pose`: every minimum of the distance over its surface. On a
  /// convex shape that is one; in a hollow, each wall has its own.
  std::span<const SurfaceContact> find_ball(double radius, const Pose& pose, const PlacedDistance& other,
                                            double margin);

  const Stats& stats() const { return stats_; }

 private:
  /// Cached result for a vertex or an edge; `stamp` is the number of the search that computed it.
  struct VertexMemory {
    SampledPoint point;
    std::uint32_t stamp = 0, reported = 0, descends = 0, steep = 0;
  };
  struct EdgeMemory {
    SegmentMinimum minimum;  ///< from the vertex with the lower number to the other
    std::uint32_t stamp = 0, reported = 0;
  };

  /// A face that may have a minimum in its interior.
  struct Middle {
    int face = 0;
    double lowest_on_border = 0;  ///< m
  };
  /// A walk into a face, from its border towards a corner.
  struct Walk {
    int face = 0, towards = 0;
    TriangleMinimum start;
  };

  void begin(const SurfaceTree& surface, const Pose& pose, const PlacedDistance& other, const SurfaceSearch& search);
  void choose_faces();
  void sample_vertices();
  void drop_hopeless_faces();
  void thin_faces();
  void minimise_edges();
  void report_borders();
  void look_into_middles();
  void walk_inside();
  void run_searches();
  void search_border(int index);
  SampledTriangle corners(const SurfaceTree::Face& face) const;
  bool hopeless(const SampledTriangle& corner) const;
  bool leads_down(const SurfaceTree::Face& face, const SampledTriangle& corner, int from, int side) const;
  void plan_inside(int index, const SampledTriangle& corner, const TriangleMinimum& lowest_on_border);
  void report(const SurfaceTree::Face& face, const SampledTriangle& corner, const TriangleMinimum& found);
  bool descends(const SurfaceContact& contact) const;
  bool is_beside(const SurfaceContact& contact) const;
  bool edge_falls(const SurfaceContact& contact, double length, double slope) const;
  static bool is_steep(const SampledPoint& here, const SampledPoint& there);
  void keep_one_a_face();
  void look_around_ball(const Vec3& centre, double radius, double margin);
  void report_ball(const Vec3& centre, double radius, const Vec3& normal, double gap);
  bool touches_ball_near(const Vec3& normal) const;

  const SurfaceTree* surface_ = nullptr;
  const SignedDistance* shape_ = nullptr;
  Pose relative_;  ///< of the surface in the frame of the distance
  Pose to_world_;  ///< of the distance
  SurfaceSearch search_;
  std::uint32_t stamp_ = 0;
  std::vector<VertexMemory> vertices_;
  std::vector<EdgeMemory> edges_;
  /// Work lists: faces (places in the tree's list), vertices, edges; points and samples of a batch; line searches, the
  /// places of their results, and the results.
  std::vector<int> faces_left_, vertices_asked_, edges_asked_, results_asked_;
  std::vector<Vec3> points_;
  std::vector<SignedDistance::Sample> samples_;
  std::vector<SegmentSearch> searches_;
  std::vector<SegmentMinimum> results_;
  std::vector<FacePromise> promises_;
  FaceThinning thinning_;
  std::vector<Middle> middles_;
  std::vector<Walk> walks_;
  std::vector<SurfaceContact> contacts_, kept_;
  std::vector<int> contact_faces_;  ///< the face that found each of them
  Stats stats_;
};

}  // namespace uzawa
