#include "uzawa/solver/solver.hpp"

#include <algorithm>
#include <array>

#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"

namespace uzawa {

namespace {

constexpr std::span<const Setting> kLoop = kLoopSettings<&Settings::canal>;
constexpr std::span<const Setting> kCanal = kCanalSettings<&Settings::canal>;
constexpr std::span<const Setting> kSubAdmm = kSubAdmmSettings<&Settings::subadmm>;
constexpr std::span<const Setting> kCond = kCondSettings<&Settings::cond>;
constexpr std::span<const Setting> kPgs = kPgsSettings<&Settings::pgs>;
constexpr std::span<const Setting> kLcp = kLcpSettings<&Settings::lcp>;
constexpr std::span<const Setting> kPj = kPjSettings<&Settings::pj>;
constexpr std::span<const Setting> kNNewton = kNNewtonSettings<&Settings::nnewton>;
constexpr std::span<const Setting> kApgd = kApgdSettings<&Settings::apgd>;
constexpr std::span<const Setting> kCcs = kCcsSettings<&Settings::ccs>;
constexpr std::span<const Setting> kPenalty = kPenaltySettings<&Settings::penalty>;
constexpr std::span<const Setting> kSoftConvex = kSoftConvexSettings<&Settings::soft_convex>;

constexpr std::array kSolvers = {
    Solver{
        "auto",
        "what to use unless you compare methods: takes what suits an island of touching bodies: canal with Newton or "
        "first-order iterations first (by size, masses and tolerance), cond before it on large soft bodies, subadmm "
        "where these fail",
        solve_auto,
        true,
        {kLoop, kCanal, kSubAdmm, kCond},
        {.moments = true, .iterates = true, .takes_whole = prefers_cond}},
    Solver{"canal",
           "cascaded Newton augmented Lagrangian: exact contact to rounding in about ten loops",
           solve_canal,
           false,
           {kLoop, kCanal},
           {.stages = canal_stages, .moments = true, .iterates = true}},
    Solver{"subadmm",
           "subsystem-based ADMM: parallel, linear time, moderate accuracy",
           solve_subadmm,
           true,
           {kSubAdmm},
           {.pieces = true, .moments = true, .iterates = true}},
    Solver{"cond",
           "contact nodalization and diagonalization: products with A only, for soft bodies of many nodes",
           solve_cond,
           true,
           {kCond},
           {.takes_whole = [](const Problem&, const Settings&) { return true; }}},
    Solver{"pgs",
           "projected Gauss-Seidel on the Delassus operator: what most engines use",
           solve_pgs,
           false,
           {kPgs},
           {.moments = true}},
    Solver{"pj",
           "projected Jacobi with mass splitting: all constraints at once; baseline of [SUB]",
           solve_pj,
           false,
           {kPj}},
    Solver{"fadmm",
           "ADMM on the full system: one factor of A + beta J^T J, one slack a constraint; baseline of [SUB]",
           solve_admm_no_sub,
           true,
           {kSubAdmm},
           {.moments = true}},
    Solver{"nnewton",
           "nonsmooth Newton on the whole system, Schur complement by conjugate gradients; baseline of [SUB]",
           solve_nnewton,
           false,
           {kNNewton}},
    Solver{"apgd",
           "accelerated projected gradient on the Delassus operator, matrix-free or explicit; baseline",
           solve_apgd,
           false,
           {kApgd}},
    Solver{"ccs",
           "contact constraint splitting: ADMM between a linear solve and one contact problem a node; baseline",
           solve_ccs,
           false,
           {kCcs}},
    Solver{"al-semismooth",
           "CANAL without its cascade: damped semismooth Newton on the strict law; ablation",
           solve_al_semismooth,
           false,
           {kLoop}},
    Solver{"al-dogleg",
           "CANAL without its cascade: trust-region dogleg on the strict law; ablation",
           solve_al_dogleg,
           false,
           {kLoop}},
    Solver{"soft-convex",
           "one soft convex problem as in MuJoCo: sinks, creeps and glides by design; baseline",
           solve_soft_convex,
           false,
           {kSoftConvex},
           {.soft = true, .at_start = true}},
    Solver{"lcp",
           "pivoting on a friction polygon: a finite, exact answer to the linearised problem; islands of some 100 "
           "contacts",
           solve_lcp,
           false,
           {kLcp}},
    Solver{"lcp-search", "the same by a search over sequences of pivots", solve_lcp_search, false, {kLcp}},
    Solver{"lcp-lemke", "the same by Lemke's algorithm on a tableau; baseline", solve_lcp_lemke, false, {kLcp}},
    Solver{"lcp-lexicographic",
           "the same by Lemke's algorithm with lexicographic ordering; baseline",
           solve_lcp_lexicographic,
           false,
           {kLcp}},
    Solver{"penalty",
           "springs and dampers with regularised friction: sinks and creeps by its gains; baseline",
           solve_penalty,
           false,
           {kPenalty},
           {.soft = true}},
    Solver{"admm-no-sub",
           "SubADMM without subsystems: one slack a constraint, one matrix for all; ablation",
           solve_admm_no_sub,
           true,
           {kSubAdmm},
           {.moments = true}},
    Solver{"admm-no-body",
           "SubADMM without splitting by bodies: one dense matrix a subsystem; ablation",
           solve_admm_no_body,
           true,
           {kSubAdmm},
           {.moments = true}},
};

/// All settings, each once.
constexpr std::array<std::span<const Setting>, 13> kTables = {
    kCommonSettings, kLoop, kCanal, kSubAdmm, kCond, kPgs, kPj, kNNewton, kApgd, kCcs, kLcp, kSoftConvex, kPenalty};

}  // namespace

const char* to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged: return "converged";
    case SolveStatus::IterationLimit: return "iteration-limit";
    case SolveStatus::WorkLimit: return "work-limit";
    case SolveStatus::TimeLimit: return "time-limit";
    case SolveStatus::Interrupted: return "interrupted";
    case SolveStatus::LeastViolation: return "least-violation";
    case SolveStatus::Relaxed: return "relaxed";
    case SolveStatus::Frictionless: return "frictionless";
    case SolveStatus::Stalled: return "stalled";
  }
  return "";
}

