/// The same bits for any number of threads: hashes of every state of short runs. `scripts/golden_hashes.py` compares
/// builds the same way.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <set>

#include "scenarios/scene_cases.hpp"

namespace uzawa::scenarios {

void PrintTo(const Case& c, std::ostream* out);

namespace {

/// FNV-1a over the bits of numbers: every bit of every number counts, -0 is not 0.
class Hash {
 public:
  void add(double number) {
    auto bits = std::bit_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, bits >>= 8U) value_ = (value_ ^ (bits & 0xFFU)) * 0x100000001b3U;
  }
  void add(const std::vector<double>& numbers) {
    for (const double number : numbers) add(number);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// Of all states of a run.
std::uint64_t hash_of(const Case& c, std::uint64_t seed = 1) {
  SceneRun run = prepare(c, seed);
  Hash hash;
  const long steps = std::lround(c.time / run.world().dt());
  for (long i = 0; i < steps; ++i) {
    run.step();
    const State& state = run.world().state();
    hash.add(state.q);
    hash.add(state.v);
    hash.add(state.activation);
    hash.add(state.time);
  }
  return hash.value();
}

class Determinism : public testing::TestWithParam<Case> {};
TEST_P(Determinism, SameBitsForAnyNumberOfThreads) {
  Case c = GetParam();
  const std::uint64_t alone = hash_of(c);
  for (const int threads : {2, 8}) {
    c.threads = threads;
    EXPECT_EQ(hash_of(c), alone) << threads << " threads";
  }
}
// One island and many, trees and free bodies, distance fields and hulls, each method that uses threads.
INSTANTIATE_TEST_SUITE_P(
    Scenes, Determinism,
    testing::Values(Case{"box-stack", {}, 0.1}, Case{"card-house", {}, 0.05}, Case{"sphere-pile", {"side=4"}, 0.4},
                    Case{"sphere-pile", {"side=3"}, 0.4, "subadmm"}, Case{"quadruped-drop", {}, 0.4},
                    Case{"laikago-drop", {}, 0.5}, Case{"bolt-nut", {}, 0.05}, Case{"pouring", {"particles=9"}, 0.1},
                    Case{"jelly-stack", {"cells=2"}, 0.1}, Case{"rope-pile", {"links=20", "length=0.3"}, 0.4},
                    Case{"granular-stir", {"spheres=64"}, 0.5, "subadmm"},
                    Case{"cable-carry", {"links=160", "carry=0"}, 0.2, "subadmm"},
                    Case{"beam-insertion", {"across=2", "along=20", "pieces=5"}, 0.3, "subadmm"}));

/// What the hash above must be able to see.
TEST(DeterminismOracle, TellsOtherRunsApart) {
  const Case usual{"quadruped-drop", {}, 0.05};
  Case longer = usual, with_other_step = usual;
  longer.time = 0.06;
  with_other_step.dt = 0.003;
  const std::set<std::uint64_t> hashes = {hash_of(usual), hash_of(usual, 2), hash_of(longer), hash_of(with_other_step)};
  EXPECT_EQ(hashes.size(), 4U);
  EXPECT_EQ(hash_of(usual), hash_of(usual));
  Hash zero, minus, next;
  zero.add(0.0);
  minus.add(-0.0);
  next.add(std::nextafter(0.0, 1.0));
  EXPECT_EQ((std::set{zero.value(), minus.value(), next.value()}).size(), 3U);
}

}  // namespace
}  // namespace uzawa::scenarios
