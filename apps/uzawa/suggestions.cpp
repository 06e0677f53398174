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

/// "; did you mean NAME? WHERE lists them", with the name nearest to the word; without a name where none is near.
std::string hint(std::string_view word, const std::vector<std::string>& names, const std::string& where) {
  struct Named {
    std::string_view name;
  };
  const std::vector<Named> list(names.begin(), names.end());
  const std::string_view nearest = list.empty() ? "" : nearest_name(list, word);
  // Two letters may be swapped in the shortest word; with more than half of the letters wrong it is another word.
  const bool near = edits(word, nearest) <= std::max<std::size_t>(2, std::max(word.size(), nearest.size()) / 2);
  return near ? fmt::format("; did you mean {}? {} lists them", nearest, where) : fmt::format("; {} lists them", where);
}

std::string unknown_command(const CLI::App& app, std::string_view word) {
  return fmt::format("there is no command '{}'{}", word, hint(word, subcommand_names(app), "`uzawa help`"));
}

}  // namespace

std::string help_on(const CLI::App& app, const std::string& name) {
  const CLI::App* subject = &app;
  if (!name.empty()) {
    const auto found = app.get_subcommands([&](const CLI::App* other) { return other->get_name() == name; });
    if (found.empty()) throw InputError("", "help", unknown_command(app, name));
    subject = found.front();
  }
  // App::help() would be that of the command that was given, which is `help`.
  const std::string usage = app.get_name() + (name.empty() ? "" : " " + name);
  return subject->get_formatter()->make_help(subject, usage, CLI::AppFormatMode::Normal);
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
      return fmt::format("there is no option {}{}", name, hint(name, known, help));
    }
  }
  return fmt::format("{}; {} has the options", one_line(error.what()), help);
}

}  // namespace uzawa::cli
