#include "uzawa/model/rod_builder.hpp"

#include <gtest/gtest.h>

#include <set>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/math/pose.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {
namespace {

std::vector<Vec3> straight(int links, double length) {
  std::vector<Vec3> points;
  for (int i = 0; i <= links; ++i) points.push_back({length * i / links, 0, 0});
  return points;
}

std::vector<Vec3> helix(int links) {
  std::vector<Vec3> points;
  for (int i = 0; i <= links; ++i) points.push_back({std::cos(0.3 * i), std::sin(0.3 * i), 0.1 * i});
  return points;
}

std::vector<Vec3> ring(int links, double radius) {
  std::vector<Vec3> points;
  for (int i = 0; i < links; ++i) {
    const double angle = 2 * M_PI * i / links;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.2 * radius * std::sin(2 * angle)});
  }
  return points;
}

Quat orientation_of(const ModelSpec& spec, const RodSpec& rod, int link) {
  return spec.bodies[at(rod.bodies[at(link)])].orientation;
}

/// What a joint's angular springs feel at the reference configuration, in the first link's frame.
Vec3 strain(const ModelSpec& spec, const RodSpec& rod, const RodJointSpec& joint) {
  const Quat now = conjugate(orientation_of(spec, rod, joint.first)) * orientation_of(spec, rod, joint.second);
  return log_rotation(now * conjugate(joint.relative_orientation));
}

TEST(RodBuilder, StiffnessAndInertiaOfARoundSection) {
  ModelSpec spec;
  RodOptions options;
  options.name = "rope";
  options.radius = 0.02;
  options.young = 3e6;
  options.poisson = 0.25;
  options.density = 800;
  options.damping = 0.01;
  const int index = add_rod(spec, straight(10, 2), options);
  const Model model(spec);
  EXPECT_EQ(model.nv(), 60);
  const RodSpec& rod = spec.rods[at(index)];
  ASSERT_EQ(rod.bodies.size(), 10U);
  ASSERT_EQ(rod.joints.size(), 9U);
  EXPECT_EQ(rod.damping, 0.01);
  const double r = 0.02, area = M_PI * r * r, G = 3e6 / 2.5, l = 0.2;
  for (const RodJointSpec& joint : rod.joints) {
    EXPECT_NEAR(joint.stiffness.z(), 3e6 * area / l, 1e-9);
    EXPECT_NEAR(joint.stiffness.x(), 0.9 * G * area / l, 1e-9);
    EXPECT_NEAR(joint.angular_stiffness.y(), 3e6 * M_PI * std::pow(r, 4) / 4 / l, 1e-12);
    EXPECT_NEAR(joint.angular_stiffness.z(), G * M_PI * std::pow(r, 4) / 2 / l, 1e-12);
    EXPECT_LT(norm(strain(spec, rod, joint)), 1e-15);
  }
  const BodySpec& link = spec.bodies[3];
  EXPECT_EQ(link.name, "rope_2");
  EXPECT_NEAR(link.mass, 800 * area * l, 1e-12);
  EXPECT_NEAR(link.principal_inertia.x(), link.mass * (3 * r * r + l * l) / 12, 1e-15);
  EXPECT_NEAR(link.principal_inertia.z(), link.mass * r * r / 2, 1e-15);
  EXPECT_LT(norm(rotate(link.orientation, {0, 0, 1}) - Vec3{1, 0, 0}), 1e-15);
  EXPECT_EQ(spec.geoms[2].shape, ShapeType::Capsule);
  EXPECT_NEAR(spec.geoms[2].size.y(), 0.1, 1e-15);
  // Neighbours only: pi r is less than a link.
  EXPECT_EQ(spec.contact_excludes.size(), 9U);
}

