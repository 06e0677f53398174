#include "uzawa/collision/contacts/contact.hpp"

#include <cmath>

namespace uzawa {

Mat3 contact_frame(const Vec3& normal) {
  // The frame (e1, e2, s) carried along the shortest arc from s to the normal. The one direction without an arc of its
  // own, -s, is oblique: normals of walls, floors and boxes' faces are far from it. e1 and e2 are such that the normal
  // +z of a floor has the tangents x and y.
  const Vec3 s{0.36, 0.48, 0.8}, e1{0.928, -0.096, -0.36}, e2{-0.096, 0.872, -0.48};
  const Vec3 sum = s + normal;
  const double half_square = 0.5 * dot(sum, sum);  // 1 + s.n, without its cancellation near -s
  if (half_square < 1e-24) return {{e1, -e2, normal}};
  return {{e1 - sum * (dot(e1, normal) / half_square), e2 - sum * (dot(e2, normal) / half_square), normal}};
}

Mat3 contact_frame(const Model& model, const Contact& contact) {
  const Vec3& n = contact.normal;
  if (contact.pair < 0) return contact_frame(n);
  const ContactPairSpec& pair = model.spec().contact_pairs[static_cast<std::size_t>(contact.pair)];
  if (pair.friction[0] == pair.friction[1] && pair.friction[3] == pair.friction[4]) return contact_frame(n);
  const Vec3 axis = std::abs(n.y()) < 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 across = axis - n * dot(axis, n), t2 = across * (1 / norm(across));
  return {{cross(t2, n), t2, n}};
}

namespace {

Side side_of(const Model& model, int geom, int face, const std::array<double, 2>& weights) {
  if (face < 0) return model.link_side(model.geom_link(geom));
  const int soft_body = model.spec().geoms[static_cast<std::size_t>(geom)].asset;
  const std::array<int, 3>& nodes = model.skin(soft_body).faces[static_cast<std::size_t>(face)];
  const double rest = 1 - weights[0] - (nodes[2] < 0 ? 0 : weights[1]);
  const std::array<double, 3> all{weights[0], nodes[2] < 0 ? rest : weights[1], nodes[2] < 0 ? 0 : rest};
  return model.soft_side(soft_body, nodes, all);
}

}  // namespace

std::array<Side, 2> contact_sides(const Model& model, const Contact& contact) {
  return {side_of(model, contact.geom1, contact.face1, contact.weights1),
          side_of(model, contact.geom2, contact.face2, contact.weights2)};
}

}  // namespace uzawa
