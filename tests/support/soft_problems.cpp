#include "support/soft_problems.hpp"

#include <Eigen/Dense>
#include <array>
#include <random>

#include "support/attachments.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa::test {

namespace {

constexpr double kCell = 0.01, kDensity = 1000, kPoisson = 0.4, kStep = 0.01, kGravity = 9.81;
using Tet = std::array<int, 4>;

int node_of(const SoftCase& soft, int i, int j, int k) { return (k * soft.y + j) * soft.x + i; }
Vec3 place_of(const SoftCase& soft, int node) {
  const int i = node % soft.x, j = node / soft.x % soft.y, k = node / (soft.x * soft.y);
  return Vec3(i, j, k) * kCell;
}

std::vector<Tet> tets_of(const SoftCase& soft) {
  constexpr int kPaths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::vector<Tet> out;
  for (int k = 0; k + 1 < soft.z; ++k) {
    for (int j = 0; j + 1 < soft.y; ++j) {
      for (int i = 0; i + 1 < soft.x; ++i) {
        for (const auto& path : kPaths) {
          int corner[3] = {i, j, k};
          Tet tet{node_of(soft, i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++corner[path[step]];
            tet[step + 1] = node_of(soft, corner[0], corner[1], corner[2]);
          }
          out.push_back(tet);
        }
      }
    }
  }
  return out;
}

void add_tet(const SoftCase& soft, const Tet& tet, NodalMatrix& matrix, std::vector<double>& mass) {
  const double shear = soft.young / (2 * (1 + kPoisson));
  const double lame = soft.young * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
  const auto eigen = [](const Vec3& v) { return Eigen::Vector3d(v.x(), v.y(), v.z()); };
  Eigen::Matrix3d edges;
  for (int c = 0; c < 3; ++c) edges.col(c) = eigen(place_of(soft, tet[at(c) + 1]) - place_of(soft, tet[0]));
  const double volume = std::abs(edges.determinant()) / 6;
  Eigen::Matrix<double, 3, 4> gradient;
  gradient.rightCols<3>() = edges.inverse().transpose();
  gradient.col(0) = -gradient.rightCols<3>().rowwise().sum();
  for (int a = 0; a < 4; ++a) {
    matrix.add_to_diagonal(tet[at(a)], kDensity * volume / 4);
    mass[at(tet[at(a)])] += kDensity * volume / 4;
    for (int b = 0; b < 4; ++b) {
      if (tet[at(a)] < tet[at(b)]) continue;
      const Eigen::Vector3d ga = gradient.col(a), gb = gradient.col(b);
      const Eigen::Matrix3d stiffness =
          lame * ga * gb.transpose() + shear * gb * ga.transpose() + shear * ga.dot(gb) * Eigen::Matrix3d::Identity();
      double* block = matrix.block(matrix.pattern->place(tet[at(a)], tet[at(b)]));
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) block[3 * r + c] += kStep * kStep * volume * stiffness(r, c);
      }
    }
  }
}

Attachment on_nodes(const std::vector<int>& nodes, const Mat3& frame, double sign) {
  Attachment a;
  a.kind = AttachmentKind::Nodes;
  a.block = 0;
  a.frame = frame;
  a.sign = sign;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    a.node[i] = nodes[i];
    a.weight[i] = 1.0 / static_cast<double>(nodes.size());
  }
  return a;
}

/// A rigid box of the given half sides; returns its block.
int add_rigid(Problem& problem, double mass, const Vec3& half, const Vec3& velocity) {
  SpatialInertia inertia;
  inertia.mass = mass;
  const Vec3 s = scaled(half, half);
  inertia.rotational.diagonal = Vec3{s.y() + s.z(), s.x() + s.z(), s.x() + s.y()} * (mass / 3);
  std::array<double, 6> b{};
  (velocity * mass).store(b.data());
  return problem.add_body(inertia, b);
}

}  // namespace

Problem soft_problem(const SoftCase& soft, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const int nodes = soft.x * soft.y * soft.z;
  const std::vector<Tet> tets = tets_of(soft);
  std::vector<std::pair<int, int>> couples;
  for (const Tet& tet : tets) {
    for (const int a : tet) {
      for (const int b : tet) couples.emplace_back(a, b);
    }
  }
  NodalMatrix matrix(std::make_shared<NodalPattern>(make_nodal_pattern(nodes, couples)));
  std::vector<double> mass(at(nodes), 0.0), b(3 * at(nodes));
  for (const Tet& tet : tets) add_tet(soft, tet, matrix, mass);
  const Vec3 common{0.3 * any(random), 0.3 * any(random), -0.1};
  double total = 0;
  for (int i = 0; i < nodes; ++i) {
    const Vec3 own = common + Vec3{any(random), any(random), any(random)} * 0.05 - Vec3{0, 0, kGravity * kStep};
    (own * mass[at(i)]).store(&b[3 * at(i)]);
    total += mass[at(i)];
  }
  Problem problem;
  problem.dt = kStep;
  problem.name = "soft box";
  problem.add_nodal(std::move(matrix), b);
  const FrictionCone cone{soft.mu, soft.mu};
  const auto gap = [&] { return Vec3{0, 0, std::max(0.0, 0.01 * any(random))}; };
  if (soft.floor) {
    for (int i = 0; i < soft.x * soft.y; ++i) {
      problem.add_contact(cone, gap(), {on_nodes({i}, Mat3::identity(), 1)});
    }
  }
  const Vec3 half = Vec3(soft.x - 1, soft.y - 1, soft.z - 1) * (0.5 * kCell);
  if (soft.plate) {
    const Vec3 flat{half.x(), half.y(), 0.005};
    const Vec3 centre{half.x(), half.y(), 2 * half.z() + 0.005};
    const int body = add_rigid(problem, total, flat, common - Vec3{0, 0, kGravity * kStep});
    const int last = soft.faces ? 1 : 0;
    for (int j = 0; j + last < soft.y; ++j) {
      for (int i = 0; i + last < soft.x; ++i) {
        std::vector<int> at_nodes = {node_of(soft, i, j, soft.z - 1)};
        Vec3 point = place_of(soft, at_nodes[0]);
        if (soft.faces) {
          at_nodes.push_back(node_of(soft, i + 1, j, soft.z - 1));
          at_nodes.push_back(node_of(soft, i, j + 1, soft.z - 1));
          at_nodes.push_back(node_of(soft, i + 1, j + 1, soft.z - 1));
          point += Vec3{0.5 * kCell, 0.5 * kCell, 0};
        }
        problem.add_contact(
            cone, gap(),
            {on_nodes(at_nodes, Mat3::identity(), -1), point_on(body, point - centre, Mat3::identity(), 1)});
      }
    }
  }
  if (soft.pinch) {
    for (const double side : {-1.0, 1.0}) {
      const Vec3 flat{0.005, half.y(), half.z()};
      const Vec3 centre{side < 0 ? -0.005 : 2 * half.x() + 0.005, half.y(), half.z()};
      const int body = add_rigid(problem, total, flat, {-0.3 * side, 0, 0.02});
      const Mat3 frame = frame_of({-side, 0, 0});
      for (int k = 0; k < soft.z; ++k) {
        for (int j = 0; j < soft.y; ++j) {
          const int node = node_of(soft, side < 0 ? 0 : soft.x - 1, j, k);
          if (soft.floor && k == 0) continue;  // one contact a node, as a collision detector would rather have it
          problem.add_contact(cone, gap(),
                              {on_nodes({node}, frame, 1), point_on(body, place_of(soft, node) - centre, frame, -1)});
        }
      }
    }
  }
  return problem;
}

}  // namespace uzawa::test
