#pragma once

#include "uzawa/math/vec3.hpp"

/// Rows of a 3x3 block of nine numbers as registers; the fourth number of each is one of its neighbours in memory.
namespace uzawa {

struct BlockRows {
  Lanes row[3];

  explicit BlockRows(const double* block) : row{load_lanes(block), load_lanes(block + 3), third(block)} {}

 private:
  /// Without a look beyond the block's end.
  static Lanes third(const double* block) {
    const Lanes end = load_lanes(block + 5);
    return __builtin_shufflevector(end, end, 1, 2, 3, 3);
  }
};

inline double sum3(const Lanes& l) { return (l[0] + l[1]) + l[2]; }

}  // namespace uzawa
