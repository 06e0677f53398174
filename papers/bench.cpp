#include "uzawa/papers/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"
#include "uzawa/papers/catalog.hpp"

namespace uzawa::papers {

Cell Cell::of(double number, int digits) {
  Cell cell(fmt::format("{:.{}g}", number, digits));
  cell.value = number;
  return cell;
}

int Report::failures() const {
  return static_cast<int>(std::count_if(claims.begin(), claims.end(), [](const Claim& claim) { return !claim.holds; }));
}

std::span<const Bench> benches() {
  static const std::array list = {
      al_fig7(),     al_fig9(),     al_fig11(),   al_table2(),   al_table3(),   al_fig14(),    al_budget(),
      joint_fig2(),  joint_fig3(),  joint_fig4(), cond_table1(), cond_table2(), cond_table3(), cond_table4(),
      cond_table5(), cond_table6(), cond_fig11(), cond_table7(), cond_table8(), cond_fig13(),  cond_fig14(),
      cond_table9(), lcp_table1(),  lcp_table2(), lcp_table3(),  sub_table1(),  sub_fig2(),    scenes()};
  return list;
}

const Bench& find_bench(std::string_view name) {
  const std::span<const Bench> all = benches();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Bench& bench) { return bench.name == name; });
  if (found != all.end()) return *found;
  const std::string_view nearest = nearest_name(all, name);
  const bool near = edits(name, nearest) <= nearest.size() / 3;
  throw InputError(std::string(name), "",
                   fmt::format("no such bench;{} `uzawa bench` lists them",
                               near ? fmt::format(" did you mean {}?", nearest) : std::string()));
}

}  // namespace uzawa::papers
