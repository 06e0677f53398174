#include "uzawa/assembly/settings.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

std::pair<int, int> geoms_of(const PairMaterial& pair) { return std::minmax(pair.geom1, pair.geom2); }

std::string geom_name(const Model& model, int geom) {
  const int count = static_cast<int>(model.spec().geoms.size());
  if (geom < 0 || geom >= count)
    throw InputError(model.spec().source, "pair", "there is no geom " + std::to_string(geom));
  return "'" + model.spec().geoms[static_cast<std::size_t>(geom)].name + "'";
}

void check(const PairMaterial& pair, const Model& model) {
  const std::string name = "pair " + geom_name(model, pair.geom1) + ", " + geom_name(model, pair.geom2);
  const double rho = pair.restitution.value_or(0);
  if (!(rho >= 0 && rho <= 1)) throw InputError(model.spec().source, name, "restitution must be between 0 and 1");
  for (const double mu : pair.friction.value_or(std::array<double, 2>{})) {
    if (!(mu >= 0) || !std::isfinite(mu)) throw InputError(model.spec().source, name, "friction must not be negative");
  }
}

}  // namespace

void add_restitutions(const Model& model, AssemblySettings& settings) {
  if (settings.restitution == 0) settings.restitution = model.options().restitution;
  for (const ContactPairSpec& pair : model.spec().contact_pairs) {
    if (!pair.restitution) continue;
    const std::pair<int, int> geoms = std::minmax(pair.geom1, pair.geom2);
    const auto same = std::find_if(settings.pairs.begin(), settings.pairs.end(),
                                   [&](const PairMaterial& p) { return geoms_of(p) == geoms; });
    if (same == settings.pairs.end()) {
      settings.pairs.push_back({geoms.first, geoms.second, pair.restitution, std::nullopt});
    } else if (!same->restitution) {
      same->restitution = pair.restitution;
    }
  }
}

void prepare(AssemblySettings& settings, const Model& model) {
  if (!(settings.restitution >= 0 && settings.restitution <= 1)) {
    throw InputError("", "restitution", "must be between 0 and 1");
  }
  for (const PairMaterial& pair : settings.pairs) check(pair, model);
  std::stable_sort(settings.pairs.begin(), settings.pairs.end(),
                   [](const PairMaterial& a, const PairMaterial& b) { return geoms_of(a) < geoms_of(b); });
  for (std::size_t i = 1; i < settings.pairs.size(); ++i) {
    if (geoms_of(settings.pairs[i - 1]) != geoms_of(settings.pairs[i])) continue;
    const auto [low, high] = geoms_of(settings.pairs[i]);
    throw InputError(model.spec().source, "pair " + geom_name(model, low) + ", " + geom_name(model, high),
                     "is there twice");
  }
}

const PairMaterial* find_pair(const AssemblySettings& settings, int geom1, int geom2) {
  const std::pair<int, int> wanted = std::minmax(geom1, geom2);
  const auto found = std::lower_bound(settings.pairs.begin(), settings.pairs.end(), wanted,
                                      [](const PairMaterial& p, const auto& key) { return geoms_of(p) < key; });
  return found != settings.pairs.end() && geoms_of(*found) == wanted ? &*found : nullptr;
}

}  // namespace uzawa
