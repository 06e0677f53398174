/// Soft bodies and rods. Their forces are taken at the end of the step, to first order around the poses of its middle:
/// with x_m = x_k + theta h v_k and x_{k+1} = x_m + (1-theta) h v_{k+1} they act at theta x_k + (1-theta) x_{k+1}, so
///
///     A = M + (1-theta) h D + (1-theta)^2 h^2 K
///     b = M v_k + h (f(x_m) - D v_k) + (1-theta) h D v_k + theta^2 h^2 K v_k
///
/// which is implicit Euler for theta = 0 and the midpoint rule for 1/2. Bodies that touch something have theta = 0 here
/// (ElasticState::at_end). Carried nodes are tied to their links and have
/// no mass but a part of their link's, which its block of A lacks: J^T lambda of the ties makes up for it, so that b is
/// as if they had none.
#include <utility>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/assembly/subsystem_block.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

class ElasticBlock : public SubsystemBlock {
 public:
  ElasticBlock(const Model& model, const BlockPlace& place)
      : model_(model),
        subsystem_(model.subsystems()[at(place.block)]),
        system_(model.elastic_systems()[at(subsystem_.elastic)]),
        place_(place),
        node_of_link_(subsystem_.links.size()) {
    for (int n = static_cast<int>(system_.nodes.size()) - 1; n >= 0; --n) {
      const ElasticNode& node = system_.nodes[at(n)];
      if (node.kind != ElasticNode::Kind::Carried) node_of_link_[at(model.local_link(node.link))] = n;
    }
  }

  int size() const override { return 3 * static_cast<int>(system_.nodes.size()); }
  void add_to(Problem& problem) const override {
    const int block = problem.add_nodal(NodalMatrix(system_.pattern), std::vector<double>(at(size())));
    if (!system_.laws->pieces()) return;
    BlockPieces& of = problem.pieces.emplace_back();
    of.block = block;
    of.pieces.clear(system_.laws->pieces());
  }

  void update(const BlockInput& in, Problem& problem) const override {
    NodalMatrix& a = problem.nodal[at(place_.index)];
    add_elasticity(in, a);
    add_masses(in, a);
    make_symmetric(a);
    for (BlockPieces& of : problem.pieces) {
      if (of.block == place_.block) update_pieces(in, a, of.pieces);
    }
    write_impulse(in, std::span(problem.b).subspan(at(place_.offset), at(size())));
  }

