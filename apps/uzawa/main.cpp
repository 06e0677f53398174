#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "suggestions.hpp"
#include "terminal.hpp"
#include "uzawa/base/error.hpp"

namespace {

using uzawa::cli::add_load_options;
using uzawa::cli::add_physics_options;
using uzawa::cli::add_solver_options;
using uzawa::cli::finite_number;
using uzawa::cli::ModelArguments;

void add_model_options(CLI::App* command, ModelArguments& arguments) {
  command->add_option("model", arguments.model, "MJCF (.xml) or URDF (.urdf) file")->required();
  add_load_options(command, arguments);
  command->add_flag("--json", arguments.json, "print JSON instead of text");
}

void resolve_packages(ModelArguments& arguments) {
  for (const std::string& entry : arguments.packages) {
    const std::size_t split = entry.find('=');
    if (split == std::string::npos) throw uzawa::InputError("", "--package " + entry, "should read NAME=FOLDER");
    arguments.load.packages[entry.substr(0, split)] = entry.substr(split + 1);
  }
}

/// A subcommand adds its options and says what to run; `action` is called after the parse.
using Action = std::function<int()>;

template <typename Arguments>
void set_action(CLI::App* command, Action& action, const std::shared_ptr<Arguments>& arguments,
                int (*run)(const Arguments&)) {
  command->callback([=, &action] {
    action = [=] {
      if constexpr (std::is_base_of_v<ModelArguments, Arguments>) resolve_packages(*arguments);
      return run(*arguments);
    };
  });
}

void add_info(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ModelArguments>();
  CLI::App* command = app.add_subcommand("info", "What a model holds: sizes, masses, joints, what is unsupported");
  add_model_options(command, *arguments);
  set_action(command, action, arguments, uzawa::cli::info);
}

void add_verify(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::VerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "Compares our dynamics of a model with MuJoCo's at random states; exit code 1 above 1e-9");
  add_model_options(command, *arguments);
  command->add_option("--states", arguments->states, "number of random states")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command->add_option("--seed", arguments->seed, "seed of the random states")->capture_default_str();
  set_action(command, action, arguments, uzawa::cli::verify);
}

void add_run(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::RunArguments>();
  CLI::App* command = app.add_subcommand(
      "run",
      "Simulates a named scene and checks it, or a model from its first keyframe under that keyframe's controls.\n"
      "Exit code 1: a step failed, the run was stopped or the scene's check does not hold; 130: ended by Ctrl-C (table "
      "and log are "
      "complete).");
  add_model_options(command, *arguments);
  command->get_option("model")->description("name of a scene (`uzawa scenes` lists them), MJCF (.xml) or URDF file");
  command->add_option("--time", arguments->duration, "seconds to simulate; default: the scene's own, 1 for a file")
      ->check(finite_number());
  add_physics_options(command, *arguments);
  add_solver_options(command, *arguments);
  uzawa::cli::add_record_options(command, *arguments);
  command
      ->add_option("--stop-on-gain", arguments->settings.most_gain,
                   "J; ends the run, with exit code 1, where energy grows by more than that without a cause")
      ->check(finite_number());
  set_action(command, action, arguments, uzawa::cli::run);
}

void add_replay(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::ReplayArguments>();
  CLI::App* command =
      app.add_subcommand("replay", "Makes a page of a log that plays the run in a browser, or of two side by side");
  command->add_option("log", arguments->log, "HDF5 file that `uzawa run --log` wrote")->required();
  command->add_option("second", arguments->second, "another one, shown beside the first on the same clock");
  command->add_option("--html", arguments->html, "page to write")->required();
  add_load_options(command, *arguments);
  command->add_option("--model", arguments->model, "file of the model; default: what the log names");
  set_action(command, action, arguments, uzawa::cli::replay);
}

