#pragma once

#include <string>

#include "uzawa/papers/bench.hpp"

/// The document of `uzawa bench --all`: a preface, a table with a row for each bench, and their sections.
namespace uzawa::papers {

/// The row of a bench in the table of contents.
std::string contents_row(const Bench& bench, const Report& report);
/// With row and section of this bench in place of its old ones, or where they belong in the order of benches(). Throws
/// InputError where the text is no such document.
std::string with_section(const std::string& document, const Bench& bench, const std::string& row,
                         const std::string& section);

}  // namespace uzawa::papers
