#include "uzawa/papers/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "uzawa/papers/legend.hpp"

namespace uzawa::papers {

namespace {

const char* word(const Claim& claim) { return claim.holds ? "holds" : "DOES NOT HOLD"; }

std::string verdict(const Report& report) {
  const int all = static_cast<int>(report.claims.size()), failed = report.failures();
  return failed == 0 ? fmt::format("all {} claims hold", all) : fmt::format("{} of {} claims hold", all - failed, all);
}

const char* quick_text(const Report& report) {
  return report.quick ? " [--quick: a few cases, the claims mean little]" : "";
}

/// Letters as they are seen: a UTF-8 sequence is one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t wide, bool right) {
  const std::string blanks(wide - std::min(wide, width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

/// Columns as wide as they need to be; the first is to the left, the others to the right.
std::string table_text(const Table& table) {
  std::vector<std::size_t> wide;
  for (const std::string& column : table.columns) wide.push_back(width(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) wide[i] = std::max(wide[i], width(row[i].text));
  }
  std::string out = "\n  " + table.title + "\n";
  const auto line = [&](const auto& text_of) {
    out += " ";
    for (std::size_t i = 0; i < wide.size(); ++i) out += "  " + padded(text_of(i), wide[i], i > 0);
    out += '\n';
  };
  line([&](std::size_t i) { return table.columns[i]; });
  for (const auto& row : table.rows) line([&](std::size_t i) { return i < row.size() ? row[i].text : std::string(); });
  return out;
}

/// Bars end a column.
std::string table_cell(const std::string& text) {
  std::string out;
  for (const char letter : text) out += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return out;
}

std::string table_markdown(const Table& table) {
  std::string head = "|", rule = "|", rows;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    head += " " + table_cell(table.columns[i]) + " |";
    rule += i == 0 ? "---|" : "---:|";
  }
  for (const auto& row : table.rows) {
    rows += "|";
    for (const Cell& cell : row) rows += " " + table_cell(cell.text) + " |";
    rows += "\n";
  }
  return fmt::format("\n**{}**\n\n{}\n{}\n{}", table.title, head, rule, rows);
}

}  // namespace

std::string legend_text() {
  std::string out = "\n  words\n";
  for (const Term& term : legend()) out += fmt::format("  {:<14} {}\n", term.word, term.meaning);
  return out;
}

std::string legend_markdown() {
  std::string out;
  for (const Term& term : legend()) out += fmt::format("- **{}**: {}.\n", term.word, term.meaning);
  return out;
}

std::string as_text(const Bench& bench, const Report& report) {
  std::string out =
      fmt::format("{}: {} ({}){}\n  {}\n", bench.name, bench.title, bench.paper, quick_text(report), report.setup);
  for (const Table& table : report.tables) out += table_text(table);
  out += "\n  claims\n";
  for (const Claim& claim : report.claims) {
    out += fmt::format("  {:<14} {}\n", word(claim), claim.says);
    if (!claim.paper.empty()) out += fmt::format("  {:<14}   paper: {}\n", "", claim.paper);
    out += fmt::format("  {:<14}   here:  {}\n", "", claim.ours);
  }
  for (const std::string& note : report.notes) out += "  note: " + note + "\n";
  return out + "  " + verdict(report) + quick_text(report) + "\n" + legend_text();
}

std::string as_json(const Bench& bench, const Report& report) {
  nlohmann::json words = nlohmann::json::object();
  for (const Term& term : legend()) words[term.word] = term.meaning;
  nlohmann::json out = {{"name", bench.name},
                        {"quick", report.quick},
                        {"words", std::move(words)},
                        {"title", bench.title},
                        {"paper", bench.paper},
                        {"setup", report.setup},
                        {"notes", report.notes},
                        {"holds", report.failures() == 0},
                        {"tables", nlohmann::json::array()},
                        {"claims", nlohmann::json::array()},
                        {"panels", nlohmann::json::array()}};
  for (const Table& table : report.tables) {
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& row : table.rows) {
      nlohmann::json cells = nlohmann::json::array();
      for (const Cell& cell : row) {
        cells.push_back(cell.value ? nlohmann::json(*cell.value) : nlohmann::json(cell.text));
      }
      rows.push_back(std::move(cells));
    }
    out["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}});
  }
  for (const Claim& claim : report.claims) {
    out["claims"].push_back(
        {{"says", claim.says}, {"paper", claim.paper}, {"ours", claim.ours}, {"holds", claim.holds}});
  }
  for (const plot::Panel& panel : report.figure.panels) {
    nlohmann::json series = nlohmann::json::array();
    for (const plot::Series& one : panel.series) series.push_back({{"label", one.label}, {"x", one.x}, {"y", one.y}});
    out["panels"].push_back(
        {{"title", panel.title}, {"x", panel.x.label}, {"y", panel.y.label}, {"series", std::move(series)}});
  }
  return out.dump(1) + "\n";
}

std::string as_markdown(const Bench& bench, const Report& report, const std::string& picture) {
  std::string out = fmt::format("## {}: {}\n\n{}. `uzawa bench {}`: {}{}.\n\n{}\n", bench.name, bench.title,
                                bench.paper, bench.name, verdict(report), quick_text(report), report.setup);
  for (const Table& table : report.tables) out += table_markdown(table);
  out += "\n| claim | paper | here | |\n|---|---|---|---|\n";
  for (const Claim& claim : report.claims) {
    out += fmt::format("| {} | {} | {} | {} |\n", table_cell(claim.says), table_cell(claim.paper),
                       table_cell(claim.ours), claim.holds ? "holds" : "**does not hold**");
  }
  for (const std::string& note : report.notes) out += "\n" + note + "\n";
  if (!picture.empty()) out += fmt::format("\n![{}]({})\n", report.figure.title, picture);
  return out;
}

}  // namespace uzawa::papers
