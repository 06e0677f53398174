#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

std::vector<double> body_mobilities(const Model& model) {
  std::vector<double> mobility(model.spec().bodies.size(), 0.0);
  DynamicsData data(model);
  forward_kinematics(model, model.reference_state(), data);
  mass_matrix(data);
  if (!factorize_mass(data)) return mobility;
  const std::size_t nv = at(model.nv());
  std::vector<double> jacobian(3 * nv), response(nv);
  for (int b = 0; b < static_cast<int>(mobility.size()); ++b) {
    const int link = model.body_link(b);
    if (link < 0 || model.topology()->last_dof(link) < 0) continue;
    const Vec3 com = body_pose(model, data, b) * model.spec().bodies[at(b)].com;
    point_jacobian(model, data, link, com, jacobian);
    for (std::size_t k = 0; k < 3; ++k) {
      response.assign(jacobian.begin() + static_cast<std::ptrdiff_t>(k * nv),
                      jacobian.begin() + static_cast<std::ptrdiff_t>((k + 1) * nv));
      data.mass_factor.solve(response);
      for (std::size_t d = 0; d < nv; ++d) mobility[at(b)] += jacobian[k * nv + d] * response[d] / 3;
    }
  }
  return mobility;
}

}  // namespace uzawa
