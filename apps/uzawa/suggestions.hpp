#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace uzawa::cli {

/// The help of a subcommand; of the program where the name is empty. Throws InputError where there is none of that
/// name.
std::string help_on(const CLI::App& app, const std::string& name);

/// What is wrong with a command line that `app` refuses, in one line: a word that is no subcommand or option is named
/// with the nearest one that there is. `arguments`: without the program's name.
std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

}  // namespace uzawa::cli
