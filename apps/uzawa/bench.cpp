#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "commands.hpp"
#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/papers/report.hpp"

namespace uzawa::cli {

namespace {

namespace fs = std::filesystem;
using papers::Bench;
using papers::Report;

/// A share on a terminal, nothing at all elsewhere.
Report run_bench(const Bench& bench, bool quick) {
  const bool shown = isatty(STDERR_FILENO) != 0;
  papers::Options options{.quick = quick};
  if (shown) {
    options.progress = [&](double share) {
      fmt::print(stderr, "\r{}  {:3.0f} %", bench.name, 100 * share);
      std::fflush(stderr);
    };
  }
  Report report = bench.run(options);
  if (shown) fmt::print(stderr, "\r{:40}\r", "");
  return report;
}

/// The first line that a command prints; empty where it fails. For what only the machine knows.
std::string first_line_of(const char* command) {
  std::array<char, 256> line{};
  FILE* pipe = popen(command, "r");  // NOLINT(cert-env33-c): fixed commands, nothing of the user's in them
  if (pipe == nullptr) return "";
  const bool read = std::fgets(line.data(), line.size(), pipe) != nullptr;
  const bool good = pclose(pipe) == 0;
  if (!read || !good) return "";
  return one_line(line.data());
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

std::string preface(bool quick) {
  const std::string commit = first_line_of("git describe --always --dirty --abbrev=12 2>/dev/null");
  return fmt::format(
      "# The papers' tables and figures, computed anew\n\nWritten by `uzawa bench --all{}` on {}, version {}, commit "
      "{}; {} threads of {}. Do not edit.\n\nEvery number below was computed in that run. The papers measured on other "
      "machines: compare ratios and shapes, not milliseconds. The residual is that of [AL] section VII: how far the "
      "impulses are from the contact and joint laws, in m/s and N s, divided by the number of constraints; velocities "
      "follow from the impulses, so that nothing else can be off. [AL]: Variations of Augmented Lagrangian for Robotic "
      "Multicontact Simulation. [JOINT]: Constrained Dynamics Solver for Robotic Simulation via Augmented "
      "Lagrangian.\n",
      quick ? " --quick" : "", today(), UZAWA_VERSION, commit.empty() ? "unknown" : commit,
      std::thread::hardware_concurrency(), processor());
}

/// All files are written at the end: before that, those of the last run stay.
int bench_all(const BenchArguments& arguments) {
  DraftFile document(arguments.output, "");  // says at once where it can't be written
  std::string text = preface(arguments.quick), contents, sections;
  std::vector<std::pair<fs::path, std::string>> pictures;
  int failures = 0;
  for (const Bench& bench : papers::benches()) {
    const Report report = run_bench(bench, arguments.quick);
    failures += report.failures();
    const std::string picture = fmt::format("results-{}.svg", bench.name);
    pictures.emplace_back(arguments.output.parent_path() / picture, plot::svg(report.figure));
    contents += fmt::format("| {} | {} | {} | {} of {} |\n", bench.name, bench.title, bench.paper,
                            static_cast<int>(report.claims.size()) - report.failures(), report.claims.size());
    sections += "\n" + papers::as_markdown(bench, report, picture);
    fmt::print("{:<12} {} of {} claims hold\n", bench.name, static_cast<int>(report.claims.size()) - report.failures(),
               report.claims.size());
    std::fflush(stdout);
  }
  text += "\n| bench | what | paper | claims that hold |\n|---|---|---|---|\n" + contents + sections;
  for (const auto& [path, picture] : pictures) DraftFile(path, "plot").write_whole(picture);
  document.write_whole(text);
  return failures == 0 ? kOk : kFailed;
}

int list_benches() {
  for (const Bench& bench : papers::benches()) fmt::print("{:<12} {} ({})\n", bench.name, bench.title, bench.paper);
  return kOk;
}

}  // namespace

int bench(const BenchArguments& arguments) {
  if (arguments.all) return bench_all(arguments);
  if (arguments.name.empty()) return list_benches();
  const Bench& chosen = papers::find_bench(arguments.name);
  std::optional<DraftFile> picture;
  if (!arguments.plot.empty()) picture.emplace(arguments.plot, "--plot");
  const Report report = run_bench(chosen, arguments.quick);
  fmt::print("{}", arguments.json ? papers::as_json(chosen, report) : papers::as_text(chosen, report));
  if (picture) picture->write_whole(plot::svg(report.figure));
  return report.failures() == 0 ? kOk : kFailed;
}

}  // namespace uzawa::cli
