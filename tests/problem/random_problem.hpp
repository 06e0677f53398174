#pragma once

#include <Eigen/Dense>
#include <random>
#include <string>

#include "uzawa/problem/problem.hpp"

namespace uzawa::test {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high);
Vec3 random_vec3(Random& random, double size = 1);
/// Orthonormal columns.
Mat3 random_frame(Random& random);
/// Of a body of three and more point masses, so positive definite.
SpatialInertia random_inertia(Random& random);
TreeInertia random_tree(Random& random, int links);
/// Diagonally dominant.
SparseBlock random_sparse(Random& random, int size);
NodalMatrix random_nodal(Random& random, int nodes);

/// A valid problem with every kind of block, constraint and attachment.
Problem random_problem(Random& random);

/// Empty where all fields are the same bit for bit, else which is not.
std::string difference(const Problem& a, const Problem& b);

Eigen::MatrixXd dense(const SparseRows& rows);
/// From a lower triangle.
Eigen::MatrixXd dense_symmetric(const SparseRows& lower);
/// Inertia as a matrix on (linear, angular) velocities, from its definition.
Eigen::MatrixXd dense(const SpatialInertia& inertia);
/// sum over links of J^T H J + diag, by definition.
Eigen::MatrixXd dense(const TreeInertia& tree);
Eigen::MatrixXd dense_a(const Problem& problem);
inline Eigen::Vector3d eigen(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
/// a x as a matrix.
Eigen::Matrix3d skew(const Eigen::Vector3d& a);

/// The matrix as rows, zeros left out.
SparseRows sparse(const Eigen::MatrixXd& matrix);

}  // namespace uzawa::test
