/// Whose friction counts, by MuJoCo's rules and the exceptions to them.
#include <gtest/gtest.h>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/error.hpp"

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
  return contact_friction(Model(std::move(spec)), {}, {.geom1 = 0, .geom2 = 1});
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
  const FrictionCone cone = contact_friction(Model(std::move(spec)), {}, {.geom1 = 0, .geom2 = 1, .pair = 0});
  EXPECT_EQ(cone.mu1, 0.1);
  EXPECT_EQ(cone.mu2, 0.2);
}

TEST(FrictionTest, AnExceptionOfTheSettingsBeatsAll) {
  ModelSpec spec;
  spec.geoms = {sphere("a", 0.3), sphere("b", 0.8), sphere("c", 0.9)};
  spec.contact_pairs.push_back({.name = "pair", .geom1 = 0, .geom2 = 1, .friction = {0.1, 0.2}});
  const Model model(std::move(spec));
  AssemblySettings settings{.restitution = 0.5,
                            .pairs = {{.geom1 = 2, .geom2 = 1, .restitution = 0.25},
                                      {.geom1 = 1, .geom2 = 0, .restitution = 1, .friction = {{0.6, 0.7}}}}};
  prepare(settings, model);
  const Contact ab{.geom1 = 0, .geom2 = 1, .pair = 0}, bc{.geom1 = 1, .geom2 = 2}, ac{.geom1 = 0, .geom2 = 2};
  EXPECT_EQ(contact_friction(model, settings, ab).mu1, 0.6);
  EXPECT_EQ(contact_friction(model, settings, ab).mu2, 0.7);
  EXPECT_EQ(contact_restitution(settings, ab), 1);
  EXPECT_EQ(contact_friction(model, settings, bc).mu1, 0.9);  // friction is not excepted
  EXPECT_EQ(contact_restitution(settings, bc), 0.25);
  EXPECT_EQ(contact_restitution(settings, ac), 0.5);
}

TEST(FrictionTest, BadExceptionsAreRefusedByName) {
  ModelSpec spec;
  spec.geoms = {sphere("a", 0.3), sphere("b", 0.8)};
  const Model model(std::move(spec));
  const auto expect_refused = [&](std::vector<PairMaterial> pairs, const char* name) {
    AssemblySettings settings{.pairs = std::move(pairs)};
    try {
      prepare(settings, model);
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  };
  expect_refused({{.geom1 = 0, .geom2 = 7}}, "geom 7");
  expect_refused({{.geom1 = 0, .geom2 = 1, .restitution = 1.5}}, "'a', 'b'");
  expect_refused({{.geom1 = 0, .geom2 = 1, .friction = {{-1, 0}}}}, "'a', 'b'");
  expect_refused({{.geom1 = 0, .geom2 = 1}, {.geom1 = 1, .geom2 = 0}}, "twice");
}

}  // namespace
}  // namespace uzawa
