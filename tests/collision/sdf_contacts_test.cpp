#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sdf_samples.hpp"
#include "support/allocations.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/screw_thread.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"

/// The search for contacts of a sampled surface, against dense sampling of every face.
namespace uzawa::test {
namespace {

/// A surface somewhere, close to a distance.
struct Scene {
  std::shared_ptr<const SignedDistance> shape;
  std::shared_ptr<const SurfaceTree> surface;
  std::vector<Pose> poses;  ///< of the surface; the shape is at the origin
};

Scene bolt_and_nut() {
  Scene scene;
  scene.shape = std::make_shared<const ThreadSdf>(m48_bolt());
  scene.surface = std::make_shared<const SurfaceTree>(surface_of(ThreadSdf(m48_nut()), {}));
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    // Somewhere along the bolt, within the play of the thread, a little aslant.
    const double height = random.uniform(0.02, 0.1), turn = 2 * M_PI * height / 0.005;
    const Vec3 off{random.uniform(-1e-4, 1e-4), random.uniform(-1e-4, 1e-4), random.uniform(-1.5e-4, 1.5e-4)};
    scene.poses.push_back(
        Pose::from(Vec3{0, 0, height} + off, exp_rotation(random.direction() * 0.003) * exp_rotation({0, 0, turn})));
  }
  return scene;
}

Scene stacked_dishes() {
  Scene scene;
  const RevolvedSpec below = dish(0.1, 0.03, 0.05, 0.004), above = bowl(0.08, 0.05, 0.004);
  scene.shape = std::make_shared<const RevolvedSdf>(below);
  scene.surface = std::make_shared<const SurfaceTree>(surface_of(RevolvedSdf(above), {}));
  Random random(2);
  for (int i = 0; i < 10; ++i) {
    // Nested, shifted and tilted, down to where the two touch or overlap a little.
    Pose pose = Pose::from({random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0.02},
                           exp_rotation(random.direction() * random.uniform(0, 0.2)));
    const double wanted = random.uniform(-2e-4, 1e-4);
    for (int k = 0; k < 30; ++k) {
      double least = 1;
      for (const Vec3& v : scene.surface->surface().vertices) {
        least = std::min(least, scene.shape->evaluate(pose * v).distance);
      }
      pose.position -= Vec3{0, 0, least - wanted};
    }
    scene.poses.push_back(pose);
  }
  return scene;
}

/// Minima of the distance over one face on a triangular lattice, lower than all their neighbours on it.
struct DenseMinimum {
  Vec3 position;
  double gap;
};
std::vector<DenseMinimum> dense_minima(const SignedDistance& shape, const std::array<Vec3, 3>& corner, int steps) {
  std::vector<double> value(at((steps + 1) * (steps + 1)), 1e9);
  const auto place = [&](int i, int j) {
    return corner[0] + (corner[1] - corner[0]) * (static_cast<double>(i) / steps) +
           (corner[2] - corner[0]) * (static_cast<double>(j) / steps);
  };
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) value[at(i * (steps + 1) + j)] = shape.evaluate(place(i, j)).distance;
  }
  constexpr double kPlateau = 1e-9;  // lower by this, or it is no minimum but a flat
  std::vector<DenseMinimum> found;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) {
      const double own = value[at(i * (steps + 1) + j)];
      bool lowest_here = true;
      for (const auto& d : {std::array{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}}) {
        const int a = i + d[0], b = j + d[1];
        if (a >= 0 && b >= 0 && a + b <= steps && value[at(a * (steps + 1) + b)] <= own + kPlateau) lowest_here = false;
      }
      if (lowest_here) found.push_back({place(i, j), own});
    }
  }
  return found;
}

class DenseSampling : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, DenseSampling, testing::Values("bolt and nut", "dishes"));

