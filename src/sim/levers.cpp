#include "uzawa/sim/levers.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// Least lever, as a share of the size of the smaller shape: a contact with less would need 10,000 times the force that
/// it needs on a free link.
constexpr double kLeast = 0.01;
/// rad; links that no turn up to this gets apart overlap by design: rows are linear, and beyond it they mean nothing.
constexpr double kMostTurn = 0.5;

std::span<const int> dofs_of(const Model& model, int link) {
  const int last = link < 0 ? -1 : model.topology()->last_dof(link);
  return last < 0 ? std::span<const int>{} : model.topology()->path(last);
}

}  // namespace

bool has_lever(const Model& model, const ShapeSet& shapes, const DynamicsData& data, const Contact& contact) {
  if (contact.on_skin()) {
    const auto [side1, side2] = contact_sides(model, contact);
    return side1.subsystem >= 0 || side2.subsystem >= 0;
  }
  const int link1 = model.geom_link(contact.geom1), link2 = model.geom_link(contact.geom2);
  if (link1 == link2) return false;
  double size = 1e300;
  for (const int geom : {contact.geom1, contact.geom2}) {
    const ShapeSet::Geom& own = shapes.geoms()[at(geom)];
    if (own.link >= 0 && !own.shape.is_plane()) size = std::min(size, own.shape.radius);
  }
  const std::span<const int> dofs1 = dofs_of(model, link1), dofs2 = dofs_of(model, link2);
  // A dof that moves both links moves the contact as a whole.
  std::size_t common = 0;
  while (common < std::min(dofs1.size(), dofs2.size()) && dofs1[common] == dofs2[common]) ++common;
  const auto moves = [&](int link, std::span<const int> dofs) {
    if (common == dofs.size()) return false;
    const Vec3 arm = contact.position - link_reference(model, data, link);
    return std::any_of(dofs.begin() + static_cast<std::ptrdiff_t>(common), dofs.end(), [&](int dof) {
      const Motion& s = data.tree.subspace[at(dof)];
      const double rate = std::abs(dot(contact.normal, velocity_at(s, arm))), turn = norm(s.angular);
      if (turn == 0) return rate > kLeast * norm(s.linear);
      return rate > turn * std::max(kLeast * size, -contact.gap / kMostTurn);
    });
  };
  return moves(link1, dofs1) || moves(link2, dofs2);
}

}  // namespace uzawa
