#pragma once

#include <string>

/// The tables of benchmark_soft, one a file.
namespace uzawa::bench {

inline constexpr double kSoftTolerance = 1e-6;  // what our solver is asked for; MuJoCo has its default

/// A soft block and a rope beside MuJoCo's; false where ours is slower or has the larger residual.
bool compare_soft_with_mujoco(const std::string& only);
/// Time of a step over the number of nodes, up to `most` of them; false where an exponent is above its target.
bool measure_soft_growth(const std::string& only, int most);
/// SubADMM on soft bodies and rods as a whole and in pieces.
bool measure_soft_pieces(const std::string& only);

}  // namespace uzawa::bench
