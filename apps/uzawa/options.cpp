#include "options.hpp"

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace uzawa::cli {

void add_load_options(CLI::App* command, ModelArguments& arguments) {
  command->add_option("--package", arguments.packages, "URDF: NAME=FOLDER, where package://NAME/ is found")
      ->type_name("NAME=FOLDER");
  command->add_flag("--free-base", arguments.load.free_base, "URDF: give the root link a free joint");
  command->add_flag("--exclude-overlaps", arguments.exclude_overlaps,
                    "no contacts between bodies that overlap at the reference configuration (`uzawa info` lists them)");
}

CLI::Validator finite_number() {
  return {[](const std::string& text) {
            double value = 0;
            const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value >= 0;
            return good ? std::string() : "must be a finite number, not negative: " + text;
          },
          "NUMBER"};
}

void add_physics_options(CLI::App* command, RunArguments& arguments) {
  SimSettings& settings = arguments.settings;
  command->add_option("--dt", arguments.dt, "time step in seconds; default: that of the scene or model")
      ->check(CLI::PositiveNumber & finite_number());
  command->add_option("--theta", settings.theta, "0: semi-implicit Euler; 0.5: midpoint")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.99));
  command
      ->add_option("--smooth", settings.smooth, "integration of smooth forces: theta, or rk4 (rigid models, theta 0)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, SmoothRule>{{"theta", SmoothRule::Theta}, {"rk4", SmoothRule::Rk4}}))
      ->default_str("theta");
  command->add_option("--restitution", arguments.restitution, "of all contacts; default: the scene's own, 0 for a file")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--seed", arguments.seed, "of what is random in a scene")->capture_default_str();
  command->add_option("--set", arguments.assignments, "NAME=VALUE, a parameter of the scene; may be repeated")
      ->type_name("NAME=VALUE");
  command->add_option("--keyframe", arguments.keyframe,
                      "of a file: name or number of the keyframe to start from; none: the reference configuration");
  command->add_option(
      "--controls", arguments.controls,
      "of a file: controls over time; CSV with a column `time` and one for each actuator by its name, or "
      "HDF5 such as a log; each row holds until the next");
}

void add_solver_options(CLI::App* command, RunArguments& arguments) {
  SimSettings& settings = arguments.settings;
  command->add_option("--solver", settings.solver, "auto, or a method; `uzawa solvers` lists them")
      ->capture_default_str();
  command->add_option("--tol", settings.solve.tolerance, "tolerance of the residual")
      ->capture_default_str()
      ->check(CLI::PositiveNumber & finite_number());
  command->add_option("--max-iterations", settings.solve.max_iterations, "of the solver; 0: the method's default")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--work", settings.work,
                   "work of a solve at the most, in Newton steps: the same on all machines; 0: no limit")
      ->capture_default_str()
      ->check(finite_number());
  command->add_option("--budget-us", settings.budget_us, "microseconds a step at the most; 0: no limit")
      ->capture_default_str()
      ->check(finite_number());
  command
      ->add_option("--solver-budget-us", settings.solve.budget_us, "microseconds of a step for the solver; 0: no limit")
      ->capture_default_str()
      ->check(finite_number());
  command->add_option("--threads", settings.solve.threads, "threads; the motion is the same for any number")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
}

void add_record_options(CLI::App* command, RunArguments& arguments) {
  command->add_option("--log", arguments.log, "HDF5 file to write (docs/log-format.md)");
  command->add_option("--html", arguments.html, "replay to write: one page that opens in any browser");
  CLI::Option* every = command->add_option("--log-every", arguments.log_every, "log every n-th step")
                           ->capture_default_str()
                           ->check(CLI::Range(1, 1000000000));
  command->add_option("--log-fps", arguments.log_rate, "log about so many frames a simulated second")
      ->excludes(every)
      ->check(CLI::PositiveNumber & finite_number());
  using StepAndFile = std::pair<int, std::string>;
  command
      ->add_option_function<StepAndFile>(
          "--dump-problem",
          [&arguments](const StepAndFile& given) {
            std::tie(arguments.dump_step, arguments.dump) = given;
            if (arguments.dump_step < 1)
              throw CLI::ValidationError("--dump-problem",
                                         "steps are counted from 1 on, not " + std::to_string(given.first));
          },
          "number of a step, from 1 on, and the file for its contact problem, which `uzawa solve` takes "
          "(docs/problem-format.md)")
      ->type_name("STEP FILE");
}

}  // namespace uzawa::cli
