#pragma once

#include <string>

#include "uzawa/papers/bench.hpp"

/// A report for the three kinds of readers.
namespace uzawa::papers {

std::string as_text(const Bench& bench, const Report& report);  ///< for a terminal
std::string as_json(const Bench& bench, const Report& report);
/// A section of docs/results.md; `picture` is the file of its figure, empty: none.
std::string as_markdown(const Bench& bench, const Report& report, const std::string& picture);

}  // namespace uzawa::papers
