#include "uzawa/sim/overlaps.hpp"

#include <map>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

std::vector<Overlap> find_overlaps(const Model& model, double tolerance) {
  std::vector<Pose> poses(model.links().size());
  const State reference = model.reference_state();
  link_poses(model, reference.q, mocap_poses(model, reference), poses);
  Collider collider(model);
  collider.run(poses);
  std::map<std::pair<int, int>, Overlap> pairs;
  for (const Contact& contact : collider.contacts()) {
    if (contact.gap > -tolerance || contact.on_skin()) continue;
    int body1 = model.spec().geoms[at(contact.geom1)].body, body2 = model.spec().geoms[at(contact.geom2)].body;
    if (body1 > body2) std::swap(body1, body2);
    Overlap& overlap = pairs[{body1, body2}];
    if (-contact.gap > overlap.depth) overlap = {body1, body2, contact.geom1, contact.geom2, -contact.gap};
  }
  std::vector<Overlap> found;
  for (const auto& [bodies, overlap] : pairs) found.push_back(overlap);
  return found;
}

Model exclude_overlaps(const Model& model, const std::vector<Overlap>& overlaps) {
  ModelSpec spec = model.spec();
  for (const Overlap& overlap : overlaps) spec.contact_excludes.push_back({overlap.body1, overlap.body2});
  return Model(std::move(spec));
}

}  // namespace uzawa
