/// Whose friction counts, by MuJoCo's rules.
#include <gtest/gtest.h>

#include "uzawa/assembly/rows.hpp"

namespace uzawa {
namespace {

GeomSpec sphere(const char* name, double mu, int priority = 0, int dimension = 3) {
  GeomSpec geom;
  geom.name = name;
  geom.size = {0.1, 0, 0};
  geom.friction = {mu, 0, 0};
  geom.priority = priority;
  geom.contact_dimension = dimension;
  return geom;
}

FrictionCone combined(const GeomSpec& a, const GeomSpec& b) {
  ModelSpec spec;
  spec.geoms = {a, b};
  return contact_friction(Model(std::move(spec)), {.geom1 = 0, .geom2 = 1});
}

TEST(FrictionTest, TheLargerCounts) {
  EXPECT_EQ(combined(sphere("a", 0.3), sphere("b", 0.8)).mu1, 0.8);
  EXPECT_EQ(combined(sphere("a", 0.9), sphere("b", 0.8)).mu2, 0.9);
}

TEST(FrictionTest, ThePriorityCounts) {
  EXPECT_EQ(combined(sphere("a", 0.3, 2), sphere("b", 0.8, 1)).mu1, 0.3);
  EXPECT_EQ(combined(sphere("a", 0.3, 2, 1), sphere("b", 0.8, 1)).mu1, 0);
}

TEST(FrictionTest, OneDimensionIsFrictionless) {
  EXPECT_EQ(combined(sphere("a", 0.3, 0, 1), sphere("b", 0.8, 0, 1)).mu1, 0);
  EXPECT_EQ(combined(sphere("a", 0.3, 0, 1), sphere("b", 0.8)).mu1, 0.8);
}

TEST(FrictionTest, AnExplicitPairHasItsOwn) {
  ModelSpec spec;
  spec.geoms = {sphere("a", 0.3), sphere("b", 0.8)};
  spec.contact_pairs.push_back({.name = "pair", .geom1 = 0, .geom2 = 1, .friction = {0.1, 0.2}});
  const FrictionCone cone = contact_friction(Model(std::move(spec)), {.geom1 = 0, .geom2 = 1, .pair = 0});
  EXPECT_EQ(cone.mu1, 0.1);
  EXPECT_EQ(cone.mu2, 0.2);
}

}  // namespace
}  // namespace uzawa
