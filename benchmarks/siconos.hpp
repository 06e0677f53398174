#pragma once

#include <string>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"

/// Solvers of Siconos (INRIA) on our problems: contacts with isotropic friction only, in its local form
/// u = W r + q with rows n, t1, t2 a contact.
namespace uzawa::bench {

bool siconos_is_installed();
/// Labels of the methods that are run: nonsmooth Gauss-Seidel, nonsmooth Newton (Alart-Curnier), ADMM.
std::vector<std::string> siconos_methods();

struct SiconosRun {
  enum class End { Solved, GaveUp, Capped, Crashed } end = End::Crashed;
  int iterations = 0;
  double seconds = 0;          ///< CPU time of the driver alone, median; the cap where it was reached
  std::vector<double> lambda;  ///< in our order; empty where there is no answer
};

/// W and q of a problem, once for all methods.
class SiconosProblem {
 public:
  explicit SiconosProblem(const Problem& problem);
  /// Each run is a process of its own, so that a method that hangs or exits does no harm.
  SiconosRun run(int method, double tolerance, double cap_seconds) const;

 private:
  struct Entry {
    int row, column;
    double value;
  };
  friend struct SiconosCall;
  void fill_w(const PreparedProblem& prepared);

  int contacts_ = 0;
  std::vector<Entry> w_;
  std::vector<double> q_, mu_;
};

}  // namespace uzawa::bench