void add_view(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::ViewArguments>();
  CLI::App* command =
      app.add_subcommand("view",
                         "Runs a scene or a model live in the browser: look, pause, step, change the solver, pull at "
                         "bodies.\nIt runs while somebody looks; Ctrl-C ends it.");
  command
      ->add_option("model", arguments->model, "name of a scene (`uzawa scenes` lists them), MJCF (.xml) or URDF file")
      ->required();
  add_load_options(command, *arguments);
  add_physics_options(command, *arguments);
  add_solver_options(command, *arguments);
  command->add_option("--port", arguments->port, "0: any that is free")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--host", arguments->host,
                   "address to listen at; 0.0.0.0: all networks, where anybody may then steer the simulation")
      ->capture_default_str();
  command->add_option(
      "--name", arguments->names,
      "name under which browsers may call this machine, beside addresses and localhost; may be repeated");
  CLI::Option* pace =
      command->add_option("--pace", arguments->pace, "simulated seconds a second; 0: as fast as possible")
          ->capture_default_str()
          ->check(CLI::Range(0.0, 1000.0));
  command
      ->add_flag_callback(
          "--fast", [=] { arguments->pace = 0; }, "as fast as possible")
      ->excludes(pace);
  command->add_flag("--paused", arguments->paused, "wait for the first click");
  set_action(command, action, arguments, uzawa::cli::view);
}

void add_look_options(CLI::App* command, uzawa::cli::RenderArguments& arguments) {
  command
      ->add_option("--frames", arguments.frames,
                   "numbers and ranges FIRST:LAST:STEP of the replay's frames, 60 a second, with commas between")
      ->capture_default_str();
  command->add_option("--width", arguments.width, "px")->capture_default_str()->check(CLI::Range(64, 7680));
  command->add_option("--height", arguments.height, "px")->capture_default_str()->check(CLI::Range(64, 4320));
  command->add_flag("--forces", arguments.forces, "with contact forces");
  command->add_flag("--points", arguments.points, "with contact points");
  command->add_flag("--body-colors", arguments.body_colors, "a colour for each body");
  command->add_flag("--film", arguments.film, "the film alone, without pictures");
  command->add_flag("--webp", arguments.webp, "the film as a moving picture (WebP), which pages show without a player");
  command->add_option("--camera", arguments.camera,
                      "name of a camera of the model's file, in place of the three below");
  command->add_flag("--lights", arguments.lights, "the lights of the model's file, in place of ours");
  command->add_flag("--no-textures", arguments.no_textures, "colours alone, without the textures of the model's file");
  command->add_flag("--panels", arguments.panels, "with the page's name, charts and controls");
  command->add_flag("--dark", arguments.dark, "on a dark ground");
  command->add_option("--azimuth", arguments.azimuth, "degrees; from where it is seen: 0 from +x, 90 from +y")
      ->check(CLI::Range(-360.0, 360.0));
  command->add_option("--elevation", arguments.elevation, "degrees above the horizon")->check(CLI::Range(-89.0, 89.0));
  command->add_option("--zoom", arguments.zoom, "2: twice as large as what fits the picture")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 100.0));
}

void add_render(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::RenderArguments>();
  CLI::App* command =
      app.add_subcommand("render", "Pictures (PNG) of a run and a film (WebM) of them, drawn by Chromium");
  command->add_option("model", arguments->model, "name of a scene, MJCF (.xml) or URDF file, or a replay (.html)")
      ->required();
  command->add_option("--out", arguments->out, "folder to write to")->required();
  add_look_options(command, *arguments);
  add_load_options(command, *arguments);
  command->add_option("--time", arguments->duration, "seconds to simulate; default: what the frames need")
      ->check(finite_number());
  add_physics_options(command, *arguments);
  add_solver_options(command, *arguments);
  set_action(command, action, arguments, uzawa::cli::render);
}

void add_scenes(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::ScenesArguments>();
  CLI::App* command = app.add_subcommand("scenes", "The named scenes, one line each");
  command->add_flag("--parameters", arguments->parameters, "with what --set can change, and the defaults");
  command->add_flag("--json", arguments->json, "print JSON instead of text, with parameters and their ranges");
  set_action(command, action, arguments, uzawa::cli::list_scenes);
}

void add_collide(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::CollideArguments>();
  CLI::App* command = app.add_subcommand("collide", "What touches what in a model at a pose: the list of contacts");
  add_model_options(command, *arguments);
  CLI::Option* pose = command->add_option("--pose", arguments->pose,
                                          "JSON file: a list of numbers, {\"qpos\": list} or {\"keyframe\": name}");
  command->add_option("--keyframe", arguments->keyframe, "name; default: the first, else the reference configuration")
      ->excludes(pose);
  command->add_option("--margin", arguments->margin, "m; also show what is this close, beside the geoms' own margins")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1000.0));
  set_action(command, action, arguments, uzawa::cli::collide);
}

