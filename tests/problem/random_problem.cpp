#include "problem/random_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_rows.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa::test {

namespace {
int whole(Random& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
std::vector<double> random_numbers(Random& random, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(uniform(random, -1, 1));
  return out;
}
}  // namespace

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vec3 random_vec3(Random& random, double size) {
  const double x = uniform(random, -size, size), y = uniform(random, -size, size);
  return {x, y, uniform(random, -size, size)};
}

Mat3 random_frame(Random& random) {
  const Vec3 a = random_vec3(random) + Vec3{2, 0, 0}, b = random_vec3(random) + Vec3{0, 3, 0};
  const Vec3 t1 = a * (1 / norm(a));
  const Vec3 c = cross(t1, b);
  const Vec3 n = c * (1 / norm(c));
  return {{t1, cross(n, t1), n}};
}

SpatialInertia random_inertia(Random& random) {
  SpatialInertia inertia;
  for (int k = 0; k < 5; ++k) inertia.add_point_mass(uniform(random, 0.5, 2), random_vec3(random));
  return inertia;
}

TreeInertia random_tree(Random& random, int links) {
  std::vector<int> parents, dofs;
  for (int i = 0; i < links; ++i) {
    parents.push_back(whole(random, -1, i - 1));
    dofs.push_back(whole(random, i == 0 ? 1 : 0, 3));
  }
  TreeInertia tree(std::make_shared<const TreeTopology>(parents, dofs));
  for (Motion& s : tree.subspace) s = {random_vec3(random), random_vec3(random)};
  for (SpatialInertia& inertia : tree.inertia) inertia = random_inertia(random);
  for (double& d : tree.diagonal) d = uniform(random, 0, 0.5);
  return tree;
}

SparseBlock random_sparse(Random& random, int size) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < r; ++c) {
      if (whole(random, 0, 2) == 0) a(r, c) = a(c, r) = uniform(random, -1, 1);
    }
  }
  for (int r = 0; r < size; ++r) a(r, r) = a.row(r).cwiseAbs().sum() + uniform(random, 0.1, 1);
  const Eigen::MatrixXd lower = a.triangularView<Eigen::Lower>();
  return {sparse(lower)};
}

NodalMatrix random_nodal(Random& random, int nodes) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * nodes, 3 * nodes);
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (j != i && whole(random, 0, 1) == 0) continue;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) a(3 * i + r, 3 * j + c) = a(3 * j + c, 3 * i + r) = uniform(random, -1, 1);
      }
    }
  }
  for (int r = 0; r < 3 * nodes; ++r) a(r, r) = a.row(r).cwiseAbs().sum() + uniform(random, 0.1, 1);
  return nodal_from_lower(sparse(Eigen::MatrixXd(a.triangularView<Eigen::Lower>())));
}

