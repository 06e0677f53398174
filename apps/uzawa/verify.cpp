#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "elastic_verification.hpp"
#include "mesh_model.hpp"
#include "uzawa/base/error.hpp"
#include "verification.hpp"

namespace uzawa::cli {

namespace {

/// Two correct implementations differ by rounding, 1e-12 or so; a wrong formula by far more than this.
constexpr double kTolerance = 1e-9;
/// Elastic laws that differ by terms of second order in the strain agree to about kCompareStrain.
constexpr double kElasticTolerance = 10 * kCompareStrain;

}  // namespace

int verify(const VerifyArguments& arguments) {
  if (is_tet_file(arguments.model)) {
    throw InputError(arguments.model.string(), "", "is a mesh, not a model: MuJoCo has nothing to compare it with");
  }
  const LoadedModel loaded = load_model(arguments.model, arguments.load);
  MujocoOracle oracle(arguments.model, arguments.load);
  const Differences found = compare(loaded.model, oracle, arguments.states, arguments.seed);
  const bool soft = !loaded.model.spec().soft_bodies.empty();
  const FlexDifferences flexes =
      soft ? compare_flexes(loaded.model, arguments.model, arguments.load, arguments.states, arguments.seed)
           : FlexDifferences{};
  const bool passed = found.worst() <= kTolerance && flexes.vertices <= kTolerance && flexes.force <= kElasticTolerance;
  if (arguments.json) {
    nlohmann::json out = {{"model", arguments.model.string()},
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
                          {"tendon_length", found.tendon},
                          {"sensors", found.sensors},
                          {"passed", passed}};
    if (soft) {
      out["soft_vertices"] = flexes.vertices;
      out["elastic_force"] = flexes.force;
      out["elastic_tolerance"] = kElasticTolerance;
    }
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}: largest relative difference from MuJoCo {} over {} random states\n", arguments.model.string(),
               mujoco_version(), arguments.states);
    for (const auto& [name, value] : {std::pair{"link poses", found.pose},
                                      {"mass matrix", found.mass},
                                      {"bias force", found.bias},
                                      {"passive force", found.passive},
                                      {"actuator force", found.actuator},
                                      {"activation rate", found.activation},
                                      {"tendon length", found.tendon},
                                      {"sensors", found.sensors}}) {
      fmt::print("  {:<16} {:.2e}{}\n", name, value, value <= kTolerance ? "" : "  <-- above 1e-9");
    }
    if (soft) {
      fmt::print("  {:<16} {:.2e}{}\n", "soft vertices", flexes.vertices,
                 flexes.vertices <= kTolerance ? "" : "  <-- above 1e-9");
      fmt::print("  {:<16} {:.2e} at a strain of {:g}, bending left out{}\n", "elastic force", flexes.force,
                 kCompareStrain, flexes.force <= kElasticTolerance ? "" : "  <-- above 1e-3");
    }
    for (const std::string& warning : loaded.warnings) fmt::print("  note: {}\n", warning);
    fmt::print("  {}\n", passed ? "agrees" : "DIFFERS");
  }
  return passed ? kOk : kFailed;
}

}  // namespace uzawa::cli
