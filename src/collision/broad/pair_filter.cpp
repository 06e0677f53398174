#include "uzawa/collision/broad/pair_filter.hpp"

#include <algorithm>

namespace uzawa {

namespace {

PairKey ordered_key(int a, int b) { return pair_key(std::min(a, b), std::max(a, b)); }

}  // namespace

PairFilter::PairFilter(const Model& model) : filter_parent_(model.options().filter_parent) {
  const ModelSpec& spec = model.spec();
  std::vector<char> body_excluded(spec.bodies.size(), 0);
  for (const ContactExcludeSpec& exclude : spec.contact_excludes) {
    excluded_bodies_.push_back(ordered_key(exclude.body1, exclude.body2));
    body_excluded[static_cast<std::size_t>(exclude.body1)] = body_excluded[static_cast<std::size_t>(exclude.body2)] = 1;
  }
  int skin_link = -1;  // one of its own for each skin, as if nothing else were on it
  for (const GeomSpec& geom : spec.geoms) {
    if (geom.shape == ShapeType::Skin) {
      geoms_.push_back({geom.contact_type, geom.contact_affinity, --skin_link, -1, -1, false, false,
                        geom.contact_type != 0 || geom.contact_affinity != 0});
      continue;
    }
    const int link = model.body_link(geom.body);
    const int parent = link < 0 ? -1 : model.links()[static_cast<std::size_t>(link)].parent;
    const bool still = link < 0 || model.topology()->last_dof(link) < 0;
    const bool excluded = body_excluded[static_cast<std::size_t>(geom.body)] != 0;
    geoms_.push_back({geom.contact_type, geom.contact_affinity, link, parent, geom.body, still, excluded,
                      geom.contact_type != 0 || geom.contact_affinity != 0});
  }
  for (const ContactPairSpec& pair : spec.contact_pairs) {
    explicit_pairs_.push_back(ordered_key(pair.geom1, pair.geom2));
    for (const int geom : {pair.geom1, pair.geom2}) {
      geoms_[static_cast<std::size_t>(geom)].special = geoms_[static_cast<std::size_t>(geom)].takes_part = true;
    }
  }
  std::sort(excluded_bodies_.begin(), excluded_bodies_.end());
  std::sort(explicit_pairs_.begin(), explicit_pairs_.end());
}

bool PairFilter::listed(int geom1, int geom2, int body1, int body2) const {
  return std::binary_search(excluded_bodies_.begin(), excluded_bodies_.end(), ordered_key(body1, body2)) ||
         std::binary_search(explicit_pairs_.begin(), explicit_pairs_.end(), ordered_key(geom1, geom2));
}

}  // namespace uzawa
