#pragma once

#include <cmath>
#include <initializer_list>
#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa {

/// Checks of what a mesh is asked for.
class GridLimits {
 public:
  explicit GridLimits(const char* mesh) : mesh_(mesh) {}

  void require(bool condition, const std::string& reason) const {
    if (!condition) throw InputError("", mesh_, reason);
  }
  void positive(const char* field, double value) const {
    require(std::isfinite(value) && value > 0, std::string(field) + " is not positive");
  }
  /// Indices of nodes and tetrahedra must fit into an int, and a mesh into memory.
  void cells(std::initializer_list<int> counts) const {
    double product = 1;
    for (const int count : counts) {
      require(count > 0, "has a number of cells that is not positive");
      product *= count;
    }
    require(product <= kMostCells, "has too many cells");
  }

 private:
  static constexpr double kMostCells = 5e7;
  const char* mesh_;
};

}  // namespace uzawa
