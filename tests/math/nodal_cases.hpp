#pragma once

#include <Eigen/Dense>
#include <memory>
#include <random>

#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa::test {

/// The whole matrix, dense.
Eigen::MatrixXd dense(const NodalMatrix& matrix);

using Couples = std::vector<std::pair<int, int>>;

/// A random graph: `couples_a_node` on average.
Couples random_couples(int nodes, double couples_a_node, std::mt19937& random);
/// A grid of nodes, coupled with all neighbours (diagonals included).
Couples grid_couples(int x, int y, int z);

/// Positive definite: a sum over couples of random stiffnesses between both nodes, which let all translations pass, and
/// `mass` at each node.
NodalMatrix random_matrix(int nodes, const Couples& couples, double mass, std::mt19937& random);

Eigen::VectorXd random_vector(int size, std::mt19937& random);

}  // namespace uzawa::test
