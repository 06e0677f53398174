#include "uzawa/scenarios/catalog.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace uzawa::scenarios {

namespace {

/// Letters to change, add or leave out (Levenshtein).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const Description> scenes() {
  static const std::array list = {box_stack(),        heavy_on_light(), push_box(),          pinch(),
                                  card_house(),       sphere_pile(),    quadruped_drop(),    newton_cradle(),
                                  spinning_coin(),    bolt_nut(),       bolt_nut_assembly(), dish_piling(),
                                  dish_piling_robot()};
  return list;
}

const Description* find_scene(std::string_view name) {
  const std::span<const Description> all = scenes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Description& scene) { return scene.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string_view nearest_scene(std::string_view name) {
  const std::span<const Description> all = scenes();
  return std::min_element(
             all.begin(), all.end(),
             [&](const Description& a, const Description& b) { return edits(name, a.name) < edits(name, b.name); })
      ->name;
}

}  // namespace uzawa::scenarios