TEST_P(DenseSampling, FindsNoMinimumThatTheSearchMisses) {
  const Scene scene = GetParam() == std::string("dishes") ? stacked_dishes() : bolt_and_nut();
  constexpr double kMargin = 3e-4, kMissed = 1e-5, kSame = FrankWolfeSettings{}.tolerance;
  constexpr int kSteps = 16;
  SdfContactFinder finder;
  int minima = 0, missed = 0;
  double worst = 0;
  for (const Pose& pose : scene.poses) {
    const auto contacts = finder.find(*scene.surface, pose, {scene.shape.get(), {}}, {.margin = kMargin});
    std::vector<std::vector<const SurfaceContact*>> by_vertex(scene.surface->surface().vertices.size()),
        by_edge(scene.surface->edges().size()), by_face(scene.surface->faces().size());
    for (const SurfaceContact& contact : contacts) {
      auto& group = (contact.feature & 3) == 0 ? by_vertex : (contact.feature & 3) == 1 ? by_edge : by_face;
      group[contact.feature >> 2].push_back(&contact);
    }
    for (const SurfaceTree::Face& face : scene.surface->faces()) {
      std::array<Vec3, 3> corner;
      for (std::size_t k = 0; k < 3; ++k) corner[k] = pose * scene.surface->surface().vertices[at(face.vertex[k])];
      const double longest =
          std::max({norm(corner[1] - corner[0]), norm(corner[2] - corner[1]), norm(corner[0] - corner[2])});
      if (scene.shape->evaluate(corner[0]).distance > kMargin + 2 * longest) continue;
      for (const DenseMinimum& minimum : dense_minima(*scene.shape, corner, kSteps)) {
        if (minimum.gap > kMargin - kMissed) continue;
        ++minima;
        // Found: a contact on the face within two lattice steps, or one on it that is as low.
        double lowest_gap = 1e9;
        bool near = false;
        const auto look = [&](const std::vector<const SurfaceContact*>& group) {
          for (const SurfaceContact* contact : group) {
            lowest_gap = std::min(lowest_gap, contact->gap);
            near = near || (norm(contact->point - minimum.position) < 2 * longest / kSteps &&
                            contact->gap < minimum.gap + kSame);
          }
        };
        for (std::size_t k = 0; k < 3; ++k) {
          look(by_vertex[at(face.vertex[k])]);
          look(by_edge[at(face.edge[k])]);
        }
        look(by_face[at(face.index)]);
        if (near || lowest_gap < minimum.gap + kSame) continue;
        ++missed;
        worst = std::max(worst, lowest_gap - minimum.gap);
      }
    }
  }
  std::printf("%s: %d minima, %d missed, by %.2g m at most\n", GetParam(), minima, missed, worst);
  EXPECT_GT(minima, 1000);
  EXPECT_LE(missed, minima / 100);
  EXPECT_LT(worst, kMissed);
}

/// Contacts as points that can be compared, in an order of their own.
std::vector<std::array<double, 4>> sorted_points(std::span<const SurfaceContact> contacts, const Pose& pose) {
  std::vector<std::array<double, 4>> points;
  for (const SurfaceContact& c : contacts) {
    const Vec3 p = transpose_times(pose.rotation, c.point - pose.position);
    points.push_back({p.x(), p.y(), p.z(), c.gap});
  }
  return points;
}
/// The largest distance from a point of one list to the nearest of the other.
double difference(const std::vector<std::array<double, 4>>& a, const std::vector<std::array<double, 4>>& b) {
  double largest = 0;
  for (const auto& p : a) {
    double nearest = 1e9;
    for (const auto& q : b) {
      nearest = std::min(nearest, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) + std::abs(p[3] - q[3]));
    }
    largest = std::max(largest, nearest);
  }
  return largest;
}

TEST(SdfContacts, DoNotDependOnWhereTheWorldIs) {
  const Scene scene = stacked_dishes();
  SdfContactFinder finder;
  Random random(3);
  for (const Pose& pose : scene.poses) {
    const auto here = finder.find(*scene.surface, pose, {scene.shape.get(), {}}, {.margin = 3e-4});
    ASSERT_GT(here.size(), 1U);
    const std::vector<SurfaceContact> first(here.begin(), here.end());
    const Pose world = Pose::from({3, -2, 5}, random.orientation());
    const auto there = finder.find(*scene.surface, world * pose, {scene.shape.get(), world}, {.margin = 3e-4});
    // Ties may be decided by rounding: a handful of contacts more or less, none elsewhere than before.
    EXPECT_NEAR(static_cast<double>(there.size()), static_cast<double>(first.size()),
                0.02 * static_cast<double>(first.size()) + 1);
    EXPECT_LT(difference(sorted_points(there, world), sorted_points(first, {})), 1e-3);
    for (const SurfaceContact& contact : there) EXPECT_NEAR(norm(contact.normal), 1, 1e-9);
  }
}

