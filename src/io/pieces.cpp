#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/io/convert.hpp"

namespace uzawa::mujoco {

void read_pieces(const mjModel* m, ModelSpec& spec) {
  const std::string name = "uzawa.pieces";
  for (int n = 0; n < static_cast<int>(m->nnumeric); ++n) {
    const std::string found = name_of(m, mjOBJ_NUMERIC, n);
    if (found.rfind(name, 0) != 0) continue;
    const auto refuse = [&](const std::string& reason) {
      throw InputError(spec.source, "numeric '" + found + "'", reason);
    };
    const std::string of = found.size() > name.size() ? found.substr(name.size() + 1) : "";
    const auto soft = std::find_if(spec.soft_bodies.begin(), spec.soft_bodies.end(),
                                   [&](const SoftBodySpec& s) { return !of.empty() && s.name == of; });
    if (soft == spec.soft_bodies.end() || found[name.size()] != ':') refuse("must be uzawa.pieces:FLEX");
    std::vector<int> values;
    for (int k = 0; k < m->numeric_size[n]; ++k) {
      const double value = m->numeric_data[m->numeric_adr[n] + k];
      if (!(value >= 0 && value <= static_cast<double>(soft->bodies.size()) && value == std::floor(value))) {
        refuse("must be whole numbers from 0 to the number of vertices");
      }
      values.push_back(static_cast<int>(value));
    }
    if (values.size() == 1) {
      soft->pieces.count = values.front();
    } else if (values.size() == soft->bodies.size()) {
      soft->pieces.of = std::move(values);
    } else {
      refuse("must be one number, of pieces (0: as many as suit), or one for each of the " +
             std::to_string(soft->bodies.size()) + " vertices");
    }
  }
}

}  // namespace uzawa::mujoco
