#include "mujoco_referee.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa::bench {

void Referee::look_at_state(const mjData* d) {
  State state = world_.state();
  std::copy_n(d->qpos, state.q.size(), state.q.begin());
  std::copy_n(d->qvel, state.v.size(), state.v.begin());
  std::copy_n(d->act, state.activation.size(), state.activation.begin());
  world_.set_state(state);
  world_.step(control_);
}

double Referee::residual(const ModelPair& pair) {
  if (!collect_impulses(pair)) return NAN;
  prepared_.prepare(world_.problem());
  return judge_.evaluate(prepared_, lambda_).residual;
}

bool Referee::collect_impulses(const ModelPair& pair) {
  const mjModel* m = pair.theirs.get();
  const mjData* d = pair.their_data.get();
  const Problem& problem = world_.problem();
  const std::span<const Contact> contacts = world_.contacts();
  lambda_.assign(static_cast<std::size_t>(problem.rows), 0.0);
  if (problem.contacts.size() != static_cast<int>(problem.constraints.size())) return false;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& theirs = d->contact[i];
    mjtNum force[6];
    mj_contactForce(m, d, i, force);
    if (force[0] == 0) continue;
    Vec3 push;  // on the second geom, world axes
    for (int axis = 0; axis < 3; ++axis) push += Vec3::from(theirs.frame + 3 * axis) * force[axis];
    const bool of_flex = theirs.geom[0] < 0 || theirs.geom[1] < 0;
    std::size_t nearest = contacts.size();
    double least = 1e300;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const Contact& c = contacts[k];
      if (!of_flex &&
          (c.geom1 != std::min(theirs.geom[0], theirs.geom[1]) || c.geom2 != std::max(theirs.geom[0], theirs.geom[1])))
        continue;
      const Vec3 apart = c.position - Vec3::from(theirs.pos);
      if (dot(apart, apart) < least) least = dot(apart, apart), nearest = k;
    }
    if (nearest == contacts.size()) return false;
    // A flex has no number among the geoms: the order of the two is told by the normals.
    const bool swapped =
        of_flex ? dot(contacts[nearest].normal, Vec3::from(theirs.frame)) < 0 : theirs.geom[0] > theirs.geom[1];
    if (swapped) push = push * -1;
    const Vec3 local = transpose_times(contact_frame(contacts[nearest].normal), push) * world_.dt();
    double* out = &lambda_[static_cast<std::size_t>(problem.contacts.row[nearest])];
    (Vec3::from(out) + local).store(out);
  }
  return true;
}

}  // namespace uzawa::bench
