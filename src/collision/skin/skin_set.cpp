#include "uzawa/collision/skin/skin_set.hpp"

#include <algorithm>

namespace uzawa {

namespace {

/// SkinPair::barred.
std::vector<char> barred_vertices(const Model& model, const SkinShape& skin, int rigid_geom, bool with_excludes) {
  const ModelSpec& spec = model.spec();
  const int body = spec.geoms[at(rigid_geom)].body, link = model.geom_link(rigid_geom);
  std::vector<char> excluded(spec.bodies.size(), 0);
  for (const ContactExcludeSpec& exclude : spec.contact_excludes) {
    if (!with_excludes) break;
    if (exclude.body1 == body) excluded[at(exclude.body2)] = 1;
    if (exclude.body2 == body) excluded[at(exclude.body1)] = 1;
  }
  std::vector<char> barred(skin.link.size(), 0);
  for (std::size_t v = 0; v < barred.size(); ++v) {
    barred[v] = skin.link[v] == link || excluded[at(skin.body[v])] != 0 ? 1 : 0;
  }
  if (std::find(barred.begin(), barred.end(), 1) == barred.end()) barred.clear();
  return barred;
}

}  // namespace

void SkinSet::add(const Model& model, int geom) {
  skin_of_geom_.resize(model.spec().geoms.size(), -1);
  skin_of_geom_[at(geom)] = static_cast<int>(skins_.size());
  skins_.emplace_back(model, geom);
}

int SkinSet::skin_of(int geom) const { return skin_of_geom_.empty() ? -1 : skin_of_geom_[at(geom)]; }

void SkinSet::add_pair(const Model& model, const Geoms& geoms) {
  SkinPair pair;
  pair.geom1 = geoms.geom1;
  pair.geom2 = geoms.geom2;
  pair.explicit_pair = geoms.explicit_pair;
  pair.margin = geoms.margin;
  const int first = skin_of(geoms.geom1), second = skin_of(geoms.geom2);
  pair.skin_is_first = first >= 0;
  pair.skin = first >= 0 ? first : second;
  pair.other_skin = first >= 0 ? second : -1;
  if (pair.other_skin < 0) {
    pair.rigid_link = model.geom_link(pair.rigid_geom());
    pair.barred = barred_vertices(model, skins_[at(pair.skin)], pair.rigid_geom(), pair.explicit_pair < 0);
  }
  pairs_.push_back(std::move(pair));
}

void SkinSet::sort_pairs() {
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [](const SkinPair& a, const SkinPair& b) { return a.key() < b.key(); });
}

}  // namespace uzawa
