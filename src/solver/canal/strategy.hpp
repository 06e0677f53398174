#pragma once

namespace uzawa {

/// The constants of CANAL's strategy, by stage; canal.cpp has the stages in their order. Work is counted in Newton
/// steps (Canal::spend). Where no reason is given none is recorded.
struct CanalStrategy {
  /// Primal-dual Newton from where other stages lead (newton_stages.cpp).
  struct Newton {
    int tries = 3;  ///< of a step, with larger regularisations, where one finds no descent
    /// Residual over the tolerance at which Newton stops. Just within the tolerance is not enough: the warm start of
    /// the next time steps would be within it without any Newton step, and the same error would accumulate.
    double margin = 0.01;
    double gain = 0.5;  ///< share of the residual below which a step counts as progress
    /// Consecutive steps without progress before Newton ends: where the tolerance is met, with the law as it is, with
    /// rounded corners (with 5, Newton fails on some of the stored problems and piles, at 3 times the cost).
    int content_patience = 2, sharp_patience = 3, patience = 8;
    double rounded_work = 40;  ///< Newton steps after first-order iterations
    double rounding = 30;      ///< first width of the rounding, in mean residuals
    int fewest = 50;        ///< first-order iterations that are worth while: fewer do not find out which contacts slide
    int first_order = 3;    ///< doublings of `fewest` before Newton, with settings.canal.first_order
    double stalled = 1e-5;  ///< residual that may be rounding errors of stress, whatever the tolerance
  } newton;

  /// Newton on proximal problems (proximal.cpp).
  struct Proximal {
    int steps = 10;           ///< of one anchor
    double kappa = 1e-2;      ///< first compliance, in 1/rho: a two-thousandth of the mobility of the constraint itself
    double shrink = 0.3;      ///< of the compliance after an anchor that was solved; it grows by as much after others
    double accuracy = 0.01;   ///< of the first residual of an anchor, to which it is solved
    double gain = 0.9;        ///< share of the residual below which an anchor has helped
    int patience = 60;        ///< anchors without a gain
    int rounds = 8;           ///< of first-order iterations and this
    double stiffening = 1.5;  ///< of rho, from round to round
  } proximal;

  /// Primal-dual Newton itself (primal_dual.cpp). Of 3, 10, 20, 30 and 40 for rho's factor and 1e-6 to 1e-2 for
  /// epsilon, on walls, dominoes, robots and stored problems: factors of 10 to 30 are much alike.
  struct PrimalDual {
    double rho_factor = 20;       ///< rho over the effective mass of a constraint
    double inexact = 1e-3;        ///< residual of a Newton step that iterations leave, in R: less than epsilon does
    double first_epsilon = 1e-4;  ///< regularisation of I - D
    double least_epsilon = 2e-5;  ///< by trial on stacks, where 1e-6 needs three times the steps and 1e-4 a few more
    /// Of equalities: of a step's error, rounding errors of the factors leave 1e-3 with this, and a tenth with 1e-8.
    double equality_epsilon = 1e-7;
    double damping = 10;         ///< of epsilon: growth after a step that was cut, fall after a whole one
    int halvings = 4;            ///< of a step, in the line search
    double armijo = 1e-4;        ///< share of the predicted decrease that a step must bring
    double near = 0.3;           ///< mean residual, in widths of the rounding, below which the rounding shrinks
    double shrink = 0.3;         ///< of the rounding; more where a start from the residual would be narrower
    double no_rounding = 1e-13;  ///< N s: smaller widths count as 0, being at the rounding error of impulses
  } primal_dual;

  /// Newton on the surrogate of one loop (surrogate.cpp).
  struct Surrogate {
    /// Convex: share of |r| that counts as progress, and steps without progress after which Newton ends. Below the
    /// rounding floor |r| moves by a few percent up and down; above it, the exact line search now and then lets it rise
    /// for a step or two.
    double progress = 0.9;
    int idle_steps = 6;
  } surrogate;
};

inline constexpr CanalStrategy kStrategy{};

}  // namespace uzawa
