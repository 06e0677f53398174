#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/quaternion.hpp"

/// What tests of elastic energies share: meshes, dense matrices, finite differences.
namespace uzawa {

struct TetMesh {
  std::vector<Vec3> nodes;
  std::vector<std::array<int, 4>> tets;
};

/// nx x ny x nz cells of this size, each of six tets around the diagonal from its lowest to its highest corner.
inline TetMesh box_of_tets(int nx, int ny, int nz, double cell) {
  TetMesh out;
  const auto index = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (int i = 0; i <= nx; ++i) {
    for (int j = 0; j <= ny; ++j) {
      for (int k = 0; k <= nz; ++k) out.nodes.emplace_back(i * cell, j * cell, k * cell);
    }
  }
  const std::array<std::array<int, 3>, 6> orders{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      for (int k = 0; k < nz; ++k) {
        for (std::size_t o = 0; o < 6; ++o) {
          std::array<int, 3> corner{i, j, k};
          std::array<int, 4> tet{};
          tet[0] = index(i, j, k);
          for (std::size_t s = 0; s < 3; ++s) {
            ++corner[at(orders[o][s])];
            tet[s + 1] = index(corner[0], corner[1], corner[2]);
          }
          if (o >= 3) std::swap(tet[1], tet[2]);  // odd permutations are of the other orientation
          out.tets.push_back(tet);
        }
      }
    }
  }
  return out;
}

/// The mesh's nodes are those of the system.
template <typename Law>
NodalMatrix matrix_for(Law& law, int nodes) {
  std::vector<int> same(at(nodes));
  std::iota(same.begin(), same.end(), 0);
  NodalMatrix out(std::make_shared<const NodalPattern>(make_nodal_pattern(nodes, law.couples())));
  law.place(same, *out.pattern);
  return out;
}

inline Eigen::SparseMatrix<double> to_sparse(const NodalMatrix& k) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < k.nodes(); ++i) {
    for (int b = k.pattern->start[at(i)]; b < k.pattern->start[at(i) + 1]; ++b) {
      const int j = k.pattern->column[at(b)];
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          const double value = k.block(at(b))[3 * r + c];
          entries.emplace_back(3 * i + r, 3 * j + c, value);
          if (i != j) entries.emplace_back(3 * j + c, 3 * i + r, value);
        }
      }
    }
  }
  Eigen::SparseMatrix<double> out(3 * k.nodes(), 3 * k.nodes());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}
inline Eigen::MatrixXd to_dense(const NodalMatrix& k) { return to_sparse(k).toDense(); }

inline Eigen::VectorXd stacked(const std::vector<Vec3>& vectors) {
  Eigen::VectorXd out(3 * static_cast<Eigen::Index>(vectors.size()));
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i].store(out.data() + 3 * i);
  return out;
}

template <typename Law, typename Position>
std::vector<Vec3> forces_of(Law& law, const std::vector<Position>& x, std::size_t nodes) {
  std::vector<Vec3> out(nodes);
  law.add_force(x, out);
  return out;
}

inline void nudge(std::vector<Vec3>& x, int dof, double by) {
  x[at(dof / 3)].set(dof % 3, x[at(dof / 3)][dof % 3] + by);
}

/// -dE/dx by central differences.
template <typename Law>
Eigen::VectorXd differences_of_energy(Law& law, std::vector<Vec3> x, double step) {
  Eigen::VectorXd out(3 * static_cast<Eigen::Index>(x.size()));
  for (int i = 0; i < static_cast<int>(out.size()); ++i) {
    const std::vector<Vec3> at_rest = x;
    nudge(x, i, step);
    const double after = law.energy(x);
    x = at_rest;
    nudge(x, i, -step);
    out[i] = -(after - law.energy(x)) / (2 * step);
    x = at_rest;
  }
  return out;
}

/// -df/dx by central differences.
template <typename Law>
Eigen::MatrixXd differences_of_force(Law& law, std::vector<Vec3> x, double step) {
  const auto size = 3 * static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd out(size, size);
  for (int i = 0; i < static_cast<int>(size); ++i) {
    const std::vector<Vec3> at_rest = x;
    nudge(x, i, step);
    const Eigen::VectorXd after = stacked(forces_of(law, x, x.size()));
    x = at_rest;
    nudge(x, i, -step);
    out.col(i) = -(after - stacked(forces_of(law, x, x.size()))) / (2 * step);
    x = at_rest;
  }
  return out;
}

template <typename Law>
Eigen::MatrixXd stiffness_of(Law& law, const std::vector<Vec3>& x) {
  NodalMatrix k = matrix_for(law, static_cast<int>(x.size()));
  std::vector<Vec3> force(x.size());
  law.evaluate(x, force, k);
  return to_dense(k);
}

/// The smallest eigenvalue over the largest.
inline double relative_smallest_eigenvalue(const Eigen::MatrixXd& k) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k, Eigen::EigenvaluesOnly).eigenvalues();
  return values[0] / values[values.size() - 1];
}

inline Vec3 any_vector(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  const double x = any(random), y = any(random);
  return {x, y, any(random)};
}

inline std::vector<Vec3> shaken(std::vector<Vec3> x, double by, std::mt19937& random) {
  for (Vec3& v : x) v += by * any_vector(random);
  return x;
}

inline std::vector<Vec3> moved(std::vector<Vec3> x, const Quat& turn, const Vec3& by) {
  for (Vec3& v : x) v = rotate(turn, v) + by;
  return x;
}

}  // namespace uzawa
