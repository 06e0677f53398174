#include "uzawa/elastic/tet_elasticity.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/elastic/nodal_place.hpp"
#include "uzawa/elastic/polar.hpp"

namespace uzawa {

namespace {

using T = WideLanes;

struct TetShape {
  double volume = 0;  ///< negative if inverted
  std::array<Vec3, 4> gradient;
};

TetShape shape_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ab = b - a, ac = c - a, ad = d - a, normal = cross(ac, ad);
  const double six = dot(ab, normal);
  TetShape out{six / 6, {}};
  out.gradient[1] = normal * (1 / six);
  out.gradient[2] = cross(ad, ab) * (1 / six);
  out.gradient[3] = cross(ab, ac) * (1 / six);
  out.gradient[0] = -(out.gradient[1] + out.gradient[2] + out.gradient[3]);
  return out;
}

void check_tets(std::span<const Vec3> rest, std::span<const std::array<int, 4>> tets) {
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const std::string element = "tetrahedron " + std::to_string(e);
    for (const int node : tets[e]) {
      if (node < 0 || at(node) >= rest.size()) {
        throw InputError("soft body", element, "names node " + std::to_string(node) + ", which does not exist");
      }
    }
    const auto [a, b, c, d] = tets[e];
    double longest = 0;
    for (const auto& [i, j] : {std::pair{a, b}, {a, c}, {a, d}, {b, c}, {b, d}, {c, d}}) {
      longest = std::max(longest, norm(rest[at(i)] - rest[at(j)]));
    }
    const double volume = shape_of(rest[at(a)], rest[at(b)], rest[at(c)], rest[at(d)]).volume;
    if (!(std::abs(volume) > 1e-9 * longest * longest * longest)) throw InputError("soft body", element, "is flat");
    if (volume < 0) throw InputError("soft body", element, "is inverted: its nodes are in the wrong order");
  }
}

Mat3Wide cofactor(const Mat3Wide& f) {
  Mat3Wide out;
  for (int j = 0; j < 3; ++j) out.col[j] = cross(f.col[(j + 1) % 3], f.col[(j + 2) % 3]);
  return out;
}

}  // namespace

TetElasticity::TetElasticity(std::span<const Vec3> rest, std::span<const std::array<int, 4>> tets,
                             const SoftMaterial& material)
    : law_(material.law),
      averaged_(material.averaged_dilatation),
      rest_(rest.begin(), rest.end()),
      tets_(tets.begin(), tets.end()) {
  check_material(material);
  check_tets(rest, tets);
  const double bulk = lame_lambda(material) + 2 * lame_mu(material) / 3;
  mu_ = lame_mu(material);
  lambda_ = lame_lambda(material);
  if (law_ == SolidLaw::NeoHookean) {
    lambda_ += 5 * mu_ / 6;
    mu_ *= 4.0 / 3;
  }
  const std::vector<int> in_order(rest.size(), 0);
  build_groups(in_order, nullptr);
  if (!averaged_) return;
  kappa_ = bulk;
  lambda_ -= bulk;
  std::vector<double> volumes(tets.size());
  for (std::size_t e = 0; e < tets.size(); ++e) volumes[e] = groups_[e / kWide].volume[e % kWide];
  dilatation_ = NodalDilatation(static_cast<int>(rest.size()), tets, volumes);
  deformations_.resize(groups_.size());
  tet_dilatation_.resize(tets.size());
}

