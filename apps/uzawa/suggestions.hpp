#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace uzawa::cli {

/// "; did you mean NAME?" with the name nearest to a word by letters to change; empty where none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// The line about a word that is no subcommand.
std::string unknown_command(const CLI::App& app, std::string_view word);

/// What is wrong with a command line that `app` refuses, in one line: a word that is no subcommand or option is named
/// with the nearest one that there is. `arguments`: without the program's name.
std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

}  // namespace uzawa::cli
