#include "uzawa/elastic/edge_elasticity.hpp"

#include <algorithm>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

struct Span {
  double length;
  Vec3 direction;  ///< from the first to the second; zero without length
};

Span span_of(const Vec3& first, const Vec3& second) {
  const Vec3 apart = second - first;
  const double length = norm(apart);
  return {length, length > 0 ? apart * (1 / length) : Vec3{}};
}

}  // namespace

EdgeElasticity::EdgeElasticity(std::span<const Vec3> rest, std::span<const std::array<int, 2>> edges,
                               const SoftMaterial& material)
    : stiffness_(material.edge_stiffness), damping_(material.edge_damping) {
  check_material(material);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::string element = "edge " + std::to_string(e);
    for (const int node : edges[e]) {
      if (node < 0 || at(node) >= rest.size()) {
        throw InputError("soft body", element, "names node " + std::to_string(node) + ", which does not exist");
      }
    }
    const double length = norm(rest[at(edges[e][1])] - rest[at(edges[e][0])]);
    if (!(length > 0)) throw InputError("soft body", element, "has no length");
    edges_.push_back({edges[e][0], edges[e][1], length, {}, {}, {}});
  }
}

std::vector<std::pair<int, int>> EdgeElasticity::couples() const {
  std::vector<std::pair<int, int>> out;
  for (const Edge& e : edges_) {
    out.emplace_back(e.first, e.first);
    out.emplace_back(e.second, e.second);
    out.emplace_back(std::max(e.first, e.second), std::min(e.first, e.second));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void EdgeElasticity::place(std::span<const int> node_of, const NodalPattern& pattern) {
  check_places(node_of, pattern);
  for (Edge& e : edges_) {
    e.at_first = nodal_place(node_of, pattern, e.first, e.first);
    e.at_second = nodal_place(node_of, pattern, e.second, e.second);
    e.between = nodal_place(node_of, pattern, e.first, e.second);
  }
}

double EdgeElasticity::energy(std::span<const Vec3> x) const {
  double out = 0;
  for (const Edge& e : edges_) {
    const double longer = norm(x[at(e.second)] - x[at(e.first)]) - e.rest_length;
    out += 0.5 * stiffness_ * longer * longer;
  }
  return out;
}

void EdgeElasticity::add_force(std::span<const Vec3> x, std::span<Vec3> force) const {
  for (const Edge& e : edges_) {
    const Span now = span_of(x[at(e.first)], x[at(e.second)]);
    const Vec3 pull = now.direction * (stiffness_ * (now.length - e.rest_length));
    force[at(e.first)] += pull;
    force[at(e.second)] -= pull;
  }
}

void EdgeElasticity::evaluate(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix& k, double scale) const {
  for (const Edge& e : edges_) {
    const Span now = span_of(x[at(e.first)], x[at(e.second)]);
    const double longer = now.length - e.rest_length;
    const Vec3 pull = now.direction * (stiffness_ * longer);
    force[at(e.first)] += pull;
    force[at(e.second)] -= pull;
    const double along = scale * stiffness_, sidewards = longer > 0 ? along * longer / now.length : 0;
    add_blocks(e, Mat3::identity() * sidewards + outer(now.direction, now.direction) * (along - sidewards), k);
  }
}

void EdgeElasticity::add_damping_force(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> force) const {
  for (const Edge& e : edges_) {
    const Vec3 along = span_of(x[at(e.first)], x[at(e.second)]).direction;
    const Vec3 pull = along * (damping_ * dot(along, v[at(e.second)] - v[at(e.first)]));
    force[at(e.first)] += pull;
    force[at(e.second)] -= pull;
  }
}

void EdgeElasticity::add_damping(std::span<const Vec3> x, NodalMatrix& d, double scale) const {
  for (const Edge& e : edges_) {
    const Vec3 along = span_of(x[at(e.first)], x[at(e.second)]).direction;
    add_blocks(e, outer(along, along) * (damping_ * scale), d);
  }
}

void EdgeElasticity::add_blocks(const Edge& edge, const Mat3& block, NodalMatrix& k) const {
  add_block(k, edge.at_first, block);
  add_block(k, edge.at_second, block);
  add_block(k, edge.between, block * -1.0);
}

}  // namespace uzawa
