#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// The contact operator of a surrogate problem, [COND] eq. 26.
enum class CondOperator {
  Strict,   ///< Signorini-Coulomb exactly
  Proximal  ///< cone complementarity, a convex relaxation: sliding contacts part
};
inline constexpr const char* kCondOperatorNames[] = {"strict", "proximal"};

/// The diagonal step size W of soft nodes, one number a node.
enum class CondSurrogate {
  RowSums,    ///< 1 / sum of |A_ij|: never too long, whatever A
  Frobenius,  ///< least |I - W A| in the Frobenius norm, [COND] section IV-C: the longest that hardly ever diverge
  Jacobi,     ///< 1 / trace(A_ii) / 3: too long for solids, where it diverges
  Identity,   ///< the same for all nodes: the least of the row sums' ([COND] theorem 2 in a computable form)
  TwoLevel    ///< Frobenius', and the inverse of A on aggregates of nodes that nothing touches: CoarseCorrection
};
inline constexpr const char* kCondSurrogateNames[] = {"row-sums", "frobenius", "jacobi", "identity", "two-level"};

enum class CondAcceleration {
  Automatic,  ///< Fista; Anderson where there are virtual nodes, whose impulses no momentum suits
  None,
  Chebyshev,  ///< [COND] algorithm 3
  Fista,      ///< Nesterov's momentum, restarted where steps grow
  Anderson    ///< from the last few steps
};
inline constexpr const char* kCondAccelerationNames[] = {"automatic", "none", "chebyshev", "fista", "anderson"};

/// The impulse about which a virtual node's damper is centred.
enum class CondLag {
  None,     ///< zero, as published: an error of lambda / kv in the contact's velocity
  Start,    ///< the impulse of the warm start: an error of (lambda - start) / kv
  Iterated  ///< that of the last iteration: no error
};
inline constexpr const char* kCondLagNames[] = {"none", "start", "iterated"};

enum class CondStop {
  Judged,         ///< the judge's residual within the tolerance
  VelocityChange  ///< as published: |v+ - v| below a threshold, which says little about the error
};
inline constexpr const char* kCondStopNames[] = {"judged", "velocity-change"};

/// Meaning, unit and range of each field: the table below.
struct CondSettings {
  CondOperator contact = CondOperator::Strict;
  CondSurrogate surrogate = CondSurrogate::TwoLevel;
  CondAcceleration acceleration = CondAcceleration::Automatic;
  CondLag lag = CondLag::Iterated;
  CondStop stop = CondStop::Judged;
  double virtual_gain = 0;
  double under_relaxation = 0.9;
  int chebyshev_start = 10;
  int anderson_depth = 4;
  bool exact_blocks = true;
  double velocity_change = 1e-4;
};

template <auto kSection>
inline constexpr std::array kCondSettings = {
    describe<SectionField<kSection, &CondSettings::contact>>(
        "cond.operator", kCondOperatorNames,
        "of contacts, [COND] eq. 26; proximal ends as relaxed where contacts slide"),
    describe<SectionField<kSection, &CondSettings::surrogate>>(
        "cond.surrogate", kCondSurrogateNames,
        "step size of soft nodes, halved where the iteration diverges; published: frobenius; two-level adds motions of "
        "large parts, for fewer iterations"),
    describe<SectionField<kSection, &CondSettings::acceleration>>("cond.acceleration", kCondAccelerationNames,
                                                                  "of the iteration; published: chebyshev"),
    describe<SectionField<kSection, &CondSettings::lag>>(
        "cond.lag", kCondLagNames, "impulse about which virtual nodes are damped; published: none, error lambda / kv"),
    describe<SectionField<kSection, &CondSettings::stop>>("cond.stop", kCondStopNames,
                                                          "test that ends the iteration; published: velocity-change"),
    describe<SectionField<kSection, &CondSettings::virtual_gain>>(
        "cond.virtual_gain", "kg", {0, 1e12},
        "damper of a virtual node, [COND] eq. 14 times the time step; 0: by the masses at the contact"),
    describe<SectionField<kSection, &CondSettings::under_relaxation>>(
        "cond.under_relaxation", "", {0.01, 1}, "factor of a step within Chebyshev acceleration, as published"),
    describe<SectionField<kSection, &CondSettings::chebyshev_start>>("cond.chebyshev_start", "iterations", {1, 1e6},
                                                                     "from which on Chebyshev acceleration works"),
    describe<SectionField<kSection, &CondSettings::anderson_depth>>("cond.anderson_depth", "steps", {1, 16},
                                                                    "that Anderson acceleration looks back"),
    describe<SectionField<kSection, &CondSettings::exact_blocks>>(
        "cond.exact_blocks",
        "rigid bodies, trees and rods by the inverse of their own block instead of a diagonal; off: as published"),
    describe<SectionField<kSection, &CondSettings::velocity_change>>(
        "cond.velocity_change", "m/s", {0, 1e3}, "threshold of the published test, 1e-4 or 1e-5 there"),
};

}  // namespace uzawa
