#include "uzawa/papers/results_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "uzawa/base/error.hpp"

namespace uzawa::papers {

namespace {

/// Place of a bench in the order of all; those of other versions come first, and stay.
std::ptrdiff_t rank(std::string_view name) {
  const auto all = benches();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Bench& bench) { return bench.name == name; });
  return found == all.end() ? -1 : found - all.begin();
}

/// What follows `mark` up to `end`.
std::string_view name_after(std::string_view text, std::string_view mark, std::string_view end) {
  text.remove_prefix(std::min(text.size(), mark.size()));
  return text.substr(0, text.find(end));
}

/// Parts that begin with `mark`, each with the name of its bench, in order: puts `part` among them.
void put(std::vector<std::string>& parts, std::string_view mark, std::string_view end, const Bench& bench,
         const std::string& part) {
  auto place = parts.begin();
  for (; place != parts.end(); ++place) {
    const std::string_view name = name_after(*place, mark, end);
    if (name == bench.name) {
      *place = part;
      return;
    }
    if (rank(name) > rank(bench.name)) break;
  }
  parts.insert(place, part);
}

/// Cuts a text before each `mark`; what is before the first is taken off it.
std::vector<std::string> cut(std::string_view& text, std::string_view mark) {
  std::vector<std::string> parts;
  for (std::size_t last = text.rfind(mark); last != std::string_view::npos; last = text.rfind(mark)) {
    parts.insert(parts.begin(), std::string(text.substr(last)));
    text = text.substr(0, last);
    if (text.empty()) break;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

}  // namespace

std::string contents_row(const Bench& bench, const Report& report) {
  const int all = static_cast<int>(report.claims.size());
  return fmt::format("| {} | {} | {} | {} of {} |\n", bench.name, bench.title, bench.paper, all - report.failures(),
                     all);
}

std::string with_section(const std::string& document, const Bench& bench, const std::string& row,
                         const std::string& section) {
  std::string_view rest = document;
  std::vector<std::string> sections = cut(rest, "\n## ");
  constexpr std::string_view kRule = "|---|---|---|---|\n";
  const std::size_t rule = rest.rfind(kRule);
  if (rule == std::string_view::npos) {
    throw InputError("", "document", "has no table of benches: it is not one of `uzawa bench --all`");
  }
  const std::string head(rest.substr(0, rule + kRule.size()));
  std::vector<std::string> rows;
  for (rest.remove_prefix(head.size()); !rest.empty(); rest.remove_prefix(rows.back().size())) {
    rows.emplace_back(rest.substr(0, rest.find('\n') == std::string_view::npos ? rest.size() : rest.find('\n') + 1));
  }
  put(rows, "| ", " |", bench, row);
  put(sections, "\n## ", ":", bench, "\n" + section);
  return head + joined(rows) + joined(sections);
}

}  // namespace uzawa::papers
