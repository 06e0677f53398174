#pragma once

#include "uzawa/problem/problem.hpp"

/// Contact problems of soft boxes without any simulation: linear elastic tetrahedra, 1000 kg/m^3, cells of 1 cm, a step
/// of 10 ms.
namespace uzawa::test {

struct SoftCase {
  int x = 6, y = 6, z = 4;  ///< nodes along each side
  double young = 1e5;       ///< Pa
  double mu = 0.5;
  bool floor = true;   ///< under all nodes of the lower side, with gaps of up to 0.1 mm here and there
  bool plate = false;  ///< a rigid body of as much mass as the soft one on the nodes of the upper side
  bool pinch = false;  ///< two rigid bodies that press from left and right; contacts on nodes
  bool faces = false;  ///< contacts of the plate lie within cells' faces instead of on nodes: four weighted nodes each
};

/// Velocities before the step, and gaps, depend on the seed.
Problem soft_problem(const SoftCase& soft, unsigned seed);

}  // namespace uzawa::test
