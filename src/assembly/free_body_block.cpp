/// A body that flies freely. The dofs of its block are the velocity of its centre of mass and its angular velocity,
/// both in world axes; its joint has the velocity of the body frame's origin, and the angular velocity in body axes.
#include "uzawa/assembly/link_block.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

class FreeBodyBlock : public LinkBlock {
 public:
  FreeBodyBlock(const Model& model, const BlockPlace& place)
      : LinkBlock(model, place), link_(subsystem().links[0]), first_dof_(subsystem().dofs[0]) {}

  int size() const override { return static_cast<int>(subsystem().dofs.size()); }
  void add_to(Problem& problem) const override { problem.add_body({}, {}); }

  void update(const BlockInput& in, Problem& problem) const override {
    problem.bodies[at(place().index)] = own_inertia(in.data, link_);
    to_block(in.data, &in.b[at(first_dof_)], problem.b.data() + place().offset);
  }

  void read_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> state_v) const override {
    const double* own = v.data() + place().offset;
    const Pose& pose = data.link_pose[at(link_)];
    const Vec3 w = Vec3::from(own + 3), r = data.link_com[at(link_)] - pose.position;
    double* to = &state_v[at(first_dof_)];
    (Vec3::from(own) - cross(w, r)).store(to);
    transpose_times(pose.rotation, w).store(to + 3);
  }

  void write_velocity(const DynamicsData& data, std::span<const double> state_v, std::span<double> v) const override {
    const double* from = &state_v[at(first_dof_)];
    const Pose& pose = data.link_pose[at(link_)];
    const Vec3 w = pose.rotation * Vec3::from(from + 3), r = data.link_com[at(link_)] - pose.position;
    double* own = v.data() + place().offset;
    (Vec3::from(from) + cross(w, r)).store(own);
    w.store(own + 3);
  }

  bool has_state_dofs() const override { return false; }

  void write_row(const DynamicsData& data, std::span<const int> dofs, std::span<const double> coefficients,
                 SparseRows& out) const override {
    double joint[6] = {}, body[6];
    for (const int dof : dofs) joint[dof - first_dof_] = coefficients[at(dof)];
    to_block(data, joint, body);
    for (int k = 0; k < 6; ++k) out.column.push_back(k);
    out.value.assign(body, body + 6);
  }

 private:
  /// Covector components along the joint's dofs, along those of the block instead. The power of a covector is the same
  /// in both coordinates, with v_origin = v_com - w x r and r from origin to com.
  void to_block(const DynamicsData& data, const double joint[6], double body[6]) const {
    const Pose& pose = data.link_pose[at(link_)];
    const Vec3 linear = Vec3::from(joint), r = data.link_com[at(link_)] - pose.position;
    linear.store(body);
    (pose.rotation * Vec3::from(joint + 3) - cross(r, linear)).store(body + 3);
  }

  int link_, first_dof_;
};

}  // namespace

std::unique_ptr<const SubsystemBlock> make_free_body_block(const Model& model, const BlockPlace& place) {
  return std::make_unique<const FreeBodyBlock>(model, place);
}

}  // namespace uzawa
