#include "uzawa/meshing/stuffing.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "uzawa/base/error.hpp"
#include "uzawa/collision/distance/mesh_sdf.hpp"
#include "uzawa/collision/distance/mesh_sdf_closed.hpp"
#include "uzawa/meshing/stencil.hpp"

namespace uzawa {

namespace {

using Place = BccLattice::Place;
using Id = BccLattice::Id;

/// A point nearer to the surface than this part of an edge that is cut moves onto the cut: the pair of [LS] for uniform
/// meshes whose smallest angle is to be largest.
constexpr double kWarpLong = 0.24999, kWarpShort = 0.41189;

constexpr double kMostPoints = 2e8;

[[noreturn]] void refuse(const std::string& reason) { throw InputError("", "isosurface stuffing", reason); }

/// A lattice whose outermost cells are beyond the bounds.
BccLattice lattice_around(const Aabb& bounds, double cell) {
  if (!(std::isfinite(cell) && cell > 0)) refuse("the cell size is not positive");
  if (!all_finite(bounds.low) || !all_finite(bounds.high)) refuse("the bounds are not finite");
  std::array<int, 3> cells{};
  double points = 2;
  for (int d = 0; d < 3; ++d) {
    const double count = std::ceil((bounds.high[d] - bounds.low[d]) / cell) + 2;
    if (!(count >= 2)) refuse("the bounds are empty");
    points *= count;
    if (points > kMostPoints) refuse("the cells are too small for a solid of this size");
    cells[at(d)] = static_cast<int>(count);
  }
  const Vec3 extent = cell * Vec3{double(cells[0]), double(cells[1]), double(cells[2])};
  return {bounds.center() - 0.5 * extent, cell, cells};
}

class Stuffer {
 public:
  /// `is_distance`: the function is the exact distance, so that much of the lattice need not be sampled.
  Stuffer(const DistanceFunction& distance, bool is_distance, const Aabb& bounds, double cell)
      : distance_(distance), is_distance_(is_distance), cell_(cell), lattice_(lattice_around(bounds, cell)) {}

  TetMesh run() {
    sample();
    find_cuts();
    warp();
    fill();
    if (mesh_.tets.empty()) {
      refuse("no tetrahedron of a lattice of " + std::to_string(cell_) + " m cells is inside: take smaller cells");
    }
    return std::move(mesh_);
  }

 private:
  struct Cut {
    Vec3 point;
    int node = -1;
  };

  double evaluate(const Vec3& point) const {
    const double value = distance_(point);
    if (std::isfinite(value)) return value;
    refuse("the distance is not finite at (" + std::to_string(point.x()) + ", " + std::to_string(point.y()) + ", " +
           std::to_string(point.z()) + ")");
  }
  Vec3 point(Id id) const { return lattice_.point(lattice_.place(id)); }
  /// Edges of opposite sides only; the smaller id first.
  std::int64_t edge(Id a, Id b) const { return std::min(a, b) * lattice_.size() + std::max(a, b); }

  void sample() {
    values_.resize(static_cast<std::size_t>(lattice_.size()));
    sides_.resize(values_.size());
    nodes_.assign(values_.size(), -1);
    for (Id id = 0; id < lattice_.size();) {
      const double value = evaluate(point(id));
      const signed char side = value < 0 ? 1 : value > 0 ? -1 : 0;
      for (const Id end = id + run_length(id, value); id < end; ++id) {
        values_[static_cast<std::size_t>(id)] = value;
        sides_[static_cast<std::size_t>(id)] = side;
        if (side >= 0) check_bounds(lattice_.place(id));
      }
    }
  }

  /// Points from here along x that are on the same side, and so are their neighbours: a distance changes by no more
  /// than the way. Their values are never asked for.
  Id run_length(Id id, double value) const {
    if (!is_distance_) return 1;
    const Place place = lattice_.place(id);
    const Id left_in_row = (2 * lattice_.cells()[0] - (place[0] & 1) - place[0]) / 2;
    return 1 + std::min(left_in_row, static_cast<Id>(std::max(0.0, std::abs(value) / cell_ - 1.01)));
  }

  void check_bounds(const Place& place) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (place[d] < 2 || place[d] > 2 * lattice_.cells()[d] - 2) refuse("the solid reaches beyond its bounds");
    }
  }

  /// Calls function(neighbour, is_long) for those on the other side.
  template <typename Function>
  void for_each_opposite(Id id, Function&& function) const {
    const Place place = lattice_.place(id);
    for (std::size_t k = 0; k < BccLattice::neighbours().size(); ++k) {
      const Place& step = BccLattice::neighbours()[k];
      const Place other = {place[0] + step[0], place[1] + step[1], place[2] + step[2]};
      if (!lattice_.contains(other)) continue;
      const Id neighbour = lattice_.id(other);
      if (side(id) * side(neighbour) < 0) function(neighbour, k < 6);
    }
  }
  int side(Id id) const { return sides_[static_cast<std::size_t>(id)]; }

