#include "cholmod_oracle.hpp"

namespace uzawa::bench {

struct CholmodOracle::Data {};

bool CholmodOracle::is_there() { return false; }
void CholmodOracle::use_one_thread(char**) {}
CholmodOracle::CholmodOracle(const NodalMatrix&, bool) {}
CholmodOracle::~CholmodOracle() = default;
void CholmodOracle::factorize() {}
void CholmodOracle::solve(std::span<double>) {}
double CholmodOracle::fill() const { return 0; }
double CholmodOracle::flops() const { return 0; }

}  // namespace uzawa::bench
