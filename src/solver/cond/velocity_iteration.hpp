#pragma once

#include <span>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/cond/coarse_correction.hpp"
#include "uzawa/solver/cond/local_laws.hpp"
#include "uzawa/solver/cond/nodalization.hpp"
#include "uzawa/solver/cond/step_sizes.hpp"

namespace uzawa {

/// The velocity fixed-point iteration (V-FPI) of [COND] eq. 20-24, with virtual nodes:
///
///     y  = k (V v - z) - l                 pull of the virtual nodes' dampers, centred at the impulses l
///     v* = v - W (A v - b + V^T y)         eq. 20
///     lambda: the laws for u = D v* + (V v* - l / k) + (D W D^T + 1 / k) lambda         eq. 23, Alg. 2
///     v+ = v* + W D^T lambda               eq. 24
///     z+ = V v* + (lambda - l) / k         eq. 17: the virtual nodes' own dynamics, in closed form
///     l+ = lambda (or l, see CondLag)
///
/// Constraints without a direct part come last: V v* has the others' impulses on nodes that they share.
/// The state that goes around is x = (v, z, l); z and l have three numbers a virtual node.
class VelocityIteration {
 public:
  /// False where a block of A is not positive definite. `pool` may be null: one thread.
  [[nodiscard]] bool prepare(const Problem& problem, const CompactRows& rows, const CondSettings& settings,
                             ThreadPool* pool);
  std::size_t state_size() const { return size_; }
  /// The state for velocities and impulses, both of the problem's size.
  void start(std::span<const double> v, std::span<const double> lambda, std::span<double> x) const;
  /// next = F(x).
  void step(std::span<const double> x, std::span<double> next);
  /// Per entry of the state: weights in whose norm steps are compared, all of them energies.
  std::span<const double> metric() const { return metric_; }
  /// Impulses of the last step, in the order of the constraints.
  void impulses(std::span<double> lambda) const;
  /// Halves W.
  void shorten_steps();

  const Nodalization& nodes() const { return nodes_; }
  const StepSizes& step_sizes() const { return sizes_; }

 private:
  /// A share of the blocks' dofs: nodes [begin, end) of a nodal block, or blocks [begin, end).
  struct Part {
    int nodal_block;  ///< -1: whole blocks
    int begin, end;
  };
  void make_parts(const Problem& problem);
  void set_gammas();
  void pull(int begin, int end, const double* x);
  void move(const Part& part, const double* x, double* next);
  void move_block(int b, const double* x, double* next);
  void finish_row(int first, int count, const double* x, double* next);
  void observe(int begin, int end, bool with_direct, const double* x, double* next);
  void respond(int begin, int end, bool with_direct, const double* x, double* next);
  template <typename Task>
  void for_each_chunk(int count, int chunk, Task&& task) const;

  const Problem* problem_ = nullptr;
  CondSettings settings_;
  ThreadPool* pool_ = nullptr;
  Nodalization nodes_;
  StepSizes sizes_;
  CoarseCorrection coarse_;
  LocalLaws laws_;
  std::vector<Part> parts_;
  bool any_alone_ = false;                  ///< constraints without a direct part
  std::size_t size_ = 0, z_ = 0, lag_ = 0;  ///< of the state, and where its parts begin
  std::vector<Vec3> y_;                     ///< by slot
  std::vector<double> gradient_;            ///< per dof
  std::vector<double> gamma_;               ///< per constraint
  std::vector<Vec3> u_star_, lambda_;       ///< per constraint
  std::vector<double> metric_;
};

}  // namespace uzawa
