#pragma once

#include <functional>
#include <string>
#include <vector>

#include "uzawa/io/mujoco_compat.hpp"

namespace uzawa::mujoco {

/// Collects the elements with a property into one phrase: "muscle actuators (biceps, triceps, ...)".
class Survey {
 public:
  explicit Survey(const mjModel* m) : m_(m) {}

  void list(std::vector<std::string>& into, const std::string& what, int type, int count,
            const std::function<bool(int)>& has) const;

 private:
  const mjModel* m_;
};

/// What a model asks for and gets otherwise than in MuJoCo, or not at all, and still runs.
void survey_harmless(const mjModel* m, const Survey& survey, std::vector<std::string>& warnings);

}  // namespace uzawa::mujoco
