#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "text_table.hpp"

namespace uzawa::cli {

namespace {

nlohmann::json to_json(const Setting& setting) {
  const Settings defaults;
  const double value = setting.get(defaults);
  nlohmann::json out = {
      {"name", setting.name}, {"kind", to_string(setting.kind)}, {"unit", setting.unit}, {"reason", setting.reason}};
  switch (setting.kind) {
    case Setting::Kind::Flag: out["default"] = value != 0; break;
    case Setting::Kind::Whole: out["default"] = static_cast<long long>(value); break;
    case Setting::Kind::Number: out["default"] = value; break;
    case Setting::Kind::Choice:
      out["default"] = setting.text(defaults);
      out["choices"] = std::vector<std::string>(setting.choices.begin(), setting.choices.end());
      break;
  }
  if (setting.kind == Setting::Kind::Whole || setting.kind == Setting::Kind::Number) {
    out["least"] = setting.least;
    out["most"] = setting.most;
  }
  return out;
}

nlohmann::json to_json(const Solver& solver) {
  return {{"name", solver.name}, {"summary", solver.summary}, {"uses_threads", solver.uses_threads}};
}

nlohmann::json with_settings(const Solver& solver) {
  nlohmann::json out = to_json(solver);
  out["settings"] = nlohmann::json::array();
  for (const auto& table : solver.tables) {
    for (const Setting& setting : table) out["settings"].push_back(to_json(setting));
  }
  if (solver.traits.stages != nullptr) {
    out["stages"] = nlohmann::json::array();
    for (const SolverStage& stage : solver.traits.stages()) {
      out["stages"].push_back({{"name", stage.name}, {"purpose", stage.purpose}, {"work", stage.work}});
    }
  }
  out["common_settings"] = nlohmann::json::array();
  for (const Setting& setting : kCommonSettings) out["common_settings"].push_back(to_json(setting));
  return out;
}

std::string range(const Setting& setting) {
  if (setting.kind == Setting::Kind::Flag) return "true, false";
  if (setting.kind == Setting::Kind::Choice) return fmt::format("{}", fmt::join(setting.choices, ", "));
  return fmt::format("{:g} to {:g}", setting.least, setting.most);
}

void print(std::span<const Setting> table) {
  for (const Setting& setting : table) {
    const std::string unit = setting.unit[0] == '\0' ? "" : fmt::format("; {}", setting.unit);
    fmt::print("  {:<24} {}   ({}{})\n      {}\n", setting.name, setting.text({}), range(setting), unit,
               setting.reason);
  }
}

void print(std::span<const SolverStage> stages) {
  fmt::print("\nstages, in the order of their price; work in Newton steps at the most\n");
  for (const SolverStage& stage : stages) {
    const std::string work = stage.work > 0 ? fmt::format("{:g}", stage.work) : "";
    fmt::print("  {:<28} {:<12} {}\n", stage.name, work, stage.purpose);
  }
}

}  // namespace

int list_solvers(const SolversArguments& arguments) {
  if (arguments.name.empty()) {
    if (arguments.json) {
      nlohmann::json all = nlohmann::json::array();
      for (const Solver& solver : solvers()) all.push_back(to_json(solver));
      fmt::print("{}\n", all.dump(1));
    } else {
      const TextTable table;
      for (const Solver& solver : solvers()) table.row(solver.name, solver.summary);
      fmt::print(
          "\n`uzawa run` takes auto unless --solver names another; `uzawa solvers NAME` lists the settings of a "
          "method.\n");
    }
    return kOk;
  }
  const Solver& solver = find_solver(arguments.name);
  if (arguments.json) {
    fmt::print("{}\n", with_settings(solver).dump(1));
    return kOk;
  }
  fmt::print("{}: {}\n\nsettings: default (range; unit)\n", solver.name, solver.summary);
  for (const auto& table : solver.tables) print(table);
  fmt::print("\nof every method:\n");
  print(kCommonSettings);
  if (solver.traits.stages != nullptr) print(solver.traits.stages());
  return kOk;
}

}  // namespace uzawa::cli
