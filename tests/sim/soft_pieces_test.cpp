/// Soft bodies and rods in pieces: the same problem, the same motion.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/piece_choice.hpp"

namespace uzawa {
namespace {

/// A bar of two materials on the ground whose one end moves with a hand.
ModelSpec bar_on_ground(const PieceSpec& pieces) {
  ModelSpec spec = test::ground(0.5);
  const int hand = test::add_finger(spec, "hand", {0.02, 0.02, 0.02}, {0.17, 0, 0.03}, {0, 0, 1}, 0.2);
  const TetMesh mesh = box_mesh({0.3, 0.04, 0.04}, {12, 2, 2});
  SoftBodyOptions options = test::jelly("bar", {0, 0, 0.021}, 1e-3);
  options.pieces = pieces;
  options.carried = carried_by(hand, select_nodes(mesh.nodes, [](const Vec3& n) { return n.x() > 0.15 - 1e-9; }));
  add_soft_body(spec, mesh, options);
  return spec;
}

ModelSpec rope_on_ground(const PieceSpec& pieces, bool closed = false) {
  ModelSpec spec = test::ground(0.5);
  std::vector<Vec3> points = test::line({-0.2, 0, 0.006}, {0.2, 0.01, 0.02}, 16);
  if (closed) {
    for (int i = 0; i < 17; ++i) points[at(i)] = Vec3{0.1 * std::cos(i * 0.37), 0.1 * std::sin(i * 0.37), 0.0055};
  }
  RodOptions options;
  options.friction = test::kSmooth;
  options.damping = 1e-3;
  options.pieces = pieces;
  options.closed = closed;
  add_rod(spec, points, options);
  return spec;
}

/// Pushed sideways, so that parts stick, slip and open.
std::unique_ptr<World> pushed(const ModelSpec& spec, const SimSettings& settings, int steps) {
  auto world = std::make_unique<World>(Model(spec), settings);
  State state = world->state();
  for (std::size_t d = spec.rods.empty() ? 1 : 0; d < state.v.size(); d += spec.rods.empty() ? 3 : 6) state.v[d] = 0.3;
  world->set_state(state);
  test::run(*world, steps);
  return world;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// By number, and one by one: three runs of nodes or links, the middle one last.
std::vector<PieceSpec> ways_to_cut(int size) {
  PieceSpec one_by_one;
  for (int i = 0; i < size; ++i) one_by_one.of.push_back(3 * i / size * 2 % 3);
  return {PieceSpec{4, {}}, one_by_one};
}

TEST(SoftPiecesTest, AProblemInPiecesHasTheSameSolution) {
  const auto compare = [](const ModelSpec& spec) {
    const std::unique_ptr<World> world = pushed(spec, {}, 20);
    const Problem& problem = world->problem();
    ASSERT_GE(problem.contacts.size(), 8);
    ASSERT_EQ(problem.pieces.size(), 1U);
    EXPECT_NO_THROW(validate(problem));
    Result whole, split;
    for (auto& [use, result] : {std::pair<PieceUse, Result&>{PieceUse::Whole, whole}, {PieceUse::Split, split}}) {
      Workspace workspace;
      find_solver("canal").solve(problem, {.tolerance = 1e-11, .pieces = use}, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::Converged);
    }
    EXPECT_LT(largest_difference(whole.v, split.v), 1e-8);
    Workspace workspace;
    Result admm;
    find_solver("subadmm").solve(problem, {.tolerance = 1e-7, .max_iterations = 20'000}, workspace, admm);
    EXPECT_EQ(admm.status, SolveStatus::Converged);
    EXPECT_LT(largest_difference(whole.v, admm.v), 1e-4);
  };
  for (const PieceSpec& pieces : ways_to_cut(13 * 9)) compare(bar_on_ground(pieces));
  for (const PieceSpec& pieces : ways_to_cut(16)) compare(rope_on_ground(pieces));
  compare(rope_on_ground({0, {}}));
  compare(rope_on_ground({5, {}}, true));
}

/// Cutting changes neither A nor b, so that methods which know no pieces notice nothing.
TEST(SoftPiecesTest, CuttingDoesNotChangeTheProblem) {
  const auto compare = [](const ModelSpec& cut, const ModelSpec& plain) {
    const std::unique_ptr<World> a = pushed(cut, {}, 10), b = pushed(plain, {}, 10);
    ASSERT_FALSE(a->problem().pieces.empty());
    ASSERT_TRUE(b->problem().pieces.empty());
    EXPECT_LT(largest_difference(a->problem().nodal[0].value, b->problem().nodal[0].value), 1e-9);
    EXPECT_LT(largest_difference(a->problem().b, b->problem().b), 1e-9);
    EXPECT_LT(largest_difference(a->state().q, b->state().q), 1e-9);
  };
  compare(bar_on_ground({5, {}}), bar_on_ground({}));
  compare(rope_on_ground({3, {}}), rope_on_ground({}));
}

TEST(SoftPiecesTest, MotionInPiecesIsTheSame) {
  const auto motion = [](const ModelSpec& spec, const char* solver) {
    return pushed(spec, {.solver = solver, .solve = {.tolerance = 1e-9, .max_iterations = 20'000}}, 30)->state().q;
  };
  // Errors of 1e-9 m/s a step over 30 steps of 2 ms, times what contacts amplify.
  EXPECT_LT(largest_difference(motion(bar_on_ground({4, {}}), "subadmm"), motion(bar_on_ground({}), "canal")), 1e-7);
  EXPECT_LT(largest_difference(motion(rope_on_ground({4, {}}), "subadmm"), motion(rope_on_ground({}), "canal")), 1e-7);
}

TEST(SoftPiecesTest, ThreadsDoNotChangeABit) {
  std::vector<double> one;
  for (const int threads : {1, 2, 3}) {
    const std::unique_ptr<World> world =
        pushed(bar_on_ground({6, {}}), {.solver = "subadmm", .solve = {.threads = threads}}, 10);
    if (threads == 1) one = world->state().q;
    EXPECT_EQ(world->state().q, one);
  }
}

TEST(SoftPiecesTest, PiecesAreBalanced) {
  SoftBodySpec bar;
  bar.tets.push_back({0, 1, 2, 3});
  std::vector<Vec3> nodes;
  for (int i = 0; i < 1600; ++i) nodes.push_back(Vec3{0.01 * (i / 16), 0.01 * (i % 4), 0.01 * (i / 4 % 4)});
  for (const int count : {1, 2, 3, 7, 20}) {
    bar.pieces.count = count;
    const std::vector<int> piece = pieces_of_nodes(bar, nodes);
    std::vector<int> size(at(count), 0);
    for (const int p : piece) ++size.at(at(p));
    EXPECT_LE(*std::ranges::max_element(size) - *std::ranges::min_element(size), 2) << count;
  }
  bar.pieces.count = 0;
  const std::vector<int> automatic = pieces_of_nodes(bar, nodes);
  EXPECT_EQ(std::set<int>(automatic.begin(), automatic.end()).size(), 20U);  // [SUB]: 20 pieces of 1591 nodes
  RodSpec rod;
  rod.bodies.resize(640);
  rod.pieces.count = 0;
  const std::vector<int> links = pieces_of_links(rod);
  EXPECT_EQ(links.back(), 159);  // [SUB]: four links each
  EXPECT_TRUE(std::ranges::is_sorted(links));
}

TEST(SoftPiecesTest, WhatCannotBeCutIsRefused) {
  const auto refused = [](const std::function<void(ModelSpec&)>& change) {
    ModelSpec spec = bar_on_ground({});
    change(spec);
    try {
      Model{spec};
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string averaged = refused([](ModelSpec& spec) {
    spec.soft_bodies[0].material.averaged_dilatation = true;
    spec.soft_bodies[0].pieces.count = 3;
  });
  EXPECT_NE(averaged.find("averaged dilatation"), std::string::npos) << averaged;
  EXPECT_NE(refused([](ModelSpec& spec) { spec.soft_bodies[0].pieces.count = -1; }).find("bar"), std::string::npos);
  EXPECT_NE(refused([](ModelSpec& spec) { spec.soft_bodies[0].pieces.of = {0, 1}; }).find("node"), std::string::npos);
  // More pieces than nodes, and auto where nothing can be cut: it works.
  EXPECT_EQ(refused([](ModelSpec& spec) { spec.soft_bodies[0].pieces.count = 100'000; }), "");
  EXPECT_EQ(refused([](ModelSpec& spec) {
              spec.soft_bodies[0].material.averaged_dilatation = true;
              spec.soft_bodies[0].pieces.count = 0;
            }),
            "");
}

}  // namespace
}  // namespace uzawa
