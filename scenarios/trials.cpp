#include "uzawa/scenarios/trials.hpp"

namespace uzawa::scenarios {

Parameters drawn(Parameters parameters, const MaterialRanges& ranges, std::uint64_t seed) {
  if (parameters[kRandomMaterial.name] != 1) return parameters;
  Random random(seed);
  const auto draw = [&](const char* name, const Range& range) {
    parameters.set(name, random.uniform(range.lower, range.upper));
  };
  draw("young", ranges.young);
  draw("poisson", ranges.poisson);
  draw("mu", ranges.mu);
  return parameters;
}

}  // namespace uzawa::scenarios