namespace {

/// Up to four of the block's nodes, the last of them an angular velocity now and then.
Attachment random_nodes(Random& random, const Block& block, Attachment a) {
  a.kind = AttachmentKind::Nodes;
  std::size_t count = 0;
  const int nodes = block.size / 3;
  for (int node = 0; node < nodes && count < a.node.size(); ++node) {
    if (node + 1 < nodes && whole(random, 0, 1) == 0) continue;
    a.node[count] = node;
    a.weight[count++] = uniform(random, -1, 1);
  }
  if (count > 1 && whole(random, 0, 1) == 0) {
    a.turning = std::exchange(a.node[count - 1], -1);
    a.weight[count - 1] = 0;
    a.point = random_vec3(random);
  }
  a.frame = random_frame(random);
  a.sign = whole(random, 0, 1) == 0 ? 1 : -1;
  return a;
}

Attachment random_attachment(Random& random, Problem& problem, int dims) {
  Attachment a;
  a.block = whole(random, 0, static_cast<int>(problem.blocks.size()) - 1);
  const Block block = problem.blocks[at(a.block)];
  if (block.kind == BlockKind::Nodal && whole(random, 0, 1) == 0) return random_nodes(random, block, a);
  if ((block.kind == BlockKind::FreeBody || block.kind == BlockKind::Tree) && whole(random, 0, 1) == 0) {
    a.kind = AttachmentKind::LinkPoint;
    if (block.kind == BlockKind::Tree) {
      a.link = whole(random, 0, problem.trees[at(block.index)].topology->links() - 1);
    }
    a.point = random_vec3(random);
    a.frame = random_frame(random);
    a.sign = whole(random, 0, 1) == 0 ? 1 : -1;
    return a;
  }
  if (dims == 1 && whole(random, 0, 1) == 0) {
    a.kind = AttachmentKind::Coordinate;
    a.dof = whole(random, 0, block.size - 1);
    a.coefficient = uniform(random, -2, 2);
    return a;
  }
  Eigen::MatrixXd rows(dims, block.size);
  for (int r = 0; r < dims; ++r) {
    for (int c = 0; c < block.size; ++c) rows(r, c) = whole(random, 0, 1) == 0 ? 0 : uniform(random, -1, 1);
  }
  return problem.explicit_rows(a.block, sparse(rows));
}

std::vector<Attachment> random_attachments(Random& random, Problem& problem, int dims) {
  std::vector<Attachment> out;
  const int count = whole(random, 1, 2);
  for (int i = 0; i < count; ++i) out.push_back(random_attachment(random, problem, dims));
  return out;
}

void add_random_constraint(Random& random, Problem& problem, int kind) {
  const double x = uniform(random, -1, 1), y = uniform(random, 0, 1), z = uniform(random, 0, 1);
  const std::vector<Attachment> attachments = random_attachments(random, problem, kind <= 1 ? 3 : 1);
  switch (kind) {
    case 0: problem.add_contact({y, y}, random_vec3(random), attachments); break;
    case 1: problem.add_contact({y + 0.01, z + 0.01}, random_vec3(random), attachments); break;
    case 2: problem.add_hard(x, attachments); break;
    case 3: problem.add_equality(x, attachments); break;
    case 4: problem.add_soft(x, y, z, attachments); break;
    case 5: problem.add_limit(x, x + y, attachments); break;
    case 6: problem.add_limit(-std::numeric_limits<double>::infinity(), x, attachments); break;
    default: problem.add_friction(y, attachments); break;
  }
}

}  // namespace

Problem random_problem(Random& random) {
  Problem problem;
  problem.name = "random";
  problem.dt = 0.01;
  std::array<double, 6> six{};
  for (double& value : six) value = uniform(random, -1, 1);
  for (int i = 0; i < 2; ++i) {
    problem.add_body(random_inertia(random), six);
    const TreeInertia tree = random_tree(random, whole(random, 1, 4));
    problem.add_tree(tree, random_numbers(random, tree.topology->dofs()));
    const int size = whole(random, 1, 5);
    problem.add_sparse(random_sparse(random, size), random_numbers(random, size));
  }
  const int nodes = whole(random, 1, 5);
  problem.add_nodal(random_nodal(random, nodes), random_numbers(random, 3 * nodes));
  for (int i = 0; i < 16; ++i) add_random_constraint(random, problem, i % 8);
  return problem;
}

// ---- equality, bit for bit

