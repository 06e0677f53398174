#pragma once

#include <CLI/CLI.hpp>

#include "commands.hpp"

/// Options that several subcommands have.
namespace uzawa::cli {

/// Of every subcommand that loads a model.
void add_load_options(CLI::App* command, ModelArguments& arguments);
/// What is simulated: time step, integration, parameters of a scene, start, controls.
void add_physics_options(CLI::App* command, RunArguments& arguments);
/// With which method, and how much of it.
void add_solver_options(CLI::App* command, RunArguments& arguments);
/// What a run leaves in files.
void add_record_options(CLI::App* command, RunArguments& arguments);

/// CLI11's ranges let NaN through.
CLI::Validator finite_number();

}  // namespace uzawa::cli
