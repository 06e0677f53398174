#pragma once

#include <memory>
#include <span>

#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa::bench {

/// CHOLMOD, whose supernodal part is GPL: only here, beside ours, and only where it is installed. One thread.
class CholmodOracle {
 public:
  /// The better of AMD and METIS by fill; supernodal or CHOLMOD's own choice.
  CholmodOracle(const NodalMatrix& matrix, bool supernodal);
  ~CholmodOracle();

  static bool is_there();
  /// Begins the program anew with one thread for its BLAS, which reads the environment when it is loaded and, as Debian
  /// has it, can't be told later. Does nothing where that is set already.
  static void use_one_thread(char** arguments);
  void factorize();
  void solve(std::span<double> x);
  double fill() const;
  double flops() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace uzawa::bench
