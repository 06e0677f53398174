#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

namespace uzawa {

/// Letters to change, add or leave out to get from one word to the other (Levenshtein).
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

/// The name of the one in a list (not empty, of things with a `name`) that comes closest to a word.
template <typename List>
std::string_view nearest_name(const List& list, std::string_view word) {
  return std::min_element(list.begin(), list.end(),
                          [&](const auto& a, const auto& b) { return edits(word, a.name) < edits(word, b.name); })
      ->name;
}

}  // namespace uzawa
