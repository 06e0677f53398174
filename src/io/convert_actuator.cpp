#include <algorithm>

#include "uzawa/io/convert.hpp"

namespace uzawa::mujoco {

namespace {

ActuatorDynamics dynamics_type(int type) {
  if (type == mjDYN_INTEGRATOR) return ActuatorDynamics::Integrator;
  if (type == mjDYN_FILTER) return ActuatorDynamics::Filter;
  if (type == mjDYN_MUSCLE) return ActuatorDynamics::Muscle;
  return is_exact_filter(type) ? ActuatorDynamics::FilterExact : ActuatorDynamics::None;
}

MuscleSpec convert_muscle(const mjtNum* p) { return {{p[0], p[1]}, p[2], p[3], p[4], p[5], p[6], p[7], p[8]}; }

}  // namespace

ActuatorSpec convert_actuator(const mjModel* m, int a) {
  ActuatorSpec actuator;
  actuator.name = name_of(m, mjOBJ_ACTUATOR, a);
  switch (m->actuator_trntype[a]) {
    case mjTRN_TENDON: actuator.transmission = Transmission::Tendon; break;
    case mjTRN_JOINTINPARENT: actuator.transmission = Transmission::JointInParent; break;
    case mjTRN_SITE: actuator.transmission = Transmission::Site; break;
    case mjTRN_BODY: actuator.transmission = Transmission::Body; break;
    case mjTRN_SLIDERCRANK: actuator.transmission = Transmission::SliderCrank; break;
    default: actuator.transmission = Transmission::Joint; break;
  }
  actuator.reference = m->actuator_trnid[2 * a + 1];
  actuator.rod_length = m->actuator_cranklength[a];
  actuator.target = m->actuator_trnid[2 * a];
  std::copy_n(m->actuator_gear + 6 * a, 6, actuator.gear.begin());
  actuator.dynamics = dynamics_type(m->actuator_dyntype[a]);
  const mjtNum* dynamics = m->actuator_dynprm + mjNDYN * a;
  actuator.time_constant = dynamics[0];
  actuator.deactivation_time = dynamics[1];
  actuator.smoothing = dynamics[2];
  const mjtNum* gain = m->actuator_gainprm + mjNGAIN * a;
  const mjtNum* bias = m->actuator_biasprm + mjNBIAS * a;
  actuator.gain = {gain[0], 0, 0};
  if (m->actuator_gaintype[a] == mjGAIN_AFFINE) actuator.gain = {gain[0], gain[1], gain[2]};
  if (m->actuator_biastype[a] == mjBIAS_AFFINE) actuator.bias = {bias[0], bias[1], bias[2]};
  if (m->actuator_gaintype[a] == mjGAIN_MUSCLE) actuator.muscle_gain = convert_muscle(gain);
  if (m->actuator_biastype[a] == mjBIAS_MUSCLE) actuator.muscle_bias = convert_muscle(bias);
  actuator.length_range = range_of(m->actuator_lengthrange + 2 * a);
  actuator.unit_acceleration = m->actuator_acc0[a];
  const bool clamp_control = m->actuator_ctrllimited[a] != 0 && !disabled(m, mjDSBL_CLAMPCTRL);
  actuator.control_range = range_if(clamp_control, m->actuator_ctrlrange + 2 * a);
  actuator.force_range = range_if(m->actuator_forcelimited[a] != 0, m->actuator_forcerange + 2 * a);
  actuator.activation_range = range_if(m->actuator_actlimited[a] != 0, m->actuator_actrange + 2 * a);
  return actuator;
}

}  // namespace uzawa::mujoco