namespace {

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(const Vec3& a, const Vec3& b) { return same(a.x(), b.x()) && same(a.y(), b.y()) && same(a.z(), b.z()); }
bool same(const Mat3& a, const Mat3& b) {
  return same(a.col[0], b.col[0]) && same(a.col[1], b.col[1]) && same(a.col[2], b.col[2]);
}
bool same(const FrictionCone& a, const FrictionCone& b) { return same(a.mu1, b.mu1) && same(a.mu2, b.mu2); }
bool same(const SpatialInertia& a, const SpatialInertia& b) {
  return same(a.mass, b.mass) && same(a.first, b.first) && same(a.rotational.diagonal, b.rotational.diagonal) &&
         same(a.rotational.off, b.rotational.off);
}
bool same(const Motion& a, const Motion& b) { return same(a.angular, b.angular) && same(a.linear, b.linear); }
// What a vector may hold must be known before the template.
bool same(const SparseRows& a, const SparseRows& b);
bool same(const SparseBlock& a, const SparseBlock& b);
bool same(const NodalMatrix& a, const NodalMatrix& b);
bool same(const TreeInertia& a, const TreeInertia& b);
bool same(const Block& a, const Block& b);
bool same(const Attachment& a, const Attachment& b);
bool same(const ConstraintRef& a, const ConstraintRef& b);
template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const T& x, const T& y) { return same(x, y); });
}
bool same(const SparseRows& a, const SparseRows& b) {
  return a.columns == b.columns && a.start == b.start && a.column == b.column && same(a.value, b.value);
}
bool same(const SparseBlock& a, const SparseBlock& b) { return same(a.lower, b.lower); }
bool same(const NodalMatrix& a, const NodalMatrix& b) {
  return a.pattern->start == b.pattern->start && a.pattern->column == b.pattern->column && same(a.value, b.value);
}
bool same(const TreeInertia& a, const TreeInertia& b) {
  if (a.topology->links() != b.topology->links() || a.topology->dofs() != b.topology->dofs()) return false;
  for (int i = 0; i < a.topology->links(); ++i) {
    if (a.topology->link_parent(i) != b.topology->link_parent(i)) return false;
    if (a.topology->dof_begin(i) != b.topology->dof_begin(i)) return false;
  }
  return same(a.subspace, b.subspace) && same(a.inertia, b.inertia) && same(a.diagonal, b.diagonal);
}
bool same(const Block& a, const Block& b) {
  return a.kind == b.kind && a.offset == b.offset && a.size == b.size && a.index == b.index;
}
bool same(const Attachment& a, const Attachment& b) {
  return a.kind == b.kind && a.block == b.block && a.link == b.link && same(a.point, b.point) &&
         same(a.frame, b.frame) && same(a.sign, b.sign) && a.dof == b.dof && same(a.coefficient, b.coefficient) &&
         a.entries == b.entries && a.node == b.node && a.turning == b.turning &&
         std::equal(a.weight.begin(), a.weight.end(), b.weight.begin(), [](double x, double y) { return same(x, y); });
}
bool same(const ConstraintRef& a, const ConstraintRef& b) {
  return a.kind == b.kind && a.index == b.index && a.row == b.row;
}
template <typename Kind>
bool same_places(const Kind& a, const Kind& b) {
  return a.row == b.row && a.constraint == b.constraint;
}

}  // namespace

std::string difference(const Problem& a, const Problem& b) {
  if (a.name != b.name) return "name";
  if (a.comment != b.comment) return "comment";
  if (!same(a.dt, b.dt)) return "dt";
  if (!same(a.blocks, b.blocks)) return "blocks";
  if (!same(a.bodies, b.bodies)) return "bodies";
  if (!same(a.trees, b.trees)) return "trees";
  if (!same(a.nodal, b.nodal)) return "nodal";
  if (!same(a.sparse, b.sparse)) return "sparse";
  if (!same(a.b, b.b)) return "b";
  if (!same(a.constraints, b.constraints) || a.rows != b.rows) return "constraints";
  if (!same_places(a.contacts, b.contacts) || !same(a.contacts.cone, b.contacts.cone) ||
      !same(a.contacts.e, b.contacts.e)) {
    return "contacts";
  }
  if (!same_places(a.hard, b.hard) || !same(a.hard.e, b.hard.e)) return "hard";
  if (!same_places(a.equality, b.equality) || !same(a.equality.e, b.equality.e)) return "equality";
  if (!same_places(a.soft, b.soft) || !same(a.soft.e, b.soft.e) || !same(a.soft.k, b.soft.k) ||
      !same(a.soft.b, b.soft.b)) {
    return "soft";
  }
  if (!same_places(a.limits, b.limits) || !same(a.limits.lower, b.limits.lower) ||
      !same(a.limits.upper, b.limits.upper)) {
    return "limits";
  }
  if (!same_places(a.friction, b.friction) || !same(a.friction.bound, b.friction.bound)) return "friction";
  if (!same(a.attachments, b.attachments)) return "attachments";
  if (a.attachment_start != b.attachment_start) return "attachment_start";
  if (!same(a.attachment_rows, b.attachment_rows)) return "attachment_rows";
  return {};
}

