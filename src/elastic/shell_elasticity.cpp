#include "uzawa/elastic/shell_elasticity.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

using Square = std::array<std::array<double, 3>, 3>;

void check_triangles(std::span<const Vec3> rest, std::span<const std::array<int, 3>> triangles) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::string element = "triangle " + std::to_string(t);
    for (const int node : triangles[t]) {
      if (node < 0 || at(node) >= rest.size()) {
        throw InputError("soft body", element, "names node " + std::to_string(node) + ", which does not exist");
      }
    }
    const Vec3 ab = rest[at(triangles[t][1])] - rest[at(triangles[t][0])];
    const Vec3 ac = rest[at(triangles[t][2])] - rest[at(triangles[t][0])];
    const double longest = std::max({norm(ab), norm(ac), norm(ac - ab)});
    if (!(norm(cross(ab, ac)) > 1e-9 * longest * longest)) throw InputError("soft body", element, "has no area");
  }
}

/// Plate energy as a quadratic form of the turns of the three edges' normals against the triangle; edge i is opposite
/// to corner i.
Square plate_form(const std::array<Vec3, 3>& corner, double plate, double poisson) {
  const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const double area = 0.5 * norm(normal);
  std::array<Vec3, 3> edge;
  for (std::size_t i = 0; i < 3; ++i) edge[i] = corner[(i + 2) % 3] - corner[(i + 1) % 3];
  Square out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double lengths = norm(edge[i]) * norm(edge[j]), cosine = dot(edge[i], edge[j]) / lengths;
      out[i][j] = plate * lengths / area * ((1 - poisson) * cosine * cosine + poisson);
    }
  }
  return out;
}

/// Minimises the form over turn number i, which then is no variable any more.
void release(Square& form, std::size_t i) {
  const Square before = form;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      const bool gone = a == i || b == i || before[i][i] <= 0;
      form[a][b] = gone ? 0 : before[a][b] - before[a][i] * before[i][b] / before[i][i];
    }
  }
}

double height_over(const Vec3& corner, const Vec3& from, const Vec3& to) {
  return norm(cross(to - from, corner - from)) / norm(to - from);
}

}  // namespace

ShellElasticity::ShellElasticity(std::span<const Vec3> rest, std::span<const std::array<int, 3>> triangles,
                                 const SoftMaterial& material) {
  check_material(material);
  check_triangles(rest, triangles);
  if (!(material.thickness > 0)) throw InputError("soft body", "material", "a shell needs a thickness");
  moduli_ = {lame_mu(material), material.young * material.poisson / (1 - material.poisson * material.poisson)};
  if (material.stretching) {
    for (const auto& t : triangles) {
      membranes_.push_back(
          {membrane_triangle(rest[at(t[0])], rest[at(t[1])], rest[at(t[2])], material.thickness), t, {}});
    }
  }
  if (material.bending) build_hinges(rest, triangles, material);
}

void ShellElasticity::build_hinges(std::span<const Vec3> rest, std::span<const std::array<int, 3>> triangles,
                                   const SoftMaterial& material) {
  std::map<std::pair<int, int>, std::vector<Side>> sides;
  const double plate =
      material.young * std::pow(material.thickness, 3) / (12 * (1 - material.poisson * material.poisson));
  bends_.resize(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& n = triangles[t];
    bends_[t].stiffness = plate_form({rest[at(n[0])], rest[at(n[1])], rest[at(n[2])]}, plate, material.poisson);
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = n[(i + 1) % 3], to = n[(i + 2) % 3];
      sides[{std::min(from, to), std::max(from, to)}].push_back({t, i, n[i], from < to});
    }
  }
  for (const auto& [edge, at_edge] : sides) {
    if (at_edge.size() > 2) {
      throw InputError("soft body", "edge " + std::to_string(edge.first) + " " + std::to_string(edge.second),
                       "is shared by more than two triangles: no bending is defined there");
    }
    if (at_edge.size() == 1) release(bends_[at_edge[0].triangle].stiffness, at_edge[0].edge);
  }
  for (const auto& [edge, at_edge] : sides) {
    if (at_edge.size() == 2) add_hinge(rest, {edge.first, edge.second}, at_edge[0], at_edge[1]);
  }
  angles_.resize(hinges_.size());
  for (Bend& bend : bends_) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (bend.hinge[i] < 0) continue;
      for (std::size_t n = 0; n < 4; ++n) {
        const int node = hinges_[at(bend.hinge[i])].node[n];
        const auto end = bend.node.begin() + bend.nodes, found = std::find(bend.node.begin(), end, node);
        if (found == end) bend.node[at(bend.nodes++)] = node;
        bend.local[i][n] = static_cast<int>(found - bend.node.begin());
      }
    }
  }
}

void ShellElasticity::add_hinge(std::span<const Vec3> rest, const std::array<int, 2>& edge, const Side& first,
                                const Side& second) {
  const std::array<Vec3, 4> x{rest[at(edge[0])], rest[at(edge[1])], rest[at(first.opposite)],
                              rest[at(second.opposite)]};
  const int index = static_cast<int>(hinges_.size());
  hinges_.push_back({{edge[0], edge[1], first.opposite, second.opposite}, hinge_angle(x)});
  const double first_height = height_over(x[2], x[0], x[1]), second_height = height_over(x[3], x[0], x[1]);
  for (const Side* side : {&first, &second}) {
    // The hinge's normal is that of a first triangle along the edge, and of a second one against it.
    const double sign = side->along_edge == (side == &first) ? 1 : -1;
    const double share = sign * (side == &first ? first_height : second_height) / (first_height + second_height);
    Bend& bend = bends_[side->triangle];
    bend.hinge[side->edge] = index;
    for (std::size_t j = 0; j < 3; ++j) {
      bend.stiffness[side->edge][j] *= share;
      bend.stiffness[j][side->edge] *= share;
    }
  }
}

