#include "cholmod_oracle.hpp"

#include <suitesparse/cholmod.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "uzawa/base/at.hpp"

namespace uzawa::bench {

struct CholmodOracle::Data {
  cholmod_common common{};
  cholmod_sparse* matrix = nullptr;
  cholmod_factor* factor = nullptr;
  cholmod_dense *right = nullptr, *solution = nullptr, *scratch_y = nullptr, *scratch_e = nullptr;
};

bool CholmodOracle::is_there() { return true; }

void CholmodOracle::use_one_thread(char** arguments) {
  if (std::getenv("OPENBLAS_NUM_THREADS")) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", arguments);
}

CholmodOracle::CholmodOracle(const NodalMatrix& matrix, bool supernodal) : data_(std::make_unique<Data>()) {
  cholmod_common* c = &data_->common;
  cholmod_start(c);
  if (supernodal) c->supernodal = CHOLMOD_SUPERNODAL;
  c->final_ll = 1;
  c->nmethods = 2;
  c->method[0].ordering = CHOLMOD_AMD;
  c->method[1].ordering = CHOLMOD_METIS;
  const NodalPattern& pattern = *matrix.pattern;
  const std::size_t size = 3 * at(pattern.nodes());
  cholmod_triplet* triplet = cholmod_allocate_triplet(size, size, 9 * pattern.blocks(), -1, CHOLMOD_REAL, c);
  for (int i = 0; i < pattern.nodes(); ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
      for (int r = 0; r < 9; ++r) {
        const int row = 3 * i + r / 3, column = 3 * pattern.column[at(k)] + r % 3;
        if (row < column) continue;
        static_cast<int*>(triplet->i)[triplet->nnz] = row;
        static_cast<int*>(triplet->j)[triplet->nnz] = column;
        static_cast<double*>(triplet->x)[triplet->nnz++] = matrix.block(at(k))[r];
      }
    }
  }
  data_->matrix = cholmod_triplet_to_sparse(triplet, triplet->nnz, c);
  cholmod_free_triplet(&triplet, c);
  data_->factor = cholmod_analyze(data_->matrix, c);
  data_->right = cholmod_zeros(size, 1, CHOLMOD_REAL, c);
}

CholmodOracle::~CholmodOracle() {
  cholmod_common* c = &data_->common;
  for (cholmod_dense** x : {&data_->right, &data_->solution, &data_->scratch_y, &data_->scratch_e})
    cholmod_free_dense(x, c);
  cholmod_free_factor(&data_->factor, c);
  cholmod_free_sparse(&data_->matrix, c);
  cholmod_finish(c);
}

void CholmodOracle::factorize() { cholmod_factorize(data_->matrix, data_->factor, &data_->common); }

void CholmodOracle::solve(std::span<double> x) {
  std::copy(x.begin(), x.end(), static_cast<double*>(data_->right->x));
  cholmod_solve2(CHOLMOD_A, data_->factor, data_->right, nullptr, &data_->solution, nullptr, &data_->scratch_y,
                 &data_->scratch_e, &data_->common);
  std::copy_n(static_cast<const double*>(data_->solution->x), x.size(), x.begin());
}

double CholmodOracle::fill() const { return data_->common.lnz; }
double CholmodOracle::flops() const { return data_->common.fl; }

}  // namespace uzawa::bench
