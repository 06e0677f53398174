#include <nanobind/stl/array.h>

#include <cmath>

#include "bindings.hpp"
#include "contact_columns.hpp"
#include "model_handle.hpp"
#include "simulation.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa::python {

namespace {

/// Dynamics of the present state, in memory of the world's frames.
DynamicsData& present_data(Simulation& s) { return s.frames().data(); }

std::size_t dofs(Simulation& s) { return static_cast<std::size_t>(s.model().nv()); }

nb::ndarray<nb::numpy, double> mass_matrix_of(Simulation& s) {
  DynamicsData& data = present_data(s);
  mass_matrix(data);
  std::vector<double> dense(dofs(s) * dofs(s));
  data.mass.to_dense(dense);
  return new_array(std::move(dense), {dofs(s), dofs(s)});
}

nb::ndarray<nb::numpy, double> bias_force_of(Simulation& s) {
  std::vector<double> bias(dofs(s));
  bias_force(s.model(), s.qvel.span(), present_data(s), bias);
  return new_array(std::move(bias));
}

nb::ndarray<nb::numpy, double> inverse_dynamics_of(Simulation& s, ConstArray acceleration) {
  if (acceleration.size() != dofs(s)) throw InputError("", "acceleration", "must have nv numbers");
  std::vector<double> tau(dofs(s));
  inverse_dynamics(s.model(), s.qvel.span(), {acceleration.data(), dofs(s)}, present_data(s), tau);
  return new_array(std::move(tau));
}

/// Six rows: velocity of the point, angular velocity.
nb::ndarray<nb::numpy, double> jacobian_of(Simulation& s, int body, const std::array<double, 3>& offset) {
  const Model& model = s.model();
  if (body < 0 || static_cast<std::size_t>(body) >= model.spec().bodies.size()) {
    throw InputError(model.spec().source, "body " + std::to_string(body), "is not in the model");
  }
  const DynamicsData& data = present_data(s);
  const std::size_t nv = dofs(s);
  std::vector<double> rows(6 * nv);
  const int link = model.body_link(body);
  if (link >= 0) {
    const Vec3 point = body_pose(model, data, body) * Vec3::from(offset.data());
    point_jacobian(model, data, link, point, std::span(rows).first(3 * nv));
    // A dof turns the link if it moves the link at all: that is where the Jacobian of some point is not zero.
    const int last = model.topology()->last_dof(link);
    for (int dof = last; dof >= 0; dof = model.topology()->dof_parent(dof)) {
      const Vec3& axis = data.tree.subspace[static_cast<std::size_t>(dof)].angular;
      for (int k = 0; k < 3; ++k)
        rows[(3 + static_cast<std::size_t>(k)) * nv + static_cast<std::size_t>(dof)] = axis[k];
    }
  }
  return new_array(std::move(rows), {6, nv});
}

/// (geom1, geom2, point, normal, gap) of all pairs nearer than their margins plus `distance`.
nb::tuple collide(const ModelHandle& h, ConstArray q, double distance) {
  const Model& model = h.model();
  if (q.size() != static_cast<std::size_t>(model.nq())) {
    throw InputError(model.spec().source, "qpos", "must have " + std::to_string(model.nq()) + " numbers");
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!std::isfinite(q.data()[i])) throw InputError(model.spec().source, "qpos", "is not a finite number");
  }
  if (!(distance >= 0) || !std::isfinite(distance)) throw InputError("", "distance", "must be 0 m or more");
  Collider collider(h.shared()->shapes());
  std::vector<Pose> poses(model.links().size());
  link_poses(model, {q.data(), q.size()}, mocap_poses(model, {}), poses);
  collider.run(poses, {.distance = distance});
  return nb::tuple(contact_columns(collider.contacts()));
}

}  // namespace

void bind_dynamics(nb::module_& m) {
  m.def("mass_matrix", &mass_matrix_of, nb::arg("world"), "M at the present state");
  m.def("bias_force", &bias_force_of, nb::arg("world"));
  m.def("inverse_dynamics", &inverse_dynamics_of, nb::arg("world"), nb::arg("acceleration"));
  m.def("jacobian", &jacobian_of, nb::arg("world"), nb::arg("body"), nb::arg("offset"));
  m.def("collide", &collide, nb::arg("model"), nb::arg("qpos"), nb::arg("distance"));
}

}  // namespace uzawa::python
