#include "uzawa/model/rod_builder.hpp"

#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/spec_append.hpp"

namespace uzawa {

namespace {

/// Rotation that takes one unit vector to another by the shortest way: parallel transport.
Quat shortest_turn(const Vec3& from, const Vec3& to) {
  const double cosine = dot(from, to);
  if (cosine > -1 + 1e-12) return normalized({1 + cosine, cross(from, to)});
  const Vec3 other = std::abs(from.x()) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};  // any axis across: half a turn
  const Vec3 across = cross(from, other);
  return {0, across * (1 / norm(across))};
}

Quat about_z(double angle) { return {std::cos(angle / 2), {0, 0, std::sin(angle / 2)}}; }

class RodBuilder {
 public:
  RodBuilder(ModelSpec& spec, const std::vector<Vec3>& points, const RodOptions& options)
      : spec_(spec), options_(options) {
    check_options();
    const std::size_t needed = options.closed ? 3 : 2;
    require(points.size() >= needed, "needs at least " + std::to_string(needed) + " points");
    links_ = options.closed ? points.size() : points.size() - 1;
    for (std::size_t i = 0; i < links_; ++i) {
      const Vec3 &a = points[i], &b = points[(i + 1) % points.size()];
      const double length = norm(b - a);
      require(std::isfinite(length) && length > 0, "segment " + std::to_string(i) + " has no length");
      lengths_.push_back(length);
      centres_.push_back(0.5 * (a + b));
      directions_.push_back((b - a) * (1 / length));
      total_ += length;
    }
    transport_frames();
  }

  int build() {
    rod_.name = options_.name;
    rod_.damping = options_.damping;
    rod_.pieces = options_.pieces;
    for (std::size_t i = 0; i < links_; ++i) add_link(i);
    for (std::size_t i = 0; i + 1 < links_ + (options_.closed ? 1U : 0U); ++i) add_joint(i);
    exclude_neighbours();
    spec_.rods.push_back(std::move(rod_));
    return static_cast<int>(spec_.rods.size()) - 1;
  }

 private:
  void require(bool condition, const std::string& reason) const {
    if (!condition) throw InputError(spec_.source, "rod '" + options_.name + "'", reason);
  }
  void check_options() const {
    const auto positive = [&](double value, const char* field) {
      require(std::isfinite(value) && value > 0, std::string(field) + " is not positive");
    };
    positive(options_.radius, "radius");
    positive(options_.young, "Young's modulus");
    positive(options_.density, "density");
    positive(options_.shear_factor, "shear factor");
    if (options_.shear_modulus) positive(*options_.shear_modulus, "shear modulus");
    require(options_.poisson > -1 && options_.poisson <= 0.5, "Poisson's ratio must be above -1 and at most 0.5");
    require(std::isfinite(options_.damping) && options_.damping >= 0, "damping is negative");
    require(std::isfinite(options_.twist) && std::isfinite(options_.natural_twist), "twist is not finite");
    require(all_finite(options_.side), "side is not finite");
  }

  /// Frames that do not twist, one a link; of a closed rod also what comes back to the first link.
  void transport_frames() {
    Quat frame = shortest_turn({0, 0, 1}, directions_[0]);
    const Vec3 side = rotate(conjugate(frame), options_.side);
    if (length(side.x(), side.y()) > 1e-12 * norm(side)) frame = frame * about_z(std::atan2(side.y(), side.x()));
    double along = 0;
    const std::size_t frames = links_ + (options_.closed ? 1U : 0U);
    for (std::size_t i = 0; i < frames; ++i) {
      if (i > 0) {
        frame = normalized(shortest_turn(directions_[i - 1], directions_[i % links_]) * frame);
        along += 0.5 * (lengths_[i - 1] + lengths_[i % links_]);
      }
      frames_.push_back(frame);
      along_.push_back(along);
    }
  }

  /// How far a frame is turned about z; `twist` is that of the rod from end to end, or around.
  double turn(std::size_t i, double twist) const {
    const double span = along_.back();
    return span > 0 ? twist * along_[i] / span : 0;
  }
  /// Of a link as it is built.
  Quat built_frame(std::size_t i) const { return frames_[i] * about_z(turn(i, options_.twist)); }
  /// The joint from link i to the next without stress: both frames turned back to the natural twist.
  Quat rest_orientation(std::size_t i) const {
    const Quat bend = options_.natural_shape == RodShape::Straight ? Quat{} : conjugate(frames_[i]) * frames_[i + 1];
    const double before = turn(i, options_.natural_twist), after = turn(i + 1, options_.natural_twist);
    const Quat rest = about_z(-before) * bend * about_z(after);
    if (i + 1 < links_) return normalized(rest);
    // Around a closed rod: the frame that arrives and that of the first link differ by a turn about their common z.
    return normalized(rest * (conjugate(built_frame(i + 1)) * built_frame(0)));
  }

