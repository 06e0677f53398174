#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

#include "commands.hpp"
#include "terminal.hpp"
#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/papers/build_info.hpp"
#include "uzawa/papers/report.hpp"
#include "uzawa/papers/results_document.hpp"

namespace uzawa::cli {

namespace {

using papers::Bench;
using papers::Report;

/// Ctrl-C: leaves through all drafts, which go away.
struct Interrupted {};

/// A share on a terminal, nothing at all elsewhere. Throws Interrupted.
Report run_bench(const Bench& bench, bool quick) {
  const bool shown = isatty(STDERR_FILENO) != 0;
  papers::Options options{.quick = quick};
  options.pulse = [] {
    if (InterruptGuard::interrupted()) throw Interrupted{};
  };
  if (shown) {
    options.progress = [&](double share) {
      fmt::print(stderr, "\r{}  {:3.0f} %", bench.name, 100 * share);
      std::fflush(stderr);
    };
  }
  Report report = bench.run(options);
  report.quick = quick;
  if (shown) fmt::print(stderr, "\r{:40}\r", "");
  return report;
}

/// What was printed may still be on its way, and a full disk shows only now.
void finish_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw InputError("standard output", "", std::string("can't be written: ") + std::strerror(errno));
  }
}

/// The claims of a quick run mean little: whether they hold is no reason to fail.
int exit_code(int failures, bool quick) { return failures == 0 || quick ? kOk : kFailed; }

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
  return fmt::format(
      "# The papers' tables and figures, computed anew\n\nWritten by `uzawa bench --all{}` on {}, version {}, commit "
      "{}, -march={}; {} threads of {}. Do not edit.\n\nEvery number below was computed in that run. The papers "
      "measured on other machines: compare ratios and shapes, not milliseconds.\n\n{}",
      quick ? " --quick" : "", today(), UZAWA_VERSION, papers::build_commit(), papers::build_march(),
      std::thread::hardware_concurrency(), processor(), papers::legend_markdown());
}

std::string picture_name(const Bench& bench) { return fmt::format("results-{}.svg", bench.name); }

/// All files are written at the end: before that, those of the last run stay. That they can be written is found out at
/// the start.
int bench_all(const BenchArguments& arguments) {
  DraftFile document(arguments.output, "");
  std::deque<DraftFile> pictures;
  for (const Bench& bench : papers::benches()) {
    pictures.emplace_back(arguments.output.parent_path() / picture_name(bench), "plot");
  }
  std::string text = preface(arguments.quick), contents, sections;
  std::vector<std::string> drawn;
  int failures = 0;
  for (const Bench& bench : papers::benches()) {
    const Report report = run_bench(bench, arguments.quick);
    const int all = static_cast<int>(report.claims.size()), held = all - report.failures();
    failures += report.failures();
    drawn.push_back(plot::svg(report.figure));
    contents += papers::contents_row(bench, report);
    sections += "\n" + papers::as_markdown(bench, report, picture_name(bench));
    fmt::print("{:<12} {} of {} claims hold\n", bench.name, held, all);
    finish_output();
  }
  text += "\n| bench | what | paper | claims that hold |\n|---|---|---|---|\n" + contents + sections;
  for (std::size_t i = 0; i < drawn.size(); ++i) pictures[i].write_whole(drawn[i]);
  document.write_whole(text);
  return exit_code(failures, arguments.quick);
}

std::string whole_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path, "--update", std::string("can't be read: ") + std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The document of an earlier run with this bench's part made anew; the section says of when it is.
int update_document(const Bench& bench, const Report& report, const std::filesystem::path& path) {
  DraftFile document(path, "--update"), picture(path.parent_path() / picture_name(bench), "plot");
  const std::string section = papers::as_markdown(bench, report, picture_name(bench)) +
                              fmt::format("\nOf {}, commit {}, -march={}; {}.\n", today(), papers::build_commit(),
                                          papers::build_march(), processor());
  const std::string text = papers::with_section(whole_file(path), bench, papers::contents_row(bench, report), section);
  picture.write_whole(plot::svg(report.figure));
  document.write_whole(text);
  return exit_code(report.failures(), report.quick);
}

int list_benches() {
  for (const Bench& bench : papers::benches()) fmt::print("{:<12} {} ({})\n", bench.name, bench.title, bench.paper);
  fmt::print("{}", papers::legend_text());
  finish_output();
  return kOk;
}

int bench_one(const BenchArguments& arguments) {
  const Bench& chosen = papers::find_bench(arguments.name);
  std::optional<DraftFile> picture;
  if (!arguments.plot.empty()) {
    if (arguments.plot.extension() != ".svg") {
      throw InputError(arguments.plot, "--plot", "plots are SVG: its name should end in .svg");
    }
    picture.emplace(arguments.plot, "--plot");
  }
  if (!arguments.update.empty()) whole_file(arguments.update);  // what can't be read is found out before the run
  const Report report = run_bench(chosen, arguments.quick);
  fmt::print("{}", arguments.json ? papers::as_json(chosen, report) : papers::as_text(chosen, report));
  finish_output();
  if (picture) picture->write_whole(plot::svg(report.figure));
  if (!arguments.update.empty()) return update_document(chosen, report, arguments.update);
  return exit_code(report.failures(), arguments.quick);
}

}  // namespace

int bench(const BenchArguments& arguments) {
  const InterruptGuard guard;
  try {
    if (arguments.all) return bench_all(arguments);
    return arguments.name.empty() ? list_benches() : bench_one(arguments);
  } catch (const Interrupted&) {
    fmt::print(stderr, "uzawa: interrupted; no file was written\n");
    return kInterrupted;
  }
}

}  // namespace uzawa::cli
