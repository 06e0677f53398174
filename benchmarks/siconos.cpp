#include "siconos.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "child_answer.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa::bench {

namespace {

/// Couplings below this share of the contacts' own are rounding errors, which would only fill W.
constexpr double kNegligible = 1e-14;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Method {
  const char* label;
  int id;
  bool blocks;  ///< wants W as a sparse block matrix, else as a sparse one
};
constexpr Method kMethods[] = {{"NSGS", SICONOS_FRICTION_3D_NSGS, true},
                               {"NSN-AC", SICONOS_FRICTION_3D_NSN_AC, false},
                               {"ADMM", SICONOS_FRICTION_3D_ADMM, false}};
constexpr int kMaxIterations = 100000;
constexpr int kMostRuns = 9;         // of quick problems, for the median
constexpr double kEnoughTime = 0.5;  // s, for all runs of one problem

/// Row of ours (t1, t2, n) -> row of Siconos (n, t1, t2).
int siconos_row(int row) { return row - row % 3 + (row % 3 + 1) % 3; }

/// One answer on its way through the pipe, followed by lambda.
struct Message {
  int status = 1, iterations = 0;
  double seconds = 0;
};

}  // namespace

/// A solve inside the child process.
struct SiconosCall {
  const SiconosProblem& problem;
  const Method& method;
  double tolerance;
  std::vector<double> reaction, velocity;

  NumericsMatrix* matrix() const {
    const int size = 3 * problem.contacts_;
    NumericsMatrix* sparse = NM_create(NM_SPARSE, size, size);
    NM_triplet_alloc(sparse, static_cast<CS_INT>(problem.w_.size()));
    for (const SiconosProblem::Entry& entry : problem.w_) NM_entry(sparse, entry.row, entry.column, entry.value);
    CSparseMatrix* columns = NM_csc(sparse);
    if (!method.blocks) return sparse;
    SparseBlockStructuredMatrix* blocks = SBM_new();
    SBM_from_csparse(3, columns, blocks);
    return NM_new_SBM(size, size, blocks);
  }

  /// Builds what the driver needs, then times the driver alone. Memory is the child's and goes with it.
  Message solve_once() {
    std::vector<double> q = problem.q_, mu = problem.mu_;
    FrictionContactProblem* fc3d =
        frictionContactProblem_new_with_data(3, problem.contacts_, matrix(), q.data(), mu.data());
    SolverOptions* options = solver_options_create(method.id);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = kMaxIterations;
    if (method.id == SICONOS_FRICTION_3D_NSGS) {
      // Its default watches changes of r only and goes on long after the error is reached.
      options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
    }
    reaction.assign(q.size(), 0.0);
    velocity.assign(q.size(), 0.0);
    Message message;
    const double start = cpu_seconds();
    message.status = fc3d_driver(fc3d, reaction.data(), velocity.data(), options);
    message.seconds = cpu_seconds() - start;
    message.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    return message;
  }

  void answer(int pipe) {
    numerics_set_verbose(0);
    use_one_blas_thread();
    const Clock::time_point start = Clock::now();
    std::vector<double> times;
    Message message;
    do {
      message = solve_once();
      times.push_back(message.seconds);
    } while (static_cast<int>(times.size()) < kMostRuns && seconds_since(start) < kEnoughTime);
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    message.seconds = times[times.size() / 2];
    write_all(pipe, &message, sizeof message);
    write_all(pipe, reaction.data(), reaction.size() * sizeof(double));
  }
};

bool siconos_is_installed() { return true; }

std::vector<std::string> siconos_methods() {
  std::vector<std::string> labels;
  for (const Method& method : kMethods) labels.emplace_back(method.label);
  return labels;
}

SiconosProblem::SiconosProblem(const Problem& problem) : contacts_(problem.contacts.size()) {
  if (problem.rows != 3 * contacts_) throw std::invalid_argument("Siconos takes contacts only");
  const PreparedProblem prepared(problem);
  q_.resize(at(problem.rows));
  for (int i = 0; i < contacts_; ++i) {
    if (!problem.contacts.cone[at(i)].isotropic()) throw std::invalid_argument("Siconos takes round cones only");
    mu_.push_back(problem.contacts.cone[at(i)].mu1);
    for (int d = 0; d < 3; ++d) {
      const int row = problem.contacts.row[at(i)] + d;
      q_[at(siconos_row(row))] = prepared.free_constraint_velocity()[at(row)] + problem.contacts.e[at(i)][d];
    }
  }
  fill_w(prepared);
}

void SiconosProblem::fill_w(const PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const SparseRows& j = prepared.rows();
  std::vector<double> x(at(problem.n())), column(at(problem.rows)), diagonal(at(problem.rows));
  std::vector<Entry> entries;
  for (int row = 0; row < problem.rows; ++row) {
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t k = j.begin(row); k < j.end(row); ++k) x[at(j.column[k])] = j.value[k];
    prepared.factor().solve(x);
    j.multiply(x, column);
    diagonal[at(siconos_row(row))] = column[at(row)];
    for (int i = 0; i < problem.rows; ++i) {
      if (column[at(i)] != 0) entries.push_back({siconos_row(i), siconos_row(row), column[at(i)]});
    }
  }
  for (const Entry& entry : entries) {
    const double own = std::sqrt(diagonal[at(entry.row)] * diagonal[at(entry.column)]);
    if (std::abs(entry.value) > kNegligible * own) w_.push_back(entry);
  }
}

SiconosRun SiconosProblem::run(int method, double tolerance, double cap_seconds) const {
  std::vector<char> bytes;
  const bool in_time = answer_of_child(
      cap_seconds,
      [&](int pipe) {
        SiconosCall{*this, kMethods[method], tolerance, {}, {}}.answer(pipe);
      },
      bytes);
  SiconosRun out;
  out.seconds = cap_seconds;
  out.end = in_time ? SiconosRun::End::Crashed : SiconosRun::End::Capped;
  if (!in_time || bytes.size() != sizeof(Message) + q_.size() * sizeof(double)) return out;
  Message message;
  std::vector<double> reaction(q_.size());
  std::copy_n(bytes.data(), sizeof message, reinterpret_cast<char*>(&message));
  std::copy_n(bytes.data() + sizeof message, q_.size() * sizeof(double), reinterpret_cast<char*>(reaction.data()));
  out.end = message.status == 0 ? SiconosRun::End::Solved : SiconosRun::End::GaveUp;
  out.iterations = message.iterations;
  out.seconds = message.seconds;
  out.lambda.resize(q_.size());
  for (int row = 0; row < static_cast<int>(q_.size()); ++row) out.lambda[at(row)] = reaction[at(siconos_row(row))];
  return out;
}

}  // namespace uzawa::bench