void add_solve(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::SolveArguments>();
  CLI::App* command =
      app.add_subcommand("solve", "Solves a contact problem from a file; exit code 1 where it does not converge");
  command->add_option("problem", arguments->problem, "problem file: JSON (docs/problem-format.md) or FCLIB HDF5")
      ->required();
  command->add_option("--solver", arguments->solver,
                      "auto, or a method; `uzawa solvers` lists them. Default: canal; of a linear complementarity "
                      "problem lcp");
  uzawa::Settings& settings = arguments->settings;
  command->add_option("--tol", settings.tolerance, "tolerance of the residual and of the Siconos error")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--max-iterations", settings.max_iterations, "iterations at the most; 0: the method's default")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--work", settings.work, "work on an island at the most, in Newton steps; 0: no limit")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--budget-us", settings.budget_us, "microseconds at the most; 0: no limit")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", settings.threads, "threads; the answer is the same for any number")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  command->add_flag("--patient", arguments->patient,
                    "solve again from the best impulses, until the tolerance is met or nothing is gained");
  command->add_flag("--history", settings.history, "residual of every iteration (in the JSON)");
  command->add_flag("--json", arguments->json, "print JSON instead of text");
  set_action(command, action, arguments, uzawa::cli::solve);
}

void add_solvers(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::SolversArguments>();
  CLI::App* command = app.add_subcommand("solvers", "The methods, one line each; with a name: that one's settings");
  command->add_option("name", arguments->name, "a method");
  command->add_flag("--json", arguments->json, "print JSON instead of text");
  set_action(command, action, arguments, uzawa::cli::list_solvers);
}

void add_bench(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<uzawa::cli::BenchArguments>();
  CLI::App* command = app.add_subcommand(
      "bench",
      "A table or figure of the papers, computed anew beside the printed one; without a name: the list of them.\n"
      "Exit code 1: a claim does not hold.");
  CLI::Option* name = command->add_option("name", arguments->name, "which one");
  CLI::Option* json = command->add_flag("--json", arguments->json, "print JSON instead of text")->needs(name);
  CLI::Option* plot = command->add_option("--plot", arguments->plot, "SVG file to write")->needs(name);
  CLI::Option* update =
      command
          ->add_option("--update", arguments->update, "document of --all to put the report in, in place of its old one")
          ->needs(name);
  CLI::Option* all = command->add_flag("--all", arguments->all, "all of them, as a document with plots beside it")
                         ->excludes(name)
                         ->excludes(json)
                         ->excludes(plot)
                         ->excludes(update);
  command->add_option("--output", arguments->output, "the document of --all")->capture_default_str()->needs(all);
  command->add_flag("--quick", arguments->quick, "a few cases, to see that it runs; the claims then mean little");
  set_action(command, action, arguments, uzawa::cli::bench);
}

/// `uzawa help` is --help; `uzawa help run` is run's.
void add_help(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "This list; with the name of a command: that one's options");
  command->add_option("command", *name, "name of a command");
  command->callback([=, &app, &action] {
    action = [=, &app] {
      fmt::print("{}", uzawa::cli::help_on(app, *name));
      return static_cast<int>(uzawa::cli::kOk);
    };
  });
}

int run(int argc, char** argv) {
  CLI::App app{
      "uzawa: a simulator for robots in heavy contact.\nStart with: uzawa run box-stack --time 2, then with a robot: "
      "uzawa info models/panda.xml"};
  app.set_version_flag("--version", UZAWA_VERSION);
  app.require_subcommand(1);
  Action action;
  add_info(app, action);
  add_run(app, action);
  add_view(app, action);
  add_replay(app, action);
  add_render(app, action);
  add_scenes(app, action);
  add_verify(app, action);
  add_collide(app, action);
  add_solve(app, action);
  add_solvers(app, action);
  add_bench(app, action);
  add_help(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    throw uzawa::InputError("", "", uzawa::cli::explain(app, error, {argv + 1, argv + argc}));
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    uzawa::cli::finish_output();
    return code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "uzawa: {}\n", uzawa::one_line(error.what()));
    return uzawa::cli::kBadInput;
  }
}
