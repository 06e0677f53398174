#include "uzawa/papers/dish_cases.hpp"

#include <fmt/format.h>

#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

std::vector<Case> dish_cases(const Options& options) { return dish_cases(options.cases(100, 3), 1); }

std::vector<Case> dish_cases(int count, double scale) {
  scenarios::SceneRun scene = start_scene("dish-piling");
  run_for(scene, 1.5);
  scenarios::Random random(9);
  return wrench_cases(scene, count, {scale * kDishWrenches.force, scale * kDishWrenches.moment}, random);
}

void keep_contacts(Problem& problem, double share) {
  const Problem all = problem;
  problem.clear_constraints();
  double due = 0;
  for (std::size_t i = 0; i < all.constraints.size(); ++i) {
    due += share;
    if (due < 1) continue;
    due -= 1;
    const auto contact = static_cast<std::size_t>(all.constraints[i].index);
    const auto begin = all.attachments.begin() + all.attachment_start[i],
               end = all.attachments.begin() + all.attachment_start[i + 1];
    problem.add_contact(all.contacts.cone[contact], all.contacts.e[contact], {begin, end});
  }
}

std::string dish_cases_text(const std::vector<Case>& cases) {
  const Problem& first = cases.front().problem;
  return fmt::format(
      "Scene dish-piling after 1.5 s, when bowl, bowl, plate and pot (0.1, 0.1, 0.1, 5 kg) stand still; random "
      "wrenches on each (up to {:g} N and {:g} N m a component): {} problems of {} dofs with about {} contacts.",
      kDishWrenches.force, kDishWrenches.moment, cases.size(), first.n(), first.contacts.size());
}

}  // namespace uzawa::papers
