#pragma once

namespace uzawa {

/// Work that one attempt of CANAL may do.
struct CanalBudget {
  int rounds = 1;       ///< an attempt ends earlier where it converges, fails or is out of time
  int steps = 0;        ///< Newton steps a round
  int first_order = 0;  ///< SubADMM's iterations before the first round; twice as many before each other
};

/// Every constant of CANAL's strategy, by stage. The order in which stages are tried is the table in canal.cpp. Where
/// no reason is given none is recorded.
struct CanalStrategy {
  /// Primal-dual Newton before the first loop (approach.cpp): sufficient for most steps of a simulation.
  struct Approach {
    CanalBudget warm{.steps = 10};  ///< warm start
    CanalBudget cold{.steps = 4};   ///< cold start of small islands: often two steps are enough
    /// With the corners of the law rounded; on small islands first without first-order iterations.
    CanalBudget rounded{.steps = 40};
    CanalBudget small{.rounds = 2, .steps = 40, .first_order = 50};
    /// With few dofs loops of the cascade are so cheap that one round is enough.
    CanalBudget few_dofs{.rounds = 1, .steps = 40, .first_order = 100};
    CanalBudget large{.rounds = 5, .steps = 40, .first_order = 100};
    int small_rows = 150;     ///< rows of J up to which an island is small
    int few_dofs_most = 100;  ///< dofs up to which a large island has few
    double rounding = 30;     ///< first width of the rounding, in mean residuals
    int other_epsilons = 3;   ///< regularisations that are tried where the first finds no descent
    /// Residual over the tolerance at which Newton stops. Just within the tolerance is not enough: the warm start of
    /// the next time steps would be within it without any Newton step, and the same error would accumulate.
    double margin = 0.01;
    double gain = 0.5;  ///< share of the residual below which a step counts as progress
    /// Consecutive steps without progress before Newton ends: where the tolerance is met, and where not (with 5, Newton
    /// fails on some of the stored problems and piles, at 3 times the cost).
    int content_patience = 2, patience = 8;
    int hopeful_steps = 3;  ///< on large islands: steps that must gain as much as a polish, or Newton has failed
  } approach;

  /// The loops of [AL] Algorithm 1 (cascade.cpp).
  struct Loops {
    int most = 50;      ///< loops, where settings.max_iterations is 0
    double gain = 0.7;  ///< share of the residual below which a loop converges well by itself
    int patience = 3;   ///< loops without a gain, before only smoothing and Newton go on
    int most_idle = 8;  ///< loops without a gain, before CANAL gives up: single steps of dishes took 50 loops and 1.5 s
    /// Rows of J a dof above which bodies are crowded (shells in each other, nuts): loops are cheap and converge
    /// irregularly. At a cold start of several such bodies the cascade comes first, because Newton seldom converges.
    int crowded_rows = 20;
    int single_body = 6;  ///< dofs
  } loops;

  /// Semismooth Newton on the strict law from the point of the cascade (cascade.cpp).
  struct Polish {
    CanalBudget budget{.rounds = 4, .steps = 25};  ///< rounds are multiplier updates, until one does not help
    double gain = 0.3;                             ///< share of the residual below which a round has helped
  } polish;

  /// Newton along the solutions of rounded laws, while the rounding shrinks (path_following.cpp).
  struct Path {
    CanalBudget budget{.rounds = 24, .steps = 15};  ///< of one path; a round is one width of the rounding
    double tolerance = 1e-6;                        ///< of one round, relative as settings.canal.newton_tolerance
    double widest[2] = {1, 0.1};                    ///< mean impulses: where paths start, one after the other
    double narrowest = 1e-7;                        ///< mean impulses: where they end
    double shrink = 0.5;                            ///< of the rounding from round to round
  } path;

  /// First-order iterations (SubADMM) where Newton fails, then a polish (smoothing.cpp).
  struct Smoothing {
    CanalBudget budget{.rounds = 4, .steps = 25, .first_order = 50};  ///< twice the iterations each time; as a polish
    int most = 1600;                                                  ///< iterations at a time
    int look_every = 50;  ///< iterations from one look of the judge to the next
  } smoothing;

  /// Newton on proximal problems (proximal.cpp): the last attempt.
  struct Proximal {
    CanalBudget budget{.rounds = 150, .steps = 30};  ///< a round is one anchor
    double reach = 1e-4;     ///< residual above which the constraints are more likely to contradict each other
    double kappa = 1e-2;     ///< first compliance, in 1/rho: a thousandth of the mobility of the constraint itself
    double shrink = 0.3;     ///< of the compliance after a round that was solved
    double growth = 3;       ///< and after one that was not
    double accuracy = 0.01;  ///< of the first residual of a round, to which it is solved
    double gain = 0.9;       ///< share of the residual below which a round has helped
    int patience = 60;       ///< rounds without a gain
  } proximal;

  /// Constraints that contradict each other: lambda grows by the same amount in every loop.
  struct Contradiction {
    int loops = 4;             ///< in which lambda grows by the same amount
    double stride = 10;        ///< growth, from loop to loop, of the extrapolation of lambda
    double gap_change = 1e-3;  ///< relative change of |J v - z| below which a contradiction is possible
  } contradiction;

  /// Primal-dual Newton itself (primal_dual.cpp). By trial on piles of spheres, the hardest of our scenes
  /// (benchmark_step auto): of 3, 10 and 30 for rho's factor, 1e-6 to 1e-2 for epsilon.
  struct PrimalDual {
    double rho_factor = 10;       ///< rho over the effective mass of a constraint
    double first_epsilon = 1e-4;  ///< regularisation of I - D
    double least_epsilon = 2e-5;  ///< by trial on stacks, where 1e-6 needs three times the steps and 1e-4 a few more
    double most_epsilon = 1;
    double epsilon_growth = 100, epsilon_decay = 1. / 30;  ///< where a step gives no descent; from step to step
    int halvings = 4;                                      ///< of a step, in the line search
    double armijo = 1e-4;                                  ///< share of the predicted decrease that a step must bring
    double near = 0.1;           ///< mean residual, in widths of the rounding, below which the rounding shrinks
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
    /// Strict: the polish is tried often and ended early; a step length below 1/32 is a sign that it fails.
    int halvings = 6;
    double armijo = 1e-4;  ///< share of the predicted decrease that a step must bring
  } surrogate;
};

inline constexpr CanalStrategy kStrategy{};

}  // namespace uzawa