// ---- dense oracles

Eigen::MatrixXd dense(const SparseRows& rows) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows.rows(), rows.columns);
  for (int r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = rows.begin(r); k < rows.end(r); ++k) out(r, rows.column[k]) += rows.value[k];
  }
  return out;
}

Eigen::MatrixXd dense_symmetric(const SparseRows& lower) { return dense(lower).selfadjointView<Eigen::Lower>(); }

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  return (Eigen::Matrix3d() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished();
}

Eigen::MatrixXd dense(const SpatialInertia& inertia) {
  const Eigen::Vector3d d = eigen(inertia.rotational.diagonal), off = eigen(inertia.rotational.off);
  const Eigen::Matrix3d h = skew(eigen(inertia.first));
  Eigen::MatrixXd out(6, 6);
  out.topLeftCorner(3, 3) = inertia.mass * Eigen::Matrix3d::Identity();
  out.topRightCorner(3, 3) = -h;
  out.bottomLeftCorner(3, 3) = h;
  out.bottomRightCorner(3, 3) << d.x(), off.z(), off.y(), off.z(), d.y(), off.x(), off.y(), off.x(), d.z();
  return out;
}

Eigen::MatrixXd dense(const TreeInertia& tree) {
  const TreeTopology& topology = *tree.topology;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(topology.dofs(), topology.dofs());
  for (int link = 0; link < topology.links(); ++link) {
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(6, topology.dofs());  // linear, angular
    for (int above = link; above >= 0; above = topology.link_parent(above)) {
      for (int d = topology.dof_begin(above); d < topology.dof_begin(above + 1); ++d) {
        for (int k = 0; k < 3; ++k) {
          jacobian(k, d) = tree.subspace[at(d)].linear[k];
          jacobian(k + 3, d) = tree.subspace[at(d)].angular[k];
        }
      }
    }
    out += jacobian.transpose() * dense(tree.inertia[at(link)]) * jacobian;
  }
  for (int d = 0; d < topology.dofs(); ++d) out(d, d) += tree.diagonal[at(d)];
  return out;
}

Eigen::MatrixXd dense_a(const Problem& problem) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(problem.n(), problem.n());
  for (const Block& block : problem.blocks) {
    auto part = out.block(block.offset, block.offset, block.size, block.size);
    if (block.kind == BlockKind::FreeBody) part = dense(problem.bodies[at(block.index)]);
    if (block.kind == BlockKind::Tree) part = dense(problem.trees[at(block.index)]);
    if (block.kind == BlockKind::Nodal) {
      SparseRows lower;
      lower.clear(block.size);
      append_lower_rows(problem.nodal[at(block.index)], 0, lower);
      part = dense_symmetric(lower);
    }
    if (block.kind == BlockKind::Sparse) part = dense_symmetric(problem.sparse[at(block.index)].lower);
  }
  return out;
}

SparseRows sparse(const Eigen::MatrixXd& matrix) {
  Triplets out{static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), {}, {}, {}};
  for (int r = 0; r < out.rows; ++r) {
    for (int c = 0; c < out.columns; ++c) {
      if (matrix(r, c) != 0) out.add(r, c, matrix(r, c));
    }
  }
  return compress(out);
}

}  // namespace uzawa::test
