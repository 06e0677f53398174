#pragma once

#include <string>

#include "uzawa/papers/bench.hpp"

/// A report for the three kinds of readers.
namespace uzawa::papers {

std::string as_text(const Bench& bench, const Report& report);  ///< for a terminal
std::string as_json(const Bench& bench, const Report& report);
/// What the words of the reports mean, as it ends the text and as it opens docs/results.md.
std::string legend_text();
std::string legend_markdown();
/// A section of docs/results.md; `picture` is the file of its figure, empty: none.
std::string as_markdown(const Bench& bench, const Report& report, const std::string& picture);

}  // namespace uzawa::papers
