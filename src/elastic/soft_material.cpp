#include "uzawa/elastic/soft_material.hpp"

namespace uzawa {

double lame_lambda(const SoftMaterial& material) {
  return material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson));
}

double lame_mu(const SoftMaterial& material) { return material.young / (2 * (1 + material.poisson)); }

}  // namespace uzawa
