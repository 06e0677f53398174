#include "uzawa/elastic/soft_material.hpp"

#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa {

double lame_lambda(const SoftMaterial& material) {
  return material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson));
}

double lame_mu(const SoftMaterial& material) { return material.young / (2 * (1 + material.poisson)); }

void check_material(const SoftMaterial& material) {
  const auto check = [](bool good, const char* name, double value, const char* range) {
    if (!good)
      throw InputError("soft body", "material", std::string(name) + " is " + std::to_string(value) + ", not " + range);
  };
  check(material.young > 0 && material.young < 1e300, "young", material.young, "a positive number");
  check(material.poisson > -1 && material.poisson < 0.5, "poisson", material.poisson, "between -1 and 0.5");
  check(material.damping >= 0, "damping", material.damping, "zero or positive");
  check(material.mass_damping >= 0, "mass_damping", material.mass_damping, "zero or positive");
  check(material.thickness >= 0, "thickness", material.thickness, "zero or positive");
  check(material.edge_stiffness >= 0, "edge_stiffness", material.edge_stiffness, "zero or positive");
  check(material.edge_damping >= 0, "edge_damping", material.edge_damping, "zero or positive");
}

}  // namespace uzawa
