/// Where Siconos is not installed.
#include "siconos.hpp"

namespace uzawa::bench {

bool siconos_is_installed() { return false; }
std::vector<std::string> siconos_methods() { return {}; }
SiconosProblem::SiconosProblem(const Problem&) {}
SiconosRun SiconosProblem::run(int, double, double) const { return {}; }

}  // namespace uzawa::bench