TEST(SdfContacts, DoNotDependOnTheOrderOfFaces) {
  const Scene scene = bolt_and_nut();
  Surface shuffled = scene.surface->surface();
  Random random(4);
  std::shuffle(shuffled.faces.begin(), shuffled.faces.end(), random.engine());
  for (auto& face : shuffled.faces) std::rotate(face.begin(), face.begin() + random.integer(3), face.end());
  const SurfaceTree other(shuffled);
  SdfContactFinder finder;
  const PlacedDistance bolt{scene.shape.get(), {}};
  const auto found = finder.find(*scene.surface, scene.poses[0], bolt, {.margin = 2e-4});
  const auto first = sorted_points(found, {});
  const auto second = sorted_points(finder.find(other, scene.poses[0], bolt, {.margin = 2e-4}), {});
  EXPECT_NEAR(static_cast<double>(first.size()), static_cast<double>(second.size()),
              0.02 * static_cast<double>(first.size()));
  EXPECT_LT(difference(first, second), 2e-3);
  EXPECT_LT(difference(second, first), 2e-3);
}

TEST(SdfContacts, AreTheSameAgainAndAllocateNothing) {
  const Scene scene = bolt_and_nut();
  SdfContactFinder finder;
  const PlacedDistance bolt{scene.shape.get(), {}};
  for (const Pose& pose : scene.poses) finder.find(*scene.surface, pose, bolt, {.margin = 5e-4});
  const auto once = finder.find(*scene.surface, scene.poses[1], bolt, {.margin = 3e-4});
  const std::vector<SurfaceContact> first(once.begin(), once.end());
  const long before = allocations();
  const auto again = finder.find(*scene.surface, scene.poses[1], bolt, {.margin = 3e-4});
  EXPECT_EQ(allocations(), before);
  ASSERT_EQ(again.size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(again[i].feature, first[i].feature);
    EXPECT_EQ(again[i].gap, first[i].gap);
  }
}

/// A box that lies flat on a plane is held by its four corners, and one on an edge by two.
TEST(SdfContacts, FlatFacesKeepAllTheirCorners) {
  const PlaneSdf plane;
  const SurfaceTree box(box_mesh({0.1, 0.2, 0.05}));
  SdfContactFinder finder;
  const auto count = [&](const Quat& turn, double height, bool minima_only) {
    return finder
        .find(box, Pose::from({0, 0, height}, turn), {&plane, {}}, {.margin = 1e-3, .local_minima_only = minima_only})
        .size();
  };
  EXPECT_EQ(count({}, 0.0495, false), 4U);
  EXPECT_EQ(count({}, 0.0495, true), 4U);
  EXPECT_EQ(count(exp_rotation({M_PI / 4, 0, 0}), 0.25 / std::sqrt(2.), true), 2U);
  EXPECT_EQ(count(exp_rotation({0.02, 0, 0}), 0.0545, true), 2U);
  EXPECT_EQ(count({}, 0.0515, false), 0U);
}

TEST(SdfContacts, EveryFeatureIsReportedOnce) {
  const Scene scene = bolt_and_nut();
  SdfContactFinder finder;
  for (const Pose& pose : scene.poses) {
    const auto found = finder.find(*scene.surface, pose, {scene.shape.get(), {}}, {.margin = 3e-4});
    std::vector<std::uint32_t> features;
    for (const SurfaceContact& contact : found) features.push_back(contact.feature);
    std::sort(features.begin(), features.end());
    EXPECT_EQ(std::adjacent_find(features.begin(), features.end()), features.end());
  }
}

TEST(SdfContacts, DegenerateSurfacesGiveNoNonsense) {
  const CapsuleSdf sphere(0.05, 0);
  Surface surface = sphere_mesh(0.05, 3);
  const int count = static_cast<int>(surface.vertices.size());
  surface.vertices.push_back(surface.vertices[0]);  // twice in one place
  surface.faces.push_back({0, count, 1});           // a face without area
  surface.faces.push_back({0, 0, 0});               // a face that is a point
  surface.faces.push_back(surface.faces[0]);        // the same face twice
  SdfContactFinder finder;
  for (const double distance : {0., 0.0999, 0.05}) {
    const auto found =
        finder.find(SurfaceTree(surface), Pose{Mat3::identity(), {0, 0, distance}}, {&sphere, {}}, {.margin = 1e-3});
    EXPECT_GT(found.size(), 0U);
    for (const SurfaceContact& contact : found) {
      EXPECT_TRUE(std::isfinite(contact.gap) && all_finite(contact.point));
      EXPECT_NEAR(norm(contact.normal), 1, 1e-9);
    }
  }
  EXPECT_EQ(finder.find(SurfaceTree(Surface{}), {}, {&sphere, {}}, {.margin = 1}).size(), 0U);
  surface.vertices[3].set(1, NAN);
  EXPECT_THROW(SurfaceTree{surface}, InputError);
  surface.faces.push_back({0, 1, 100'000});
  EXPECT_THROW(SurfaceTree{surface}, InputError);
}

}  // namespace
}  // namespace uzawa::test
