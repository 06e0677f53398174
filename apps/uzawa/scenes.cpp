#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::cli {

namespace {

nlohmann::json to_json(const scenarios::Description& scene) {
  nlohmann::json parameters = nlohmann::json::array();
  for (const scenarios::Parameter& p : scene.parameters) {
    parameters.push_back({{"name", p.name},
                          {"default", p.value},
                          {"least", p.least},
                          {"most", p.most},
                          {"whole", p.whole},
                          {"about", p.about}});
  }
  return {{"name", scene.name},         {"summary", scene.summary},       {"dt", scene.dt},
          {"duration", scene.duration}, {"check_time", scene.check_time}, {"parameters", std::move(parameters)}};
}

}  // namespace

int list_scenes(const ScenesArguments& arguments) {
  if (arguments.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const scenarios::Description& scene : scenarios::scenes()) all.push_back(to_json(scene));
    fmt::print("{}\n", all.dump(1));
    return kOk;
  }
  for (const scenarios::Description& scene : scenarios::scenes()) {
    fmt::print("{:<18} {}\n", scene.name, scene.summary);
    if (!arguments.parameters) continue;
    fmt::print("    {:g} s in steps of {:g} s\n", scene.duration, scene.dt);
    for (const scenarios::Parameter& p : scene.parameters)
      fmt::print("    {:<12} {:<8g} {}\n", p.name, p.value, p.about);
  }
  return kOk;
}

}  // namespace uzawa::cli
