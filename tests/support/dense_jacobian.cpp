#include "support/dense_jacobian.hpp"

#include "problem/random_problem.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa::test {

Eigen::MatrixXd point_jacobian(const Problem& problem, const Attachment& attachment) {
  const Block& block = problem.blocks[at(attachment.block)];
  const Eigen::Vector3d point = eigen(attachment.point);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3, problem.n());
  if (block.kind == BlockKind::FreeBody) {
    out.middleCols<3>(block.offset) = Eigen::Matrix3d::Identity();
    out.middleCols<3>(block.offset + 3) = -skew(point);
    return out;
  }
  const TreeInertia& tree = problem.trees[at(block.index)];
  for (int link = attachment.link; link >= 0; link = tree.topology->link_parent(link)) {
    for (int d = tree.topology->dof_begin(link); d < tree.topology->dof_begin(link + 1); ++d) {
      const Motion& s = tree.subspace[at(d)];
      out.block<3, 1>(0, block.offset + d) = eigen(s.linear) + eigen(s.angular).cross(point);
    }
  }
  return out;
}

Eigen::MatrixXd attachment_jacobian(const Problem& problem, const Attachment& attachment, int dims) {
  const Block& block = problem.blocks[at(attachment.block)];
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(dims, problem.n());
  switch (attachment.kind) {
    case AttachmentKind::LinkPoint: {
      const Eigen::MatrixXd velocity = attachment.sign * point_jacobian(problem, attachment);
      for (int d = 0; d < dims; ++d) {
        out.row(d) = eigen(attachment.frame.col[dims == 1 ? 2 : d]).transpose() * velocity;
      }
      break;
    }
    case AttachmentKind::LinkTurn: {
      // What the velocities of two points of the link differ by, for points a unit apart along each axis.
      Attachment base = attachment;
      base.point = {};
      const Eigen::MatrixXd origin = point_jacobian(problem, base);
      for (int d = 0; d < dims; ++d) {
        const int axis = dims == 1 ? 2 : d;
        base.point = attachment.frame.col[(axis + 1) % 3];
        const Eigen::MatrixXd moved = point_jacobian(problem, base) - origin;
        out.row(d) = attachment.sign * eigen(attachment.frame.col[(axis + 2) % 3]).transpose() * moved;
      }
      break;
    }
    case AttachmentKind::Nodes: {
      Eigen::MatrixXd velocity = Eigen::MatrixXd::Zero(3, problem.n());
      for (std::size_t i = 0; i < attachment.node.size() && attachment.node[i] >= 0; ++i) {
        velocity.middleCols<3>(block.offset + 3 * attachment.node[i]) +=
            attachment.weight[i] * Eigen::Matrix3d::Identity();
      }
      if (attachment.turning >= 0) {
        velocity.middleCols<3>(block.offset + 3 * attachment.turning) -= skew(eigen(attachment.point));
      }
      for (int d = 0; d < dims; ++d) {
        out.row(d) = attachment.sign * (eigen(attachment.frame.col[dims == 1 ? 2 : d]).transpose() * velocity);
      }
      break;
    }
    case AttachmentKind::Coordinate: out(0, block.offset + attachment.dof) = attachment.coefficient; break;
    case AttachmentKind::Rows:
      out.middleCols(block.offset, block.size) = dense(problem.attachment_rows[at(attachment.entries)]);
      break;
  }
  return out;
}

Eigen::MatrixXd dense_jacobian(const Problem& problem) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(problem.rows, problem.n());
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int dims = problem.dims(static_cast<int>(c));
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      out.middleRows(problem.constraints[c].row, dims) +=
          attachment_jacobian(problem, problem.attachments[at(a)], dims);
    }
  }
  return out;
}

}  // namespace uzawa::test
