#include "bindings.hpp"
#include "simulation.hpp"

namespace uzawa::python {

namespace {

template <auto kField>
auto of_last_step() {
  return [](const Report& r) { return r.step.*kField; };
}

}  // namespace

void bind_report(nb::module_& m) {
  nb::class_<Report> c(m, "Report", "Findings of one or several steps: the worst of them.");
  c.def(nb::init<>());
  c.def_prop_ro(
      "status", [](const Report& r) { return to_string(r.status); },
      "'solved': to the tolerance; 'relaxed'; 'capped': a limit of work or time was reached and the best "
      "impulses were taken; 'least-violation': the constraints contradict each other; 'failed': no finite "
      "velocities were found, and the state is as before that step");
  c.def_prop_ro(
      "ok", [](const Report& r) { return r.status == StepStatus::Solved; }, "all steps are solved");
  c.def_ro("residual", &Report::residual, "largest of the steps, m/s and N s, by a judge that no solver owns");
  c.def_ro("penetration", &Report::penetration, "m, deepest contact at the start of a step");
  c.def_ro("iterations", &Report::iterations, "of the hardest island of the hardest step");
  c.def_ro("steps", &Report::steps, "steps that were made; a failed one ends them");
  c.def_ro("time", &Report::time, "s, simulated, after them");
  c.def_prop_ro("contacts", of_last_step<&StepReport::contacts>(), "of the last step, near ones included");
  c.def_prop_ro("constraints", of_last_step<&StepReport::constraints>(), "of the last step");
  c.def_prop_ro("islands", of_last_step<&StepReport::islands>(), "of the last step");
  c.def_prop_ro("asleep", of_last_step<&StepReport::asleep>(), "subsystems that the last step left out");
  c.def_prop_ro("position_error", of_last_step<&StepReport::position_error>(), "m or rad, corrected by the last step");
  c.def_prop_ro(
      "kinetic_energy", [](const Report& r) { return r.step.energy.kinetic; }, "J, at its start");
  c.def_prop_ro(
      "potential_energy", [](const Report& r) { return r.step.energy.potential; }, "J, at its start");
  c.def_prop_ro(
      "energy_gain", [](const Report& r) { return r.step.energy.gain; },
      "J that no force explains, since the state was set");
  c.def_prop_ro(
      "seconds", [](const Report& r) { return r.step.times.total(); }, "s, wall time of the last step");
  c.def("__repr__", [](const Report& r) {
    char text[200];
    std::snprintf(static_cast<char*>(text), sizeof text,
                  "<uzawa.Report %s, %d step%s to t = %.6g s, residual %.1e, penetration %.1e m, %d contacts>",
                  to_string(r.status), r.steps, r.steps == 1 ? "" : "s", r.time, r.residual, r.penetration,
                  r.step.contacts);
    return std::string(static_cast<char*>(text));
  });
}

}  // namespace uzawa::python
