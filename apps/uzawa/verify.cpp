#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "verification.hpp"

namespace uzawa::cli {

namespace {

/// Two correct implementations differ by rounding, 1e-12 or so; a wrong formula by far more than this.
constexpr double kTolerance = 1e-9;

}  // namespace

int verify(const VerifyArguments& arguments) {
  const LoadedModel loaded = load_model(arguments.model, arguments.load);
  MujocoOracle oracle(arguments.model, arguments.load);
  const Differences found = compare(loaded.model, oracle, arguments.states, arguments.seed);
  const bool passed = found.worst() <= kTolerance;
  if (arguments.json) {
    const nlohmann::json out = {{"model", arguments.model.string()},
                                {"mujoco", mujoco_version()},
                                {"states", arguments.states},
                                {"seed", arguments.seed},
                                {"tolerance", kTolerance},
                                {"pose", found.pose},
                                {"mass_matrix", found.mass},
                                {"bias_force", found.bias},
                                {"passive_force", found.passive},
                                {"actuator_force", found.actuator},
                                {"activation_rate", found.activation},
                                {"passed", passed}};
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}: largest relative difference from MuJoCo {} over {} random states\n", arguments.model.string(),
               mujoco_version(), arguments.states);
    for (const auto& [name, value] : {std::pair{"link poses", found.pose},
                                      {"mass matrix", found.mass},
                                      {"bias force", found.bias},
                                      {"passive force", found.passive},
                                      {"actuator force", found.actuator},
                                      {"activation rate", found.activation}}) {
      fmt::print("  {:<16} {:.2e}{}\n", name, value, value <= kTolerance ? "" : "  <-- above 1e-9");
    }
    for (const std::string& warning : loaded.warnings) fmt::print("  note: {}\n", warning);
    fmt::print("  {}\n", passed ? "agrees" : "DIFFERS");
  }
  return passed ? kOk : kFailed;
}

}  // namespace uzawa::cli
