#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <vector>

#include "commands.hpp"
#include "uzawa/base/error.hpp"

namespace {

using uzawa::cli::ModelArguments;

/// Options of every subcommand that loads a model. `packages` must outlive the parse.
void add_model_options(CLI::App* command, ModelArguments& arguments, std::vector<std::string>& packages) {
  command->add_option("model", arguments.model, "MJCF (.xml) or URDF (.urdf) file")->required();
  command->add_option("--package", packages, "URDF: NAME=FOLDER, where package://NAME/ is found")
      ->type_name("NAME=FOLDER");
  command->add_flag("--free-base", arguments.load.free_base, "URDF: give the root link a free joint");
  command->add_flag("--json", arguments.json, "print JSON instead of text");
}

void resolve_packages(const std::vector<std::string>& packages, ModelArguments& arguments) {
  for (const std::string& entry : packages) {
    const std::size_t split = entry.find('=');
    if (split == std::string::npos) throw uzawa::InputError("", "--package " + entry, "should read NAME=FOLDER");
    arguments.load.packages[entry.substr(0, split)] = entry.substr(split + 1);
  }
}

int run(int argc, char** argv) {
  CLI::App app{"uzawa: a simulator for robots in heavy contact.\nStart with: uzawa info models/panda.xml"};
  app.set_version_flag("--version", UZAWA_VERSION);
  app.require_subcommand(1);
  std::vector<std::string> packages;

  ModelArguments info_arguments;
  CLI::App* info = app.add_subcommand("info", "What a model holds: sizes, masses, joints, what is unsupported");
  add_model_options(info, info_arguments, packages);

  uzawa::cli::VerifyArguments verify_arguments;
  CLI::App* verify = app.add_subcommand(
      "verify", "Compares our dynamics of a model with MuJoCo's at random states; exit code 1 above 1e-9");
  add_model_options(verify, verify_arguments, packages);
  verify->add_option("--states", verify_arguments.states, "number of random states")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verify->add_option("--seed", verify_arguments.seed, "seed of the random states")->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? uzawa::cli::kOk : uzawa::cli::kBadInput;
  }
  if (info->parsed()) {
    resolve_packages(packages, info_arguments);
    return uzawa::cli::info(info_arguments);
  }
  resolve_packages(packages, verify_arguments);
  return uzawa::cli::verify(verify_arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "uzawa: {}\n", uzawa::one_line(error.what()));
    return uzawa::cli::kBadInput;
  }
}
