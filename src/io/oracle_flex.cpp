#include "uzawa/io/oracle_flex.hpp"

#include <algorithm>

namespace uzawa::mujoco {

#if UZAWA_MUJOCO_MODERN

void remove_flex_bending(mjModel* m) { std::fill_n(m->flex_bending, m->nflexbending, 0.0); }

std::vector<Vec3> flex_vertices(const mjModel* m, const mjData* d) {
  std::vector<Vec3> vertices;
  for (int v = 0; v < static_cast<int>(m->nflexvert); ++v) vertices.push_back(Vec3::from(d->flexvert_xpos + 3 * v));
  return vertices;
}

#else

void remove_flex_bending(mjModel* /*m*/) {}

std::vector<Vec3> flex_vertices(const mjModel* /*m*/, const mjData* /*d*/) { return {}; }

#endif

}  // namespace uzawa::mujoco