std::vector<std::pair<int, int>> ShellElasticity::couples() const {
  std::vector<std::pair<int, int>> out;
  const auto add_all = [&](std::span<const int> nodes) {
    for (const int i : nodes) {
      for (const int j : nodes) {
        if (i >= j) out.emplace_back(i, j);
      }
    }
  };
  for (const Membrane& m : membranes_) add_all(m.node);
  for (const Bend& b : bends_) add_all(std::span(b.node).first(at(b.nodes)));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void ShellElasticity::place(std::span<const int> node_of, const NodalPattern& pattern) {
  check_places(node_of, pattern);
  const auto place_all = [&](std::span<const int> nodes, std::span<NodalPlace> places) {
    std::size_t pair = 0;
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b, ++pair) places[pair] = nodal_place(node_of, pattern, nodes[a], nodes[b]);
    }
  };
  for (Membrane& m : membranes_) place_all(m.node, m.place);
  for (Bend& b : bends_) place_all(std::span(b.node).first(at(b.nodes)), b.place);
}

void ShellElasticity::update_hinges(std::span<const Vec3> x) {
  for (std::size_t h = 0; h < hinges_.size(); ++h) {
    const auto& n = hinges_[h].node;
    angles_[h] = hinge_angle_and_gradient({x[at(n[0])], x[at(n[1])], x[at(n[2])], x[at(n[3])]});
    // The shorter way round, for hinges folded beyond pi against their rest angle.
    angles_[h].angle = std::remainder(angles_[h].angle - hinges_[h].rest_angle, 2 * M_PI);
  }
}

std::array<double, 3> ShellElasticity::moments_of(const Bend& bend) const {
  std::array<double, 3> out{};
  for (std::size_t j = 0; j < 3; ++j) {
    if (bend.hinge[j] < 0) continue;
    for (std::size_t i = 0; i < 3; ++i) out[i] += bend.stiffness[i][j] * angles_[at(bend.hinge[j])].angle;
  }
  return out;
}

double ShellElasticity::energy(std::span<const Vec3> x) {
  double out = 0;
  for (const Membrane& m : membranes_) out += membrane_energy(m.triangle, moduli_, state_of(m, x));
  update_hinges(x);
  for (const Bend& bend : bends_) {
    const std::array<double, 3> moment = moments_of(bend);
    for (std::size_t i = 0; i < 3; ++i) {
      if (bend.hinge[i] >= 0) out += 0.5 * moment[i] * angles_[at(bend.hinge[i])].angle;
    }
  }
  return out;
}

void ShellElasticity::add_force(std::span<const Vec3> x, std::span<Vec3> force) {
  for (const Membrane& m : membranes_) add_membrane_force(m, state_of(m, x), force);
  update_hinges(x);
  add_bending_force(force);
}

void ShellElasticity::evaluate(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix& k, double scale) {
  for (const Membrane& m : membranes_) {
    const MembraneState state = state_of(m, x);
    add_membrane_force(m, state, force);
    const std::array<Mat3, 6> blocks = membrane_stiffness(m.triangle, moduli_, state);
    for (std::size_t pair = 0; pair < 6; ++pair) add_block(k, m.place[pair], blocks[pair] * scale);
  }
  update_hinges(x);
  add_bending_force(force);
  for (const Bend& bend : bends_) add_bending_stiffness(bend, k, scale);
}

MembraneState ShellElasticity::state_of(const Membrane& m, std::span<const Vec3> x) {
  return membrane_state(m.triangle, {x[at(m.node[0])], x[at(m.node[1])], x[at(m.node[2])]});
}

void ShellElasticity::add_membrane_force(const Membrane& m, const MembraneState& state, std::span<Vec3> force) const {
  const std::array<Vec3, 3> of_node = membrane_force(m.triangle, moduli_, state);
  for (std::size_t a = 0; a < 3; ++a) force[at(m.node[a])] += of_node[a];
}

void ShellElasticity::add_bending_force(std::span<Vec3> force) const {
  for (const Bend& bend : bends_) {
    const std::array<double, 3> moment = moments_of(bend);
    for (std::size_t i = 0; i < 3; ++i) {
      if (bend.hinge[i] < 0) continue;
      const HingeAngle& now = angles_[at(bend.hinge[i])];
      const auto& node = hinges_[at(bend.hinge[i])].node;
      for (std::size_t n = 0; n < 4; ++n) force[at(node[n])] -= now.gradient[n] * moment[i];
    }
  }
}

void ShellElasticity::add_bending_stiffness(const Bend& bend, NodalMatrix& k, double scale) const {
  // Gradients of the three angles, and of the moments, by the nodes of all.
  std::array<std::array<Vec3, 6>, 3> angle{}, moment{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (bend.hinge[i] < 0) continue;
    for (std::size_t n = 0; n < 4; ++n) {
      const Vec3& gradient = angles_[at(bend.hinge[i])].gradient[n];
      const std::size_t node = at(bend.local[i][n]);
      angle[i][node] += gradient;
      for (std::size_t j = 0; j < 3; ++j) moment[j][node] += gradient * (scale * bend.stiffness[j][i]);
    }
  }
  std::size_t pair = 0;
  for (std::size_t a = 0; a < at(bend.nodes); ++a) {
    for (std::size_t b = 0; b <= a; ++b, ++pair) {
      Mat3 block;
      for (std::size_t i = 0; i < 3; ++i) block += outer(angle[i][a], moment[i][b]);
      add_block(k, bend.place[pair], block);
    }
  }
}

}  // namespace uzawa
