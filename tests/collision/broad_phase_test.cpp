#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "free_geoms.hpp"
#include "mujoco_scene.hpp"

/// Who is looked at: the tree of boxes against brute force, the rules of who may touch whom against MuJoCo.
namespace uzawa::test {
namespace {

std::vector<GeomSpec> random_balls(int count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> radius(0.01, 0.1);
  std::vector<GeomSpec> balls;
  for (int i = 0; i < count; ++i) balls.push_back(geom(ShapeType::Sphere, {radius(random), 0, 0}));
  return balls;
}

std::set<PairKey> overlapping_pairs(const std::vector<Aabb>& boxes) {
  std::set<PairKey> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = i + 1; k < boxes.size(); ++k) {
      if (overlap(boxes[i], boxes[k])) pairs.insert(pair_key(static_cast<int>(i), static_cast<int>(k)));
    }
  }
  return pairs;
}

/// Drifting, jumping, growing and standing boxes: every overlap is found at every step, sorted, once, and nothing that
/// is far apart.
TEST(BroadPhaseTest, FindsWhatBruteForceFinds) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(0, 1), drift(-0.01, 0.01), chance(0, 1);
  for (const int count : {1, 2, 3, 50, 300}) {
    const Model model(free_geoms(random_balls(count, random)));
    const PairFilter filter(model);
    std::vector<int> all;
    std::vector<Aabb> boxes;
    std::vector<Vec3> speed;
    for (int i = 0; i < count; ++i) {
      all.push_back(i);
      const Vec3 p{place(random), place(random), place(random)};
      boxes.push_back(Aabb{p, p}.grown(model.spec().geoms[static_cast<std::size_t>(i)].size.x()));
      speed.push_back(i % 3 == 0 ? Vec3{} : Vec3{drift(random), drift(random), drift(random)});
    }
    BroadPhase broad(all, filter);
    for (int step = 0; step < 60; ++step) {
      broad.update(boxes);
      const std::span<const PairKey> pairs = broad.pairs();
      EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
      const std::set<PairKey> found(pairs.begin(), pairs.end());
      EXPECT_EQ(found.size(), pairs.size());
      for (const PairKey pair : overlapping_pairs(boxes)) EXPECT_TRUE(found.contains(pair)) << step;
      for (const PairKey pair : found) {
        const Aabb& a = boxes[static_cast<std::size_t>(first_geom(pair))];
        const Aabb& b = boxes[static_cast<std::size_t>(second_geom(pair))];
        EXPECT_TRUE(overlap(a.grown(0.9 * norm(a.half())), b.grown(0.9 * norm(b.half())))) << step;
      }
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        Vec3 move = speed[i];
        if (chance(random) < 0.01) move = {drift(random) * 50, drift(random) * 50, drift(random) * 50};
        boxes[i] = {boxes[i].low + move, boxes[i].high + move};
        if (chance(random) < 0.01) boxes[i] = boxes[i].grown(chance(random) < 0.5 ? 0.05 : -0.005);
      }
    }
    EXPECT_LT(broad.stats().rebuilds, 30);
  }
}

/// What is found does not depend on what was before: a fresh one finds the same contacts in the same order.
TEST(BroadPhaseTest, ContactsDoNotDependOnTheStepsBefore) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(0, 0.6), drift(-0.01, 0.01);
  const Model model(free_geoms(random_balls(150, random)));
  Collider old(model);
  std::vector<Pose> poses(150);
  for (Pose& pose : poses) pose.position = {place(random), place(random), place(random)};
  std::size_t most = 0;
  for (int step = 0; step < 40; ++step) {
    for (Pose& pose : poses) pose.position += Vec3{drift(random), drift(random), drift(random)};
    old.run(poses);
    Collider fresh(model);
    fresh.run(poses);
    ASSERT_EQ(old.contacts().size(), fresh.contacts().size());
    for (std::size_t i = 0; i < old.contacts().size(); ++i) {
      const Contact &a = old.contacts()[i], &b = fresh.contacts()[i];
      EXPECT_TRUE(a.geom1 == b.geom1 && a.geom2 == b.geom2 && a.key == b.key && a.gap == b.gap);
      EXPECT_EQ(norm(a.position - b.position), 0);
    }
    most = std::max(most, old.contacts().size());
  }
  EXPECT_GT(most, 100U);
}

