#include "soft_meshes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "uzawa/base/at.hpp"

namespace uzawa::bench {

namespace {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Tet = std::array<int, 4>;

struct Mesh {
  std::vector<Eigen::Vector3d> nodes;
  std::vector<Tet> tets;
};

Mesh make_mesh(const SoftBox& box) {
  Mesh mesh;
  std::mt19937 random(1);
  const int count = box.x * box.y * box.z;
  std::vector<int> name(at(count));
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  mesh.nodes.resize(at(count));
  std::uniform_real_distribution<double> moved(-0.15, 0.15);
  const auto index = [&](int i, int j, int k) { return name[at((i * box.y + j) * box.z + k)]; };
  for (int i = 0; i < box.x; ++i)
    for (int j = 0; j < box.y; ++j)
      for (int k = 0; k < box.z; ++k)
        mesh.nodes[at(index(i, j, k))] =
            0.01 * Eigen::Vector3d(i + moved(random), j + moved(random), k + moved(random));
  constexpr int kPaths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int i = 0; i + 1 < box.x; ++i)
    for (int j = 0; j + 1 < box.y; ++j)
      for (int k = 0; k + 1 < box.z; ++k)
        for (const auto& path : kPaths) {
          int corner[3] = {i, j, k};
          Tet tet{index(i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++corner[path[step]];
            tet[step + 1] = index(corner[0], corner[1], corner[2]);
          }
          mesh.tets.push_back(tet);
        }
  return mesh;
}

/// Adds `added` to the block (i, j), which is stored once for both triangles.
void add(NodalMatrix& matrix, int i, int j, const Block& added) {
  if (i < j) return;
  double* block = matrix.block(matrix.pattern->place(i, j));
  for (int k = 0; k < 9; ++k) block[k] += added.data()[k];
}

void add_tet(NodalMatrix& matrix, const Mesh& mesh, const Tet& tet) {
  constexpr double kDensity = 1000, kYoung = 1e6, kPoisson = 0.4, kStep = 0.01;
  constexpr double kShear = kYoung / (2 * (1 + kPoisson));
  constexpr double kLame = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
  Eigen::Matrix3d edges;
  for (std::size_t c = 0; c < 3; ++c)
    edges.col(static_cast<int>(c)) = mesh.nodes[at(tet[c + 1])] - mesh.nodes[at(tet[0])];
  const double volume = std::abs(edges.determinant()) / 6;
  Eigen::Matrix<double, 3, 4> gradient;
  gradient.rightCols<3>() = edges.inverse().transpose();
  gradient.col(0) = -gradient.rightCols<3>().rowwise().sum();
  for (int a = 0; a < 4; ++a) {
    matrix.add_to_diagonal(tet[at(a)], kDensity * volume / 4);
    for (int b = 0; b < 4; ++b) {
      const Eigen::Vector3d ga = gradient.col(a), gb = gradient.col(b);
      const Block stiffness =
          kLame * ga * gb.transpose() + kShear * gb * ga.transpose() + kShear * ga.dot(gb) * Block::Identity();
      add(matrix, tet[at(a)], tet[at(b)], kStep * kStep * volume * stiffness);
    }
  }
}

}  // namespace

NodalMatrix soft_matrix(const SoftBox& box) {
  const Mesh mesh = make_mesh(box);
  std::vector<std::pair<int, int>> couples;
  for (const Tet& tet : mesh.tets)
    for (const int a : tet)
      for (const int b : tet) couples.emplace_back(a, b);
  NodalMatrix matrix(std::make_shared<NodalPattern>(make_nodal_pattern(static_cast<int>(mesh.nodes.size()), couples)));
  for (const Tet& tet : mesh.tets) add_tet(matrix, mesh, tet);
  return matrix;
}

NodalMatrix rod_matrix(int links, bool closed) {
  std::mt19937 random(2);
  std::normal_distribution<double> number;
  std::vector<std::pair<int, int>> couples;
  const auto for_joints = [&](auto&& work) {
    for (int i = 0; i + (closed ? 0 : 1) < links; ++i) work(i, (i + 1) % links);
  };
  for (int i = 0; i < links; ++i) couples.emplace_back(2 * i, 2 * i + 1);
  for_joints([&](int i, int j) {
    for (const int a : {0, 1})
      for (const int b : {0, 1}) couples.emplace_back(2 * i + a, 2 * j + b);
  });
  NodalMatrix matrix(std::make_shared<NodalPattern>(make_nodal_pattern(2 * links, couples)));
  for (int i = 0; i < 2 * links; ++i) matrix.add_to_diagonal(i, 1);
  for_joints([&](int i, int j) {
    // A random spring of six directions between both links.
    const Eigen::Matrix<double, 6, 12> spring =
        Eigen::Matrix<double, 6, 12>::NullaryExpr([&] { return number(random); });
    const Eigen::Matrix<double, 12, 12> stiffness = spring.transpose() * spring;
    const int node[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) add(matrix, node[a], node[b], stiffness.block<3, 3>(3 * a, 3 * b));
  });
  return matrix;
}

}  // namespace uzawa::bench