TEST(RodBuilder, AnchorsCoincideAndFramesDoNotTwist) {
  ModelSpec spec;
  const RodSpec& rod = spec.rods[at(add_rod(spec, helix(20), {}))];
  const std::vector<Vec3> points = helix(20);
  for (std::size_t k = 0; k < rod.joints.size(); ++k) {
    const RodJointSpec& joint = rod.joints[k];
    const BodySpec &a = spec.bodies[at(rod.bodies[k])], &b = spec.bodies[at(rod.bodies[k + 1])];
    EXPECT_LT(norm(a.position + rotate(a.orientation, joint.first_anchor) - points[k + 1]), 1e-14);
    EXPECT_LT(norm(b.position + rotate(b.orientation, joint.second_anchor) - points[k + 1]), 1e-14);
    EXPECT_LT(norm(strain(spec, rod, joint)), 1e-14);
    // Parallel transport: the rotation from link to link has no part along the axis.
    EXPECT_NEAR(log_rotation(joint.relative_orientation).z(), 0, 1e-14);
    EXPECT_GT(norm(log_rotation(joint.relative_orientation)), 0.2);
  }
}

TEST(RodBuilder, StraightNaturalShapeIsBentByThePolyline) {
  ModelSpec spec;
  RodOptions options;
  options.natural_shape = RodShape::Straight;
  options.side = {0, 0, 1};
  const double phi = 2 * M_PI / 40;
  std::vector<Vec3> arc;
  for (int i = 0; i <= 10; ++i) arc.push_back({std::cos(phi * i), std::sin(phi * i), 0});
  const RodSpec& rod = spec.rods[at(add_rod(spec, arc, options))];
  for (const RodJointSpec& joint : rod.joints) {
    // x of the links points up, about which a plane arc turns.
    EXPECT_LT(norm(strain(spec, rod, joint) - Vec3{phi, 0, 0}), 1e-14);
  }
}

TEST(RodBuilder, TwistIsSpreadEvenly) {
  ModelSpec spec;
  RodOptions options;
  options.twist = 3;
  options.natural_twist = 1;
  const RodSpec& rod = spec.rods[at(add_rod(spec, straight(21, 1), options))];
  double total = 0;
  for (const RodJointSpec& joint : rod.joints) {
    EXPECT_LT(norm(strain(spec, rod, joint) - Vec3{0, 0, 0.1}), 1e-14);  // (3 - 1) / 20 joints
    total += log_rotation(joint.relative_orientation).z();
  }
  EXPECT_NEAR(total, 1, 1e-12);
  // All of it natural: no stress, whatever the shape.
  ModelSpec curved;
  options.natural_twist = options.twist;
  const RodSpec& free = curved.rods[at(add_rod(curved, helix(15), options))];
  for (const RodJointSpec& joint : free.joints) EXPECT_LT(norm(strain(curved, free, joint)), 1e-14);
}

TEST(RodBuilder, ClosedRodIsCutTurnedAndJoined) {
  for (const double twist : {0.0, 2.5}) {
    ModelSpec spec;
    RodOptions options;
    options.closed = true;
    options.twist = twist;
    const RodSpec& rod = spec.rods[at(add_rod(spec, ring(24, 0.3), options))];
    ASSERT_EQ(rod.joints.size(), 24U);
    EXPECT_EQ(rod.joints.back().first, 23);
    EXPECT_EQ(rod.joints.back().second, 0);
    // Naturally bent, it is free of stress as it is; turned frames would see the bend from another side.
    for (const RodJointSpec& joint : rod.joints) {
      if (twist == 0) {
        EXPECT_LT(norm(strain(spec, rod, joint)), 1e-13);
      }
    }
    ModelSpec plane;
    options.natural_shape = RodShape::Straight;
    std::vector<Vec3> circle = ring(24, 0.3);
    for (Vec3& point : circle) point.set(2, 0);
    const RodSpec& flat = plane.rods[at(add_rod(plane, circle, options))];
    const Vec3 first = strain(plane, flat, flat.joints[0]);
    for (const RodJointSpec& joint : flat.joints) {
      const Vec3 other = strain(plane, flat, joint);
      EXPECT_NEAR(other.z(), first.z(), 1e-13);
      EXPECT_NEAR(norm(other), norm(first), 1e-13);
    }
    EXPECT_NEAR(first.z() * 24, twist,
                0.02 * twist + 1e-13);  // bending and twist mix to second order in the joint's angle
    EXPECT_NO_THROW(Model{plane});
  }
}

