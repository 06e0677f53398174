#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// The laws of all constraints at once, in the augmented Lagrangian ([AL] eq. 19 and 22): impulses as a function of J v
/// for a given multiplier and penalty.
struct LawParameters {
  double beta = 1;
  std::span<const double> multiplier;  ///< lambda of the last loop, per row (u = -lambda)
  std::span<const double> shift;       ///< lagged p = mu |z_t + e_t|, per contact; empty with the strict law
  bool strict = false;                 ///< strict law for contacts instead of the cone with the shift
  double smoothing = 0;                ///< strict law only: width over which its corners are rounded, N s; 0: exact
  std::span<const double> betas =
      {};  ///< a penalty for each row instead of `beta`, the same for a contact's three; impulses only, or strict law

  double beta_of(int row) const { return betas.empty() ? beta : betas[static_cast<std::size_t>(row)]; }
};

/// Impulses at u = J v, per row.
void constraint_impulses(const Problem& problem, const LawParameters& law, std::span<const double> u,
                         std::span<double> impulse);

/// d lambda / d s at a point: 3x3 per contact or moment, one number per row for the others.
struct LawDerivatives {
  std::vector<Mat3> contact;   ///< per contact
  std::vector<double> scalar;  ///< per row; rows of contacts and moments unused
  std::vector<Mat3> moment;    ///< per moment
  std::vector<Mat3> coupling;  ///< per moment: over the s of its contact, whose normal impulse bounds it
  void resize(const Problem& problem);
  void set_to_one(const Problem& problem);
};

/// Impulses, their derivatives, and the sum of the potentials (zero for strict contacts, which have none).
double constraint_response(const Problem& problem, const LawParameters& law, std::span<const double> u,
                           std::span<double> impulse, LawDerivatives& derivatives);

/// Slope of the potentials along a direction: sum over the constraints of -lambda(u) . du, and its own slope
/// beta du^T (d lambda/d s) du.
struct DirectionalSlope {
  double first = 0, second = 0;
};
DirectionalSlope directional_slope(const Problem& problem, const LawParameters& law, std::span<const double> u,
                                   std::span<const double> du);

}  // namespace uzawa