  void find_cuts() {
    for (Id id = 0; id < lattice_.size(); ++id) {
      if (side(id) <= 0) continue;
      for_each_opposite(id, [&](Id other, bool) { cuts_[edge(id, other)].point = surface_between(id, other); });
    }
  }

  /// Regula falsi with the Illinois rule; the bracket shrinks from both ends.
  Vec3 surface_between(Id inside, Id outside) const {
    const Vec3 start = point(inside), way = point(outside) - start;
    double low = 0, high = 1, at_low = values_[static_cast<std::size_t>(inside)],
           at_high = values_[static_cast<std::size_t>(outside)];
    double middle = 0.5;
    int last = 0;
    for (int round = 0; round < 50 && high - low > 1e-12; ++round) {
      middle = low + (high - low) * at_low / (at_low - at_high);
      const double value = evaluate(start + middle * way);
      if (std::abs(value) < 1e-14 * cell_) break;
      const int now = value < 0 ? -1 : 1;
      (now < 0 ? low : high) = middle;
      (now < 0 ? at_low : at_high) = value;
      if (now == last) (now < 0 ? at_high : at_low) /= 2;
      last = now;
    }
    return start + middle * way;
  }

  void warp() {
    for (Id id = 0; id < lattice_.size(); ++id) {
      if (side(id) == 0) continue;
      const Vec3 from = point(id);
      double nearest = 1e300;
      Vec3 target;
      for_each_opposite(id, [&](Id other, bool is_long) {
        const Vec3& cut = cuts_.at(edge(id, other)).point;
        const double distance = norm(cut - from);
        const double bound = cell_ * (is_long ? kWarpLong : kWarpShort * std::sqrt(0.75));
        if (distance >= bound || distance >= nearest) return;
        nearest = distance;
        target = cut;
      });
      if (nearest > cell_) continue;
      sides_[static_cast<std::size_t>(id)] = 0;  // its other cuts are gone with this
      warped_.emplace(id, target);
    }
  }

  void fill() {
    lattice_.for_each_tet([&](const Place& a, const Place& b, const Place& c, const Place& d) {
      CutTet tet{.places = {a, b, c, d}, .side = {}, .nodes = {}, .cuts = {}};
      std::array<Id, 4> ids{};
      bool any = false;
      for (std::size_t k = 0; k < 4; ++k) {
        ids[k] = lattice_.id(tet.places[k]);
        tet.side[k] = side(ids[k]);
        any = any || tet.side[k] > 0;
      }
      if (!any) return;
      for (std::size_t k = 0; k < 4; ++k) {
        if (tet.side[k] >= 0) tet.nodes[k] = node_of(ids[k]);
        for (std::size_t l = 0; l < 4; ++l) {
          if (tet.side[k] * tet.side[l] < 0) tet.cuts[k][l] = node_of_cut(ids[k], ids[l]);
        }
      }
      fill_cut_tet(mesh_, tet);
    });
  }

  int add_node(const Vec3& point) {
    mesh_.nodes.push_back(point);
    return static_cast<int>(mesh_.nodes.size()) - 1;
  }
  int node_of(Id id) {
    int& node = nodes_[static_cast<std::size_t>(id)];
    if (node >= 0) return node;
    const auto moved = warped_.find(id);
    return node = add_node(moved == warped_.end() ? point(id) : moved->second);
  }
  int node_of_cut(Id a, Id b) {
    Cut& cut = cuts_.at(edge(a, b));
    if (cut.node < 0) cut.node = add_node(cut.point);
    return cut.node;
  }

  const DistanceFunction& distance_;
  bool is_distance_;
  double cell_;
  BccLattice lattice_;
  std::vector<double> values_;      ///< of the distance, by lattice point
  std::vector<signed char> sides_;  ///< 1 inside, 0 on the surface, -1 outside
  std::vector<int> nodes_;          ///< of the mesh, by lattice point
  std::unordered_map<std::int64_t, Cut> cuts_;
  std::unordered_map<Id, Vec3> warped_;
  TetMesh mesh_;
};

}  // namespace

TetMesh stuff(const DistanceFunction& distance, const Aabb& bounds, double cell) {
  return Stuffer(distance, false, bounds, cell).run();
}

TetMesh stuff(const SignedDistance& shape, double cell) {
  return stuff([&](const Vec3& point) { return shape.evaluate(point).distance; }, shape.bounds(), cell);
}

TetMesh stuff(const Surface& mesh, double cell, const std::string& name) {
  const MeshSdf shape(closed_mesh(mesh, name));
  const DistanceFunction distance = [&](const Vec3& point) { return shape.evaluate(point).distance; };
  return Stuffer(distance, true, shape.bounds(), cell).run();
}

TetMesh stuff(const MeshSpec& mesh, double cell) { return stuff(to_surface(mesh), cell, mesh.name); }

}  // namespace uzawa