/// Independent of the builder's loop: all pairs, by the shorter way around.
std::set<std::pair<int, int>> close_pairs(const std::vector<double>& lengths, bool closed, double reach) {
  std::set<std::pair<int, int>> pairs;
  const int n = static_cast<int>(lengths.size());
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      double inner = 0, outer = 0;
      for (int k = 0; k < n; ++k) {
        if (k > i && k < j) inner += lengths[at(k)];
        if (k < i || k > j) outer += lengths[at(k)];
      }
      if (inner < reach || (closed && outer < reach)) pairs.insert({i, j});
    }
  }
  return pairs;
}

TEST(RodBuilder, OverlappingLinksMakeNoContact) {
  for (const bool closed : {false, true}) {
    for (const double radius : {0.01, 0.05, 0.2}) {
      ModelSpec spec;
      RodOptions options;
      options.radius = radius;
      options.closed = closed;
      std::vector<Vec3> points = ring(closed ? 13 : 14, 0.2);
      add_rod(spec, points, options);
      std::vector<double> lengths;
      for (int i = 0; i < 13; ++i) lengths.push_back(norm(points[at(i + 1) % points.size()] - points[at(i)]));
      std::set<std::pair<int, int>> found;
      for (const ContactExcludeSpec& exclude : spec.contact_excludes) {
        const auto [low, high] = std::minmax({exclude.body1 - 1, exclude.body2 - 1});
        EXPECT_TRUE(found.insert({low, high}).second) << low << ' ' << high;
      }
      EXPECT_EQ(found, close_pairs(lengths, closed, M_PI * radius)) << closed << ' ' << radius;
    }
  }
}

TEST(RodBuilder, EndsAreTiedWhereTheyAre) {
  ModelSpec spec;
  spec.bodies.push_back({.name = "hand",
                         .position = {0.5, -0.2, 1},
                         .orientation = exp_rotation({0.3, 0.2, -0.5}),
                         .mass = 1,
                         .principal_inertia = {1, 1, 1}});
  spec.joints.push_back({.type = JointType::Free, .body = 1});
  const int rod = add_rod(spec, helix(8), {});
  const std::size_t excluded = spec.contact_excludes.size();
  const int weld = tie_rod_end(spec, rod, RodEnd::Last, 1);
  const int connect = tie_rod_end(spec, rod, RodEnd::First, 0, EqualityType::Connect);
  EXPECT_EQ(spec.contact_excludes.size(), excluded + 1);
  const EqualitySpec& held = spec.equalities[at(weld)];
  const BodySpec &hand = spec.bodies[1], &last = spec.bodies.back();
  EXPECT_LT(norm(hand.position + rotate(hand.orientation, held.first_anchor) - helix(8).back()), 1e-14);
  EXPECT_LT(norm(last.position + rotate(last.orientation, held.second_anchor) - helix(8).back()), 1e-14);
  EXPECT_LT(norm(rotation_between(hand.orientation * held.relative_orientation, last.orientation)), 1e-14);
  EXPECT_EQ(spec.equalities[at(connect)].type, EqualityType::Connect);
  EXPECT_LT(norm(spec.equalities[at(connect)].first_anchor - helix(8).front()), 1e-14);
  EXPECT_NO_THROW(Model{spec});
  EXPECT_THROW(tie_rod_end(spec, 1, RodEnd::First, 0), InputError);
  EXPECT_THROW(tie_rod_end(spec, 0, RodEnd::First, 99), InputError);
  EXPECT_THROW(tie_rod_end(spec, 0, RodEnd::First, 0, EqualityType::Joint), InputError);
}

TEST(RodBuilder, RefusesWithAReason) {
  const auto reason_of = [](const std::vector<Vec3>& points, const RodOptions& options) -> std::string {
    ModelSpec spec;
    try {
      add_rod(spec, points, options);
    } catch (const InputError& error) {
      EXPECT_EQ(error.element(), "rod 'rod'");
      return error.reason();
    }
    return "accepted";
  };
  RodOptions options;
  EXPECT_EQ(reason_of({{0, 0, 0}}, options), "needs at least 2 points");
  EXPECT_EQ(reason_of({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, options), "segment 1 has no length");
  options.radius = 0;
  EXPECT_EQ(reason_of(straight(2, 1), options), "radius is not positive");
  options = {};
  options.poisson = 0.6;
  EXPECT_EQ(reason_of(straight(2, 1), options), "Poisson's ratio must be above -1 and at most 0.5");
}

}  // namespace
}  // namespace uzawa
