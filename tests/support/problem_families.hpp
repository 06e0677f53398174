#pragma once

#include <string>
#include <vector>

#include "uzawa/problem/problem.hpp"

/// Generated contact problems with fixed seeds: what robots meet in heavy contact, without any physics engine. Used by
/// tests and benchmarks alike.
namespace uzawa::test {

struct Family {
  std::string name;
  int cases;
  Problem (*make)(unsigned seed, bool gaps, double theta);
  bool gaps;
  double theta;

  Problem operator()(int index) const { return make(static_cast<unsigned>(index + 1), gaps, theta); }
};

/// One nut of 0.5 kg on a thread: 120 contacts in a ring, half of them on the upper flank, half on the lower.
Problem nut(unsigned seed, bool gaps, double theta);
/// Four dishes of 0.1, 0.1, 0.1 and 5 kg on a floor, 24 inclined contacts an interface.
Problem dish_stack(unsigned seed, bool gaps, double theta);
/// 9 to 45 spheres of 5 g and 5 mm radius heaped in a square tube.
Problem sphere_pile(unsigned seed, bool gaps, double theta);

/// The nut and the stack without and with gaps at theta 0 and 1/2, and the piles: 100 cases each.
std::vector<Family> families();

/// `bodies` spheres in a loose box, `contacts_per_body` contacts each on average with neighbours and floor; for
/// scaling.
Problem scattered_bodies(int bodies, unsigned seed);

}  // namespace uzawa::test
