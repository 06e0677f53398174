#pragma once

#include <span>

namespace uzawa::papers {

/// A word of the reports, for a reader without the papers.
struct Term {
  const char *word, *meaning;
};
/// All of them; the text output, the JSON and docs/results.md say the same.
std::span<const Term> legend();

}  // namespace uzawa::papers
