#include "uzawa/papers/dish_cases.hpp"

#include <fmt/format.h>

#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

std::vector<Case> dish_cases(const Options& options) {
  scenarios::SceneRun scene = start_scene("dish-piling");
  run_for(scene, 1.5);
  scenarios::Random random(9);
  return wrench_cases(scene, options.cases(100, 3), kDishWrenches, random);
}

std::string dish_cases_text(const std::vector<Case>& cases) {
  const Problem& first = cases.front().problem;
  return fmt::format(
      "Scene dish-piling after 1.5 s, when bowl, bowl, plate and pot (0.1, 0.1, 0.1, 5 kg) stand still; random "
      "wrenches on each (up to {:g} N and {:g} N m a component): {} problems of {} dofs with about {} contacts.",
      kDishWrenches.force, kDishWrenches.moment, cases.size(), first.n(), first.contacts.size());
}

}  // namespace uzawa::papers
