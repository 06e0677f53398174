#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

namespace uzawa {

/// Levenshtein distance: insertions, deletions and substitutions of letters between two words.
inline std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Name of the element closest to a word by edits(), in a non-empty list of elements with a `name`.
template <typename List>
std::string_view nearest_name(const List& list, std::string_view word) {
  return std::min_element(list.begin(), list.end(),
                          [&](const auto& a, const auto& b) { return edits(word, a.name) < edits(word, b.name); })
      ->name;
}

}  // namespace uzawa
