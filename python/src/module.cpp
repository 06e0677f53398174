#include "bindings.hpp"

NB_MODULE(_core, m) {
  using namespace uzawa::python;
  m.doc() = "The engine: what the package uzawa is made of. Its names may change; use those of the package.";
  m.attr("version") = UZAWA_VERSION;
  m.attr("march") = UZAWA_MARCH_NAME;
  bind_errors(m);
  bind_model(m);
  bind_report(m);
  bind_world(m);
  bind_dynamics(m);
  bind_batch(m);
  bind_problem(m);
  bind_scene(m);
  bind_log(m);
  bind_live(m);
  bind_render(m);
}