/// A random tree of bodies with fixed ones, masks, excluded bodies and explicit pairs; spheres that all overlap, so
/// that the rules alone decide.
std::string random_rules(std::mt19937_64& random, bool filter_parent) {
  std::uniform_int_distribution<int> mask(0, 3), four(0, 3);
  const int bodies = 12;
  std::vector<std::vector<int>> children(static_cast<std::size_t>(bodies) + 1);
  for (int i = 1; i <= bodies; ++i) {
    const int parent = std::uniform_int_distribution<int>(0, i - 1)(random);
    children[static_cast<std::size_t>(parent)].push_back(i);
  }
  const auto geom_xml = [&](int i) {
    return fmt::format(R"(<geom name="g{}" size="0.1" contype="{}" conaffinity="{}"/>)", i, mask(random), mask(random));
  };
  const auto body_xml = [&](const auto& self, int i) -> std::string {
    std::string xml = fmt::format(R"(<body name="b{}" pos="0.01 0.002 0.003">)", i);
    if (four(random) > 0) xml += R"(<joint type="hinge" axis="0 0 1"/>)";
    xml += R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)" + geom_xml(i);
    for (const int child : children[static_cast<std::size_t>(i)]) xml += self(self, child);
    return xml + "</body>";
  };
  std::string xml = fmt::format(R"(<mujoco><option><flag filterparent="{}"/></option><worldbody>)",
                                filter_parent ? "enable" : "disable");
  xml += geom_xml(0) + R"(<geom name="g99" type="plane" size="1 1 1" pos="0 0 0.05"/>)";
  for (const int child : children[0]) xml += body_xml(body_xml, child);
  xml += "</worldbody><contact>";
  std::uniform_int_distribution<int> any(1, bodies);
  for (int i = 0; i < 3; ++i) {
    const int a = any(random), b = any(random);
    if (a != b) xml += fmt::format(R"(<exclude body1="b{}" body2="b{}"/>)", a, b);
  }
  for (int i = 0; i < 2; ++i) {
    const int a = any(random), b = any(random);
    if (a != b) xml += fmt::format(R"(<pair geom1="g{}" geom2="g{}"/>)", a, b);
  }
  return xml + "</contact></mujoco>";
}

TEST(PairRules, AreMujocos) {
  std::mt19937_64 random(7);
  std::size_t most = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string xml = random_rules(random, i % 4 != 0);
    MujocoScene scene(xml);
    scene.run(std::vector<double>(static_cast<std::size_t>(scene.model().nq()), 0.0));
    std::set<PairKey> ours, theirs;
    for (const SceneContact& c : scene.our_contacts()) ours.insert(pair_key(c.geom1, c.geom2));
    for (const SceneContact& c : scene.their_contacts()) theirs.insert(pair_key(c.geom1, c.geom2));
    EXPECT_EQ(ours, theirs) << xml;
    most = std::max(most, ours.size());
  }
  EXPECT_GT(most, 10U);
}

TEST(PairRules, ExplicitPairsBringTheirOwnMargin) {
  ModelSpec spec = free_geoms({geom(ShapeType::Sphere, {0.1, 0, 0}), geom(ShapeType::Sphere, {0.1, 0, 0}),
                               geom(ShapeType::Sphere, {0.1, 0, 0})});
  for (GeomSpec& g : spec.geoms) g.contact_type = g.contact_affinity = 0;
  spec.contact_pairs.push_back({.name = "near", .geom1 = 2, .geom2 = 0, .margin = 0.05});
  Collider collider{Model(spec)};
  const auto run = [&](double x) {
    collider.run(std::vector<Pose>{at(0, 0, 0), at(0.05, 0, 0), at(x, 0, 0)});
    return collider.contacts();
  };
  ASSERT_EQ(run(0.24).size(), 1U);
  EXPECT_EQ(run(0.24)[0].pair, 0);
  EXPECT_EQ(run(0.24)[0].geom1, 0);
  EXPECT_EQ(run(0.24)[0].geom2, 2);
  EXPECT_NEAR(run(0.24)[0].gap, 0.04, 1e-12);
  EXPECT_GT(run(0.24)[0].normal.x(), 0.99);
  EXPECT_TRUE(run(0.26).empty());
}

TEST(PairRules, ContactsCanBeTurnedOff) {
  ModelSpec spec = free_geoms({geom(ShapeType::Sphere, {0.1, 0, 0}), geom(ShapeType::Sphere, {0.1, 0, 0})});
  spec.options.contacts = false;
  Collider collider{Model(spec)};
  collider.run(std::vector<Pose>(2));
  EXPECT_TRUE(collider.contacts().empty());
}

}  // namespace
}  // namespace uzawa::test
