// Stiffness of the elements of tet_elasticity.hpp.
#include "uzawa/base/at.hpp"
#include "uzawa/elastic/neo_hookean.hpp"
#include "uzawa/elastic/tet_elasticity.hpp"

namespace uzawa {

namespace {

using T = WideLanes;

/// Adds one 3x3 block a lane, row by row.
void add_blocks(NodalMatrix& k, const std::array<int, kWide>& place, int count, const std::array<T, 9>& added) {
  for (int i = 0; i < count; ++i) {
    if (place[at(i)] < 0) continue;
    double* block = k.block(at(place[at(i)]));
    for (std::size_t n = 0; n < 9; ++n) block[n] += added[n][i];
  }
}

}  // namespace

/// With turned gradients g: K_ab = V (mu (g_a . g_b) 1 + mu g_b g_a^T + lambda g_a g_b^T).
void TetElasticity::add_corotational_stiffness(const Group& group, const Deformation& d, NodalMatrix& k,
                                               double scale) const {
  std::array<Vec3Wide, 4> turned;
  for (std::size_t a = 0; a < 4; ++a) turned[a] = d.rotation * group.gradient[a];
  const T mu = group.volume * (mu_ * scale), lambda = group.volume * (lambda_ * scale);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3Wide with_mu = turned[a] * mu, with_lambda = turned[a] * lambda;
    for (std::size_t b = 0; b <= a; ++b, ++pair) {
      const Vec3Wide& g = turned[b];
      const Vec3Wide &m = with_mu, &l = with_lambda;
      const T isotropic = dot(m, g);
      add_blocks(k, group.place[pair], group.count,
                 {isotropic + g.x * m.x + l.x * g.x, g.x * m.y + l.x * g.y, g.x * m.z + l.x * g.z,
                  g.y * m.x + l.y * g.x, isotropic + g.y * m.y + l.y * g.y, g.y * m.z + l.y * g.z,
                  g.z * m.x + l.z * g.x, g.z * m.y + l.z * g.y, isotropic + g.z * m.z + l.z * g.z});
    }
  }
}

void TetElasticity::add_neo_hookean_stiffness(const Group& group, const Deformation& d, const WideLanes& shared,
                                              NodalMatrix& k, double scale) const {
  const T over = 1.0 / (squares(d.f) + 1.0);
  const NeoHookeanCurvature curvature = neo_hookean_curvature(d.f, d.rotation,
                                                              {.stretch = mu_ - mu_ * over,
                                                               .stretch_slope = 2 * mu_ * over * over,
                                                               .pressure = lambda_ * d.dilatation + shared - 0.75 * mu_,
                                                               .pressure_slope = broadcast_wide(lambda_)});
  std::array<Vec3Wide, 4> turned;
  for (std::size_t a = 0; a < 4; ++a) turned[a] = transpose_times(curvature.right, group.gradient[a]);
  const T volume = group.volume * scale;
  std::size_t pair = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3Wide weighted = turned[a] * volume;
    for (std::size_t b = 0; b <= a; ++b, ++pair) {
      const auto [x, y, z] = neo_hookean_block(curvature, weighted, turned[b]);
      add_blocks(k, group.place[pair], group.count, {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z});
    }
  }
}

void TetElasticity::add_dilatation_stiffness(NodalMatrix& k, double scale) {
  dilatation_.clear_gradients();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    std::array<Vec3Wide, 4> rate;
    for (std::size_t a = 0; a < 4; ++a) rate[a] = deformations_[g].volume_rate * (group.gradient[a] * group.volume);
    for (int i = 0; i < group.count; ++i) {
      dilatation_.add_gradient(g * kWide + at(i), {rate[0].lane(i), rate[1].lane(i), rate[2].lane(i), rate[3].lane(i)});
    }
  }
  dilatation_.add_stiffness(k, scale * kappa_);
}

}  // namespace uzawa