  void read_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> state_v) const override {
    joint_velocities(model_, subsystem_, v.subspan(at(place_.offset), at(size())), data, state_v);
  }

  void write_velocity(const DynamicsData& data, std::span<const double> state_v, std::span<double> v) const override {
    node_velocities(model_, subsystem_, state_v, data.velocity, data, v.subspan(at(place_.offset), at(size())));
  }

  Vec3 attach_point(const DynamicsData& data, const Side& side, const Vec3& point, const Mat3& frame, double sign,
                    Attachment& out) const override {
    out.kind = AttachmentKind::Nodes;
    out.block = place_.block;
    out.frame = frame;
    out.sign = sign;
    out.node = side.nodes;
    out.weight = side.weights;
    if (side.feature >= 0) {  // a link of a rod, or a point
      const int node = node_of_link_[at(model_.local_link(side.feature))];
      out.node = {node, -1, -1, -1};
      out.weight = {1, 0, 0, 0};
      if (system_.nodes[at(node)].kind == ElasticNode::Kind::Linear) {
        out.turning = node + 1;
        out.point = point - data.link_com[at(side.feature)];
      }
    }
    return side_velocity(model_, data, data.velocity, side, point);
  }

  bool attach_turn(const Side& side, const Mat3& frame, double sign, Attachment& out) const override {
    if (side.feature < 0) return false;
    const int node = node_of_link_[at(model_.local_link(side.feature))];
    if (system_.nodes[at(node)].kind != ElasticNode::Kind::Linear) return false;
    out.kind = AttachmentKind::Nodes;
    out.block = place_.block;
    out.frame = frame;
    out.sign = sign;
    out.node = {node + 1, -1, -1, -1};  // its angular velocity
    out.weight = {1, 0, 0, 0};
    return true;
  }

  Vec3 point_velocity(const DynamicsData& data, const Side&, const Attachment& attached,
                      std::span<const double> state_v) const override {
    // Few nodes: their links' velocities one by one.
    Vec3 sum;
    for (std::size_t i = 0; i < attached.node.size() && attached.node[i] >= 0; ++i) {
      const ElasticNode& node = system_.nodes[at(attached.node[i])];
      const Motion motion = link_motion(data, node.link, state_v);
      sum += node_velocity(data, node, motion) * attached.weight[i];
      if (attached.turning >= 0) sum += cross(motion.angular, attached.point);
    }
    return sum;
  }

  void write_ties(const DynamicsData& data, ConstraintWriter& writer) const override {
    for (std::size_t n = 0; n < system_.nodes.size(); ++n) {
      const ElasticNode& node = system_.nodes[n];
      if (node.kind != ElasticNode::Kind::Carried) continue;
      const Vec3 point = data.link_pose[at(node.link)] * node.point;
      Side own{place_.block};
      own.nodes[0] = static_cast<int>(n);
      own.weights[0] = 1;
      for (int axis = 0; axis < 3; ++axis) {
        const Mat3 frame{{Vec3::unit((axis + 1) % 3), Vec3::unit((axis + 2) % 3), Vec3::unit(axis)}};
        writer.hold_point(own, point, frame, 1);
        writer.hold_point(model_.link_side(node.link), point, frame, -1);
        writer.equality(constraint_key(ConstraintSource::CarriedNode, place_.block << 24 | static_cast<int>(n), axis),
                        0);
      }
    }
  }

  bool has_state_dofs() const override { return false; }

  void write_row(const DynamicsData& data, std::span<const int> dofs, std::span<const double> coefficients,
                 SparseRows& out) const override {
    for (std::size_t first = 0; first < dofs.size();) {
      const int link = model_.topology()->dof_link(dofs[first]), begin = model_.topology()->dof_begin(link);
      const int node = node_of_link_[at(model_.local_link(link))];
      Vec3 linear, angular;
      for (; first < dofs.size() && model_.topology()->dof_link(dofs[first]) == link; ++first) {
        const int dof = dofs[first];
        const double c = coefficients[at(dof)];
        if (system_.nodes[at(node)].kind == ElasticNode::Kind::Point) {
          linear += data.tree.subspace[at(dof)].linear * c;
        } else if (dof - begin < 3) {
          linear += Vec3::unit(dof - begin) * c;
        } else {
          angular += data.link_pose[at(link)].rotation.col[dof - begin - 3] * c;
        }
      }
      put(node, linear, out);
      if (system_.nodes[at(node)].kind == ElasticNode::Kind::Point) continue;
      // The joint's linear velocity is that of the frame's origin.
      put(node + 1, angular - cross(data.link_com[at(link)] - data.link_pose[at(link)].position, linear), out);
    }
  }

 private:
  static void put(int node, const Vec3& values, SparseRows& out) {
    for (int k = 0; k < 3; ++k) {
      out.column.push_back(3 * node + k);
      out.value.push_back(values[k]);
    }
  }

  const ElasticState& state(const DynamicsData& data) const { return *data.elastic[at(subsystem_.elastic)]; }

  /// (1-theta) h
  double step_share(const BlockInput& in) const { return (1 - elastic_theta(in.rule, state(in.data))) * in.rule.h; }
  /// a = d D + d^2 K with d = (1-theta) h, of the whole or of a piece.
  void set_elasticity(double d, const NodalMatrix& stiffness, const NodalMatrix* damping, NodalMatrix& a) const {
    const double scale = d * d + (damping == nullptr ? d * system_.laws->damping() : 0);
    a.value.resize(stiffness.value.size());
    for (std::size_t i = 0; i < a.value.size(); ++i) a.value[i] = scale * stiffness.value[i];
    if (damping == nullptr) return;
    for (std::size_t i = 0; i < a.value.size(); ++i) a.value[i] += d * damping->value[i];
  }
  void update_pieces(const BlockInput& in, const NodalMatrix& whole, NodalPieces& pieces) const {
    const ElasticLaws::Parts& from = state(in.data).parts;
    for (std::size_t p = 0; p < pieces.part.size(); ++p) {
      const NodalMatrix* damping = system_.laws->has_one_damping() ? nullptr : &from.damping.part[p];
      set_elasticity(step_share(in), from.stiffness.part[p], damping, pieces.part[p]);
    }
    share_diagonal(whole, pieces);
  }

  void add_elasticity(const BlockInput& in, NodalMatrix& a) const {
    const ElasticState& from = state(in.data);
    const double d = step_share(in);
    set_elasticity(d, from.stiffness, system_.laws->has_one_damping() ? nullptr : &from.damping, a);
    for (std::size_t n = 0; n < system_.nodes.size(); ++n) {
      if (system_.nodes[n].drag != 0) a.add_to_diagonal(static_cast<int>(n), d * system_.nodes[n].drag);
    }
  }

  void add_masses(const BlockInput& in, NodalMatrix& a) const {
    for (int n = 0; n < static_cast<int>(system_.nodes.size()); ++n) {
      const ElasticNode& node = system_.nodes[at(n)];
      const SpatialInertia& inertia = in.data.tree.inertia[at(node.link)];
      switch (node.kind) {
        case ElasticNode::Kind::Point: {
          a.add_to_diagonal(n, inertia.mass);
          const int first = model_.topology()->dof_begin(node.link);
          for (int k = first; k < first + 3; ++k) {
            const double extra = in.data.tree.diagonal[at(k)] + in.diagonal[at(k)];
            if (extra != 0) add_symmetric(n, to_matrix(outer(in.data.tree.subspace[at(k)].linear)) * extra, a);
          }
          break;
        }
        case ElasticNode::Kind::Linear: a.add_to_diagonal(n, inertia.mass); break;
        case ElasticNode::Kind::Angular: add_symmetric(n, to_matrix(inertia.rotational), a); break;
        case ElasticNode::Kind::Carried: a.add_to_diagonal(n, node.mass); break;
      }
    }
  }
  static void add_symmetric(int node, const Mat3& m, NodalMatrix& a) {
    double* to = a.block(a.pattern->diagonal(node));
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) to[3 * r + c] += m(r, c);
    }
  }

  /// Diagonal blocks are sums of products whose two halves are rounded differently; a Problem's A is symmetric to the
  /// bit (validate).
  static void make_symmetric(NodalMatrix& a) {
    for (int n = 0; n < a.pattern->nodes(); ++n) {
      double* block = a.block(a.pattern->diagonal(n));
      for (const auto& [upper, lower] : {std::pair{1, 3}, {2, 6}, {5, 7}}) {
        block[upper] = block[lower] = 0.5 * (block[upper] + block[lower]);
      }
    }
  }

  void write_impulse(const BlockInput& in, std::span<double> b) const {
    for (std::size_t n = 0; n < system_.nodes.size(); ++n) {
      const ElasticNode& node = system_.nodes[n];
      const int first = model_.topology()->dof_begin(node.link);
      const double* own = in.b.data() + first;
      const Pose& pose = in.data.link_pose[at(node.link)];
      Vec3 impulse;
      switch (node.kind) {
        case ElasticNode::Kind::Point:
          for (int k = 0; k < 3; ++k) impulse += in.data.tree.subspace[at(first + k)].linear * own[k];
          break;
        case ElasticNode::Kind::Linear: impulse = Vec3::from(own); break;
        case ElasticNode::Kind::Angular:
          impulse = pose.rotation * Vec3::from(own + 3) -
                    cross(in.data.link_com[at(node.link)] - pose.position, Vec3::from(own));
          break;
        case ElasticNode::Kind::Carried:
          if (in.phase == Phase::Velocity) impulse = Vec3::from(&state(in.data).force[3 * n]) * in.rule.h;
          break;
      }
      impulse.store(&b[3 * n]);
    }
    if (in.phase != Phase::Position) add_start_velocities(in, b);
  }

  /// What of the forces at the end goes with v_k; in an impact, where no time passes, A v_k - M v_k.
  void add_start_velocities(const BlockInput& in, std::span<double> b) const {
    const ElasticState& from = state(in.data);
    const double own = elastic_theta(in.rule, from), theta = in.phase == Phase::Impact ? 1 - own : own;
    const double d = (1 - own) * in.rule.h, k = theta * theta * in.rule.h * in.rule.h;
    ElasticState& scratch = *in.data.elastic[at(subsystem_.elastic)];
    node_velocities(model_, subsystem_, in.v, in.data.velocity, in.data, scratch.velocity);
    if (k != 0) {
      from.stiffness.multiply(from.velocity, scratch.product);
      for (std::size_t i = 0; i < b.size(); ++i) b[i] += k * from.product[i];
    }
    multiply_damping(system_, from, from.velocity, scratch.product);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += d * from.product[i];
  }

  Vec3 node_velocity(const DynamicsData& data, const ElasticNode& node, const Motion& motion) const {
    const Vec3 point = node.kind == ElasticNode::Kind::Carried ? data.link_pose[at(node.link)] * node.point
                                                               : data.link_com[at(node.link)];
    return velocity_at(motion, point - link_reference(model_, data, node.link));
  }
  Motion link_motion(const DynamicsData& data, int link, std::span<const double> state_v) const {
    Motion motion;
    const int last = model_.topology()->last_dof(link);
    if (last < 0) return motion;
    for (const int dof : model_.topology()->path(last)) motion += data.tree.subspace[at(dof)] * state_v[at(dof)];
    return motion;
  }

  const Model& model_;
  const Subsystem& subsystem_;
  const ElasticSystem& system_;
  BlockPlace place_;
  std::vector<int> node_of_link_;  ///< per link of the subsystem: its (first) node
};

}  // namespace

std::unique_ptr<const SubsystemBlock> make_elastic_block(const Model& model, const BlockPlace& place) {
  return std::make_unique<const ElasticBlock>(model, place);
}

}  // namespace uzawa
