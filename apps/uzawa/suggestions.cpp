#include "suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"

namespace uzawa::cli {

namespace {

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  struct Named {
    std::string_view name;
  };
  std::vector<Named> list;
  for (const std::string& name : names) list.push_back({name});
  if (list.empty()) return "";
  const std::string_view nearest = nearest_name(list, word);
  // More than half of the letters wrong is another word.
  if (2 * edits(word, nearest) > std::max(word.size(), nearest.size())) return "";
  return fmt::format("; did you mean {}?", nearest);
}

std::string unknown_command(const CLI::App& app, std::string_view word) {
  return fmt::format("there is no command '{}'{}; `uzawa help` lists them", word,
                     did_you_mean(word, subcommand_names(app)));
}

std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    const auto word =
        std::find_if(arguments.begin(), arguments.end(), [](const auto& a) { return !a.starts_with('-'); });
    if (word != arguments.end()) return unknown_command(app, *word);
    if (arguments.empty()) return "a command is missing; `uzawa help` lists them";
  }
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string help = chosen.empty() ? "`uzawa help`" : fmt::format("`uzawa help {}`", command.get_name());
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const std::vector<std::string> known = option_names(command);
    for (const std::string& argument : arguments) {
      if (!argument.starts_with("--")) continue;
      const std::string name = argument.substr(0, argument.find('='));
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      return fmt::format("there is no option {}{}; {} lists them", name, did_you_mean(name, known), help);
    }
  }
  return fmt::format("{}; {} has the options", one_line(error.what()), help);
}

}  // namespace uzawa::cli
