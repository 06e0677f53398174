#pragma once

#include <string>

#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa::bench {

/// A box of tetrahedra, six a cell, its inner nodes moved about and numbered at random.
struct SoftBox {
  std::string name;
  int x, y, z;  ///< nodes along each side
};

/// M + h^2 K of linear elastic tetrahedra: 1 cm cells, 1000 kg/m^3, 1 MPa, Poisson's ratio 0.4, h = 10 ms.
NodalMatrix soft_matrix(const SoftBox& box);

/// A rod: links of two nodes (translation, rotation), each coupled with the next; closed: the last with the first.
NodalMatrix rod_matrix(int links, bool closed);

}  // namespace uzawa::bench