void require_moments(const Solver& solver, const Problem& problem) {
  if (problem.moments.size() == 0 || solver.traits.moments) return;
  std::string names;
  for (const Solver& other : kSolvers) {
    if (other.traits.moments) names += (names.empty() ? "" : ", ") + std::string(other.name);
  }
  throw InputError(problem.name, "solver '" + std::string(solver.name) + "'",
                   "does not know rolling and torsional friction (moment constraints); these do: " + names);
}

void Solver::solve(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) const {
  require_moments(*this, problem);
  const bool cut = !problem.pieces.empty() && settings.pieces != PieceUse::Whole;
  if (cut && traits.pieces) {
    workspace.prepared.prepare(problem);
    method(workspace.prepared, settings, workspace, result);
    return;
  }
  if (cut && settings.pieces == PieceUse::Split) return solve_split(problem, settings, workspace, result);
  if (traits.takes_whole != nullptr && traits.takes_whole(problem, settings)) {
    workspace.prepared.prepare_rows(problem);
    method(workspace.prepared, settings, workspace, result);
    return;
  }
  if (!workspace.condensation.condense(problem, traits.iterates)) {
    workspace.prepared.prepare(problem, traits.iterates);
    method(workspace.prepared, settings, workspace, result);
    return;
  }
  workspace.prepared.prepare(workspace.condensation.reduced());
  method(workspace.prepared, settings, workspace, result);
  workspace.condensed_v.swap(result.v);
  result.v.resize(static_cast<std::size_t>(problem.n()));
  workspace.condensation.expand(problem, workspace.condensed_v, result.v);
}

std::span<const Solver> solvers() { return kSolvers; }

const Solver& find_solver(std::string_view name) {
  const auto it = std::find_if(kSolvers.begin(), kSolvers.end(), [&](const Solver& s) { return name == s.name; });
  if (it != kSolvers.end()) return *it;
  std::string names;
  for (const Solver& solver : kSolvers) names += (names.empty() ? "" : ", ") + std::string(solver.name);
  throw InputError("", "solver '" + std::string(name) + "'",
                   "there is none of that name; did you mean " + std::string(nearest_name(kSolvers, name)) +
                       "? There are: " + names);
}

const Setting& find_setting(std::string_view name) {
  std::string names;
  for (const std::span<const Setting> table : kTables) {
    for (const Setting& setting : table) {
      if (name == setting.name) return setting;
      names += (names.empty() ? "" : ", ") + std::string(setting.name);
    }
  }
  throw InputError("", "setting '" + std::string(name) + "'", "there is none of that name; there are: " + names);
}

}  // namespace uzawa