  void add_link(std::size_t i) {
    const double radius = options_.radius, length = lengths_[i];
    const int index = static_cast<int>(spec_.bodies.size());
    BodySpec body;
    body.name = options_.name + '_' + std::to_string(i);
    body.position = centres_[i];
    body.orientation = normalized(built_frame(i));
    body.mass = options_.density * M_PI * radius * radius * length;
    const double across = body.mass * (3 * radius * radius + length * length) / 12;
    body.principal_inertia = {across, across, body.mass * radius * radius / 2};
    double reference[7];
    body.position.store(reference);
    body.orientation.store(reference + 3);
    spec_.bodies.push_back(std::move(body));
    append_joint(spec_, JointSpec{.name = {}, .type = JointType::Free, .body = index}, reference);
    GeomSpec geom;
    geom.name = spec_.bodies.back().name;
    geom.body = index;
    geom.shape = ShapeType::Capsule;
    geom.size = {radius, length / 2, 0};
    geom.friction = options_.friction;
    geom.contact_type = options_.contact_type;
    geom.contact_affinity = options_.contact_affinity;
    geom.rgba = options_.rgba;
    spec_.geoms.push_back(std::move(geom));
    rod_.bodies.push_back(index);
  }

  void add_joint(std::size_t i) {
    const std::size_t next = (i + 1) % links_;
    const double r2 = options_.radius * options_.radius, distance = 0.5 * (lengths_[i] + lengths_[next]);
    const double area = M_PI * r2, inertia = M_PI * r2 * r2 / 4, polar = 2 * inertia;
    const double shear = options_.shear_modulus.value_or(options_.young / (2 * (1 + options_.poisson)));
    const double shearing = options_.shear_factor * shear * area / distance;
    const double bending = options_.young * inertia / distance;
    RodJointSpec joint;
    joint.first = static_cast<int>(i);
    joint.second = static_cast<int>(next);
    joint.first_anchor = {0, 0, lengths_[i] / 2};
    joint.second_anchor = {0, 0, -lengths_[next] / 2};
    joint.relative_orientation = rest_orientation(i);
    joint.stiffness = {shearing, shearing, options_.young * area / distance};
    joint.angular_stiffness = {bending, bending, shear * polar / distance};
    rod_.joints.push_back(joint);
  }

  /// Pairs with less than pi r of rod between them.
  void exclude_neighbours() {
    const double reach = M_PI * options_.radius;
    for (std::size_t i = 0; i < links_; ++i) {
      double between = 0;
      for (std::size_t step = 1; step < links_ && between < reach; ++step) {
        const std::size_t other = i + step;
        if (other >= links_ && !options_.closed) break;
        // Once from either side would be twice in a short ring.
        const double way_back = total_ - between - lengths_[i] - lengths_[other % links_];
        const bool seen = other >= links_ && way_back < reach;
        if (!seen) spec_.contact_excludes.push_back({rod_.bodies[i], rod_.bodies[other % links_]});
        between += lengths_[other % links_];
      }
    }
  }

  ModelSpec& spec_;
  const RodOptions& options_;
  std::size_t links_ = 0;
  std::vector<double> lengths_;
  std::vector<Vec3> centres_, directions_;
  double total_ = 0;
  std::vector<Quat> frames_;   ///< without twist; of a closed rod one more
  std::vector<double> along_;  ///< m, of the links' centres along the rod, from the first
  RodSpec rod_;
};

}  // namespace

int add_rod(ModelSpec& spec, const std::vector<Vec3>& points, const RodOptions& options) {
  return RodBuilder(spec, points, options).build();
}

int tie_rod_end(ModelSpec& spec, int rod, RodEnd end, int body, EqualityType type) {
  const auto require = [&](bool condition, const std::string& reason) {
    if (!condition) throw InputError(spec.source, "tie of rod " + std::to_string(rod), reason);
  };
  require(rod >= 0 && at(rod) < spec.rods.size() && !spec.rods[at(rod)].bodies.empty(), "there is no such rod");
  require(body >= 0 && at(body) < spec.bodies.size(), "body " + std::to_string(body) + " does not exist");
  require(type == EqualityType::Connect || type == EqualityType::Weld, "a rod is tied by Connect or Weld");
  const RodSpec& spec_rod = spec.rods[at(rod)];
  const int link = end == RodEnd::First ? spec_rod.bodies.front() : spec_rod.bodies.back();
  double half_length = 0;
  for (const GeomSpec& geom : spec.geoms) {
    if (geom.body == link && geom.shape == ShapeType::Capsule) half_length = geom.size.y();
  }
  require(half_length > 0, "its link has no capsule, so where it ends is unknown");
  const Pose link_pose = reference_pose(spec, link), body_pose = reference_pose(spec, body);
  EqualitySpec tie;
  tie.name = spec_rod.name + (end == RodEnd::First ? "_first" : "_last");
  tie.type = type;
  tie.first = body;
  tie.second = link;
  tie.second_anchor = {0, 0, end == RodEnd::First ? -half_length : half_length};
  tie.first_anchor = transpose_times(body_pose.rotation, link_pose * tie.second_anchor - body_pose.position);
  tie.relative_orientation = to_quaternion(transpose(body_pose.rotation) * link_pose.rotation);
  if (body > 0) spec.contact_excludes.push_back({body, link});
  spec.equalities.push_back(tie);
  return static_cast<int>(spec.equalities.size()) - 1;
}

}  // namespace uzawa
