#include <array>
#include <cassert>

#include "uzawa/io/cable.hpp"
#include "uzawa/io/compile.hpp"

namespace uzawa::mujoco {

#if UZAWA_MUJOCO_MODERN

namespace {

struct SpecDeleter {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};

/// Of mjsFlex::elastic2d.
constexpr int kBending = 1, kStretching = 2;

/// Reads what compiling loses, and takes out what only concerns MuJoCo's own stepping: some of its integrators refuse
/// flexes, others the contacts that it calls passive.
std::vector<FlexSource> take_flexes(mjSpec* spec) {
  std::vector<FlexSource> sources;
  for (mjsElement* element = mjs_firstElement(spec, mjOBJ_FLEX); element != nullptr;
       element = mjs_nextElement(spec, element)) {
    mjsFlex* flex = mjs_asFlex(element);
    sources.push_back({.young = flex->young,
                       .poisson = flex->poisson,
                       .damping = flex->damping,
                       .thickness = flex->thickness,
                       .stretching = (flex->elastic2d & kStretching) != 0,
                       .bending = (flex->elastic2d & kBending) != 0,
                       .passive_contacts = flex->passive != 0});
    flex->passive = 0;
    spec->option.integrator = mjINT_EULER;
  }
  return sources;
}

}  // namespace

ModelPtr compile_file(const std::string& name, const mjVFS* files, std::vector<FlexSource>& flexes,
                      std::string& message) {
  register_plugins();
  std::array<char, 2000> error{};
  const std::unique_ptr<mjSpec, SpecDeleter> spec(
      mj_parseXML(name.c_str(), files, error.data(), static_cast<int>(error.size())));
  message = error.data();
  if (!spec) return nullptr;
  flexes = take_flexes(spec.get());
  ModelPtr model(mj_compile(spec.get(), files));
  if (!model || mjs_isWarning(spec.get()) != 0) message = mjs_getError(spec.get());
  assert(!model || flexes.size() == static_cast<std::size_t>(model->nflex));
  return model;
}

#else

ModelPtr compile_file(const std::string& name, const mjVFS* files, std::vector<FlexSource>& /*flexes*/,
                      std::string& message) {
  std::array<char, 2000> error{};
  ModelPtr model(mj_loadXML(name.c_str(), files, error.data(), static_cast<int>(error.size())));
  message = error.data();
  return model;
}

#endif

}  // namespace uzawa::mujoco
