#include "uzawa/problem_io/json_matrix.hpp"

#include <limits>

#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

SparseRows read_matrix(const JsonElement& element, int rows, int columns) {
  Triplets out{rows, columns, {}, {}, {}};
  if (element.has("dense")) {
    element.require_keys({"dense"});
    const JsonElement dense = element["dense"];
    if (dense.size() != static_cast<std::size_t>(rows)) dense.fail("must have " + std::to_string(rows) + " rows");
    for (int r = 0; r < rows; ++r) {
      const std::vector<double> row = dense[static_cast<std::size_t>(r)].numbers(static_cast<std::size_t>(columns));
      for (int c = 0; c < columns; ++c) {
        if (row[static_cast<std::size_t>(c)] != 0) out.add(r, c, row[static_cast<std::size_t>(c)]);
      }
    }
    return compress(out);
  }
  element.require_keys({"shape", "i", "j", "x"});
  const std::vector<int> shape = element["shape"].integers(0, std::numeric_limits<int>::max());
  if (shape.size() != 2 || shape[0] != rows || shape[1] != columns) {
    element["shape"].fail("must be [" + std::to_string(rows) + ", " + std::to_string(columns) + "]");
  }
  out.i = element["i"].integers(0, rows - 1);
  out.j = element["j"].integers(0, columns - 1);
  out.x = element["x"].numbers();
  if (out.i.size() != out.j.size() || out.i.size() != out.x.size()) element.fail("i, j and x differ in length");
  return compress(out);
}

}  // namespace uzawa
