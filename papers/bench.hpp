#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "uzawa/plot/figure.hpp"

/// The papers' tables and figures, computed anew: each is one file that takes cases from our scenes, runs the methods
/// on them, puts our figures beside the printed ones and says which of the paper's claims hold. `uzawa bench NAME`.
namespace uzawa::papers {

/// An entry of a table: what is shown, and the number behind it where there is one.
struct Cell {
  std::string text;
  std::optional<double> value;

  Cell(const char* words) : text(words) {}  // NOLINT(google-explicit-constructor): tables are written as lists
  Cell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  /// Shown with so many significant digits.
  static Cell of(double number, int digits = 3);
};

struct Table {
  std::string title;
  std::vector<std::string> columns;  ///< with units
  std::vector<std::vector<Cell>> rows;
};

/// What a paper says, or what we ask of ourselves, and whether this run bears it out.
struct Claim {
  std::string says;   ///< "SubADMM is faster than No Sub"
  std::string paper;  ///< the printed figure; empty: none
  std::string ours;   ///< what this run found
  bool holds = false;
};

struct Report {
  bool quick = false;  ///< of a quick run, in which the claims mean little; set by who asked for it
  std::string setup;   ///< what was run, so that a reader without the paper understands the rest
  std::vector<Table> tables;
  std::vector<Claim> claims;
  std::vector<std::string> notes;  ///< what explains a figure
  plot::Figure figure;

  int failures() const;
};

struct Options {
  bool quick = false;                         ///< a few cases, to see that it runs; the claims then mean little
  std::function<void(double)> progress = {};  ///< is told which share is done, 0 to 1; may be empty
  std::function<void()> pulse = {};           ///< is called often; may throw to end the run; may be empty

  void show(double share) const {
    if (progress) progress(share);
    beat();
  }
  void beat() const {
    if (pulse) pulse();
  }
  int cases(int full, int few) const { return quick ? few : full; }
};

struct Bench {
  const char* name;
  const char* title;
  const char* paper;  ///< "[AL] Table III"
  Report (*run)(const Options& options);
};

/// All of them, in the order of the papers.
std::span<const Bench> benches();
/// Throws InputError that names the nearest, if there is one that is near, where there is none of that name.
const Bench& find_bench(std::string_view name);

}  // namespace uzawa::papers