std::vector<std::pair<int, int>> TetElasticity::couples() const {
  if (averaged_) return dilatation_.couples();
  std::vector<std::pair<int, int>> out;
  for (const auto& tet : tets_) {
    for (const int i : tet) {
      for (const int j : tet) {
        if (i >= j) out.emplace_back(i, j);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void TetElasticity::place(std::span<const int> node_of, const NodalPattern& pattern) {
  check_places(node_of, pattern);
  build_groups(node_of, &pattern);
  if (averaged_) dilatation_.place(tets_, node_of, pattern);
}

void TetElasticity::build_groups(std::span<const int> node_of, const NodalPattern* pattern) {
  // In the order of the system, so that every block is one of its lower triangle.
  for (auto& tet : tets_) {
    std::stable_sort(tet.begin(), tet.end(), [&](int i, int j) { return node_of[at(i)] < node_of[at(j)]; });
  }
  groups_.assign((tets_.size() + kWide - 1) / kWide, Group{});
  for (std::size_t e = 0; e < groups_.size() * kWide; ++e) {
    Group& group = groups_[e / kWide];
    const int lane = static_cast<int>(e % kWide);
    const auto& tet = tets_[std::min(e, tets_.size() - 1)];
    const TetShape shape = shape_of(rest_[at(tet[0])], rest_[at(tet[1])], rest_[at(tet[2])], rest_[at(tet[3])]);
    group.volume[lane] = e < tets_.size() ? std::abs(shape.volume) : 0;
    group.count += e < tets_.size() ? 1 : 0;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      group.node[a][at(lane)] = tet[a];
      group.gradient[a].set_lane(lane, shape.gradient[a]);
      for (std::size_t b = 0; b <= a; ++b, ++pair) {
        const bool placed = pattern && node_of[at(tet[b])] >= 0;
        group.place[pair][at(lane)] =
            placed ? static_cast<int>(pattern->place(node_of[at(tet[a])], node_of[at(tet[b])])) : -1;
      }
    }
  }
}

TetElasticity::Deformation TetElasticity::deform(const Group& group, std::span<const Vec3> x,
                                                 bool for_stiffness) const {
  Deformation out;
  const auto corner = [&](std::size_t a) {
    return gather_wide([&](int i) -> const Vec3& { return x[at(group.node[a][at(i)])]; });
  };
  const Vec3Wide origin = corner(0);
  for (std::size_t a = 1; a < 4; ++a) {
    const Vec3Wide edge = corner(a) - origin, &g = group.gradient[a];
    out.f.col[0] += edge * g.x, out.f.col[1] += edge * g.y, out.f.col[2] += edge * g.z;
  }
  const bool corotational = law_ == SolidLaw::Corotational;
  if (corotational || for_stiffness) out.rotation = nearest_rotation(out.f);
  out.volume_rate = corotational ? out.rotation : cofactor(out.f);
  if (corotational) {
    out.dilatation = broadcast_wide(-3);
    for (int j = 0; j < 3; ++j) out.dilatation += dot(out.rotation.col[j], out.f.col[j]);
  } else {
    out.dilatation = dot(out.f.col[0], out.volume_rate.col[0]) - 1.0;
  }
  return out;
}

void TetElasticity::average(std::span<const Vec3> x, bool for_stiffness) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    deformations_[g] = deform(groups_[g], x, for_stiffness);
    for (int i = 0; i < groups_[g].count; ++i) tet_dilatation_[g * kWide + at(i)] = deformations_[g].dilatation[i];
  }
  dilatation_.average(tets_, tet_dilatation_);
}

WideLanes TetElasticity::mean_dilatation(std::size_t g) const {
  T out{};
  for (int i = 0; i < groups_[g].count; ++i) out[i] = dilatation_.mean(tets_[g * kWide + at(i)]);
  return out;
}

double TetElasticity::energy(std::span<const Vec3> x) {
  if (averaged_) average(x, false);
  double out = averaged_ ? kappa_ * dilatation_.energy() : 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Deformation d = averaged_ ? deformations_[g] : deform(groups_[g], x, false);
    T density = 0.5 * lambda_ * d.dilatation * d.dilatation;
    if (law_ == SolidLaw::Corotational) {
      for (int j = 0; j < 3; ++j) {
        const Vec3Wide strain = d.f.col[j] - d.rotation.col[j];
        density += mu_ * dot(strain, strain);
      }
    } else {
      const T trace = squares(d.f);
      density += mu_ * (0.5 * (trace - 3.0) - 0.75 * d.dilatation);
      for (int i = 0; i < kWide; ++i) density[i] -= 0.5 * mu_ * std::log1p((trace[i] - 3) / 4);
    }
    for (int i = 0; i < groups_[g].count; ++i) out += groups_[g].volume[i] * density[i];
  }
  return out;
}

void TetElasticity::add_force(std::span<const Vec3> x, std::span<Vec3> force) { add_forces(x, force, nullptr, 0); }

void TetElasticity::evaluate(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix& k, double scale) {
  add_forces(x, force, &k, scale);
  if (averaged_) add_dilatation_stiffness(k, scale);
}

void TetElasticity::add_forces(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix* k, double scale) {
  if (averaged_) average(x, k != nullptr);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Deformation d = averaged_ ? deformations_[g] : deform(group, x, k != nullptr);
    const T shared = averaged_ ? kappa_ * mean_dilatation(g) : T{};
    const Mat3Wide pull = stress(d, shared);
    std::array<Vec3Wide, 4> of_node;
    for (std::size_t a = 1; a < 4; ++a) {
      of_node[a] = pull * (group.gradient[a] * group.volume);
      of_node[0] -= of_node[a];
    }
    for (std::size_t a = 0; a < 4; ++a) {
      for (int i = 0; i < group.count; ++i) force[at(group.node[a][at(i)])] -= of_node[a].lane(i);
    }
    if (!k) continue;
    if (law_ == SolidLaw::Corotational) {
      add_corotational_stiffness(group, d, *k, scale);
    } else {
      add_neo_hookean_stiffness(group, d, shared, *k, scale);
    }
  }
}

/// First Piola-Kirchhoff stress; `shared` is what the nodes' averages add to dpsi/dd.
Mat3Wide TetElasticity::stress(const Deformation& d, const WideLanes& shared) const {
  T pressure = lambda_ * d.dilatation + shared, stretch;
  if (law_ == SolidLaw::Corotational) {
    pressure -= 2 * mu_;  // of mu |F - R|^2
    stretch = broadcast_wide(2 * mu_);
  } else {
    pressure -= 0.75 * mu_;
    stretch = mu_ - mu_ / (squares(d.f) + 1.0);
  }
  Mat3Wide out;
  for (int j = 0; j < 3; ++j) out.col[j] = d.f.col[j] * stretch + d.volume_rate.col[j] * pressure;
  return out;
}

}  // namespace uzawa
