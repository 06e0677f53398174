#include <algorithm>
#include <cmath>

#include "uzawa/collision/distance/screw_thread.hpp"

/// Triangles of a bolt or nut: each face (helix, cone, flat end, side of the hexagon) as a patch that is larger than
/// needed, cut where the other faces' functions pass zero. Neighbouring patches meet within the chord error.
namespace uzawa {

namespace {

enum class Face { Thread, Chamfer, End, Hexagon };

class ThreadSurface {
 public:
  ThreadSurface(const ThreadSdf& shape, const SurfaceResolution& resolution)
      : shape_(shape), helix_(shape.helix()), resolution_(resolution) {
    // A multiple of 12 puts a radial line on each corner of the hexagon.
    steps_ = 12 * std::max(1, (arc_steps(helix_.major_radius(), 2 * M_PI, resolution) + 11) / 12);
  }

  Surface build() {
    add_thread();
    if (shape_.chamfer() > 0) add_chamfers();
    add_end(shape_.top());
    if (shape_.has_head()) {
      add_head();
    } else {
      add_end(shape_.bottom());
    }
    if (shape_.spec().internal) add_hexagon(shape_.bottom(), shape_.top());
    Surface surface = welded(surface_, 1e-9);
    orient(surface, shape_);
    return surface;
  }

 private:
  static Vec3 cylindrical(double radius, double angle, double height) {
    return {radius * std::cos(angle), radius * std::sin(angle), height};
  }
  int pieces(double distance) const {
    return std::max(1, static_cast<int>(std::ceil(distance / resolution_.longest_edge - 1e-9)));
  }
  double hexagon_radius() const { return shape_.spec().width / 2 / std::cos(M_PI / 6); }

  /// Cuts a patch of one face by all the others and keeps what is left.
  void keep(Surface patch, Face own) {
    const double tolerance = resolution_.chord_error / 2;
    if (own != Face::End) trim(patch, tolerance, [&](const Vec3& p) { return shape_.ends(broadcast(p)).distance[0]; });
    if (own != Face::Chamfer)
      trim(patch, tolerance, [&](const Vec3& p) { return shape_.chamfers(broadcast(p)).distance[0]; });
    if (own != Face::Hexagon && shape_.spec().internal) {
      trim(patch, tolerance, [&](const Vec3& p) { return shape_.hexagon(broadcast(p)).distance[0]; });
    }
    if (own != Face::Thread)
      trim(patch, tolerance, [&](const Vec3& p) { return shape_.thread(broadcast(p)).distance[0]; });
    if (shape_.has_head())
      trim(patch, tolerance, [&](const Vec3& p) { return -shape_.head(broadcast(p)).distance[0]; });
    append(surface_, patch);
  }

  /// The four stretches of the profile, each along the whole helix.
  void add_thread() {
    const double p = helix_.pitch(), top_radius = helix_.major_radius(), root_radius = helix_.minor_radius();
    struct Corner {
      double radius, height;
    };
    const std::array<Corner, 5> corners{{{top_radius, -p / 16},
                                         {top_radius, p / 16},
                                         {root_radius, 3 * p / 8},
                                         {root_radius, 5 * p / 8},
                                         {top_radius, 15 * p / 16}}};
    const double step = 2 * M_PI / steps_;
    const int first = static_cast<int>(
        std::floor((std::max(shape_.bottom(), shape_.has_head() ? 0. : -1e9) - p) / helix_.lead() / step));
    const int last = static_cast<int>(std::ceil((shape_.top() + p) / helix_.lead() / step));
    for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
      const Corner a = corners[k], b = corners[k + 1];
      const int rows = pieces(length(b.radius - a.radius, b.height - a.height));
      Surface patch;
      append_grid(patch, rows, last - first, [&](int row, int column) {
        const double t = static_cast<double>(row) / rows, angle = step * (first + column);
        return cylindrical(a.radius + t * (b.radius - a.radius), angle,
                           a.height + t * (b.height - a.height) + helix_.lead() * angle);
      });
      keep(std::move(patch), Face::Thread);
    }
  }

  void add_chamfers() {
    const bool nut = shape_.spec().internal;
    const int columns = steps_;
    const double depth = helix_.major_radius() - helix_.minor_radius();
    const int rows = std::max(pieces(shape_.chamfer()), static_cast<int>(std::ceil(2 * shape_.chamfer() / depth)));
    for (const double up : {-1., 1.}) {
      if (!nut && up < 0) continue;
      const double end = up > 0 ? shape_.top() : shape_.bottom();
      const double begin_radius = nut ? helix_.minor_radius() : helix_.major_radius() - shape_.chamfer();
      Surface patch;
      append_grid(patch, rows, columns, [&](int row, int column) {
        const double along = shape_.chamfer() * row / rows;  // outwards
        const double height = nut ? end - up * (shape_.chamfer() - along) : end - along;
        return cylindrical(begin_radius + along, 2 * M_PI * (column % columns) / columns, height);
      });
      keep(std::move(patch), Face::Chamfer);
    }
  }

  /// A disc in the plane of a flat end, from the axis to beyond the shape.
  Surface disc(double radius, double height) const {
    const int rows = pieces(radius), columns = steps_;
    Surface patch;
    append_grid(patch, rows, columns, [&](int row, int column) {
      return cylindrical(radius * row / rows, 2 * M_PI * (column % columns) / columns, height);
    });
    return patch;
  }

  void add_end(double height) {
    keep(disc(shape_.spec().internal ? 1.001 * hexagon_radius() : helix_.major_radius(), height), Face::End);
  }

  void add_hexagon(double low, double high) {
    const double side = hexagon_radius();
    const int rows = pieces(high - low), columns = pieces(side);
    for (int k = 0; k < 6; ++k) {
      const Vec3 a = cylindrical(side, M_PI / 6 + M_PI / 3 * k, 0), b = cylindrical(side, M_PI / 2 + M_PI / 3 * k, 0);
      append_grid(surface_, rows, columns, [&](int row, int column) {
        const double along = static_cast<double>(column) / columns;
        return a + along * (b - a) + Vec3{0, 0, low + (high - low) * row / rows};
      });
    }
  }

  void add_head() {
    const double height = shape_.spec().head_height;
    add_hexagon(-height, 0);
    for (const double z : {-height, 0.}) {
      Surface patch = disc(1.001 * hexagon_radius(), z);
      const double tolerance = resolution_.chord_error / 2;
      trim(patch, tolerance, [&](const Vec3& p) { return shape_.hexagon(broadcast(p)).distance[0]; });
      if (z == 0) trim(patch, tolerance, [&](const Vec3& p) { return -shape_.thread(broadcast(p)).distance[0]; });
      append(surface_, patch);
    }
  }

  const ThreadSdf& shape_;
  const ThreadHelix& helix_;
  SurfaceResolution resolution_;
  int steps_ = 0;
  Surface surface_;
};

}  // namespace

Surface surface_of(const ThreadSdf& shape, const SurfaceResolution& resolution) {
  return ThreadSurface(shape, resolution).build();
}

}  // namespace uzawa
