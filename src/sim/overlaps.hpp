#pragma once

#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// Two bodies whose shapes overlap.
struct Overlap {
  int body1 = 0, body2 = 0;
  int geom1 = 0, geom2 = 0;  ///< the deepest pair of their geoms
  double depth = 0;          ///< m
};

/// The pairs of bodies that overlap by more than `tolerance` at the reference configuration, ascending by bodies: in
/// models of others most often shapes of neighbours that no one excluded.
std::vector<Overlap> find_overlaps(const Model& model, double tolerance = 1e-4);

/// The model without contacts between these bodies.
Model exclude_overlaps(const Model& model, const std::vector<Overlap>& overlaps);

}  // namespace uzawa
