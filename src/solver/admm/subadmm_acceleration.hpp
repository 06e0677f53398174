#pragma once

#include <span>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

/// Safeguarded Anderson acceleration (type II) of a fixed point y = F(y): from the last few pairs (y, F(y)) the
/// combination of the F whose residual F(y) - y would be least, were F linear. Near the solution F is nearly linear,
/// because contacts no longer change between open, stick and slip.
///
/// A cycle of a few plain steps counts as one application of F. That costs a fraction of accelerating each step, and
/// works as well: the plain steps damp the errors that extrapolation introduces. Safeguard: where the first step from
/// an extrapolated point is too long, the point is rejected and the history cleared.
class SubAdmmAcceleration {
 public:
  /// For a state y of `size`, with a history of at most `depth` differences.
  void prepare(std::size_t size, int depth);
  /// Clears the history; to be called where F changes.
  void forget();
  /// Whether the next improve will read `previous`.
  bool looks_back() const;
  /// To be called after a plain step from `previous` to `y`; `previous` is read where looks_back() is true. True where
  /// it replaced y, from which the iteration continues.
  [[nodiscard]] bool improve(std::span<const Vec3Wide> previous, std::span<Vec3Wide> y, ThreadPool* pool);

 private:
  static constexpr int kMaxDepth = 10;
  /// Of a chunk: dot products of each difference of residuals with the newest one and with the residual; or a sum of
  /// squares.
  struct Products {
    double with_newest[kMaxDepth] = {}, with_residual[kMaxDepth] = {}, square = 0;
  };

  void add_pair(std::span<const Vec3Wide> g, ThreadPool* pool);
  Products add_chunk(std::span<const Vec3Wide> g, int newest, std::size_t begin, std::size_t end);
  bool extrapolate(std::span<Vec3Wide> out, ThreadPool* pool) const;
  double distance_square(std::span<const Vec3Wide> a, std::span<const Vec3Wide> b, ThreadPool* pool);
  int known() const;

  int depth_ = 0;
  int pairs_ = 0;                                        ///< since the last forget
  int steps_ = 0;                                        ///< of the current cycle
  bool trial_ = false;                                   ///< the last step was the first from an extrapolated point
  double last_step_ = 0;                                 ///< square of the plain step before the extrapolation
  std::vector<Vec3Wide> origin_;                         ///< where the cycle started
  std::vector<Vec3Wide> g_, f_;                          ///< of the last pair: end of the cycle, and end minus start
  std::vector<Vec3Wide> dg_[kMaxDepth], df_[kMaxDepth];  ///< their differences from pair to pair, in a ring
  double gram_[kMaxDepth][kMaxDepth] = {};               ///< df . df
  double right_[kMaxDepth] = {};                         ///< df . f
  std::vector<Products> partial_;                        ///< per chunk
};

}  // namespace uzawa
