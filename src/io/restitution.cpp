#include <cmath>

#include "uzawa/base/error.hpp"
#include "uzawa/io/convert.hpp"

namespace uzawa::mujoco {

void read_restitution(const mjModel* m, ModelSpec& spec) {
  const std::string name = "uzawa.restitution";
  for (int n = 0; n < static_cast<int>(m->nnumeric); ++n) {
    const std::string found = name_of(m, mjOBJ_NUMERIC, n);
    if (found.rfind(name, 0) != 0) continue;
    const auto refuse = [&](const std::string& reason) {
      throw InputError(spec.source, "numeric '" + found + "'", reason);
    };
    const double value = m->numeric_data[m->numeric_adr[n]];
    if (m->numeric_size[n] != 1 || !(value >= 0 && value <= 1)) refuse("must be one number from 0 to 1");
    if (found == name) {
      spec.options.restitution = value;
      continue;
    }
    if (found[name.size()] != ':') refuse("is unknown; there are uzawa.restitution and uzawa.restitution:PAIR");
    const int pair = mj_name2id(m, mjOBJ_PAIR, found.c_str() + name.size() + 1);
    if (pair < 0) refuse("names no contact pair of the model");
    spec.contact_pairs[static_cast<std::size_t>(pair)].restitution = value;
  }
}

}  // namespace uzawa::mujoco
