#include "model_change.hpp"

#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"

namespace uzawa::python {

namespace {

using Out = std::span<double>;
using In = std::span<const double>;

template <double JointSpec::*kField>
constexpr ChangeField joint_field(const char* name, const char* about) {
  return {name,
          Element::Joint,
          1,
          false,
          about,
          [](const ModelSpec& s, std::size_t i, Out out) { out[0] = s.joints[i].*kField; },
          [](ModelSpec& s, std::size_t i, In in) { s.joints[i].*kField = in[0]; }};
}

void set_mass(ModelSpec& spec, std::size_t i, In in) {
  BodySpec& body = spec.bodies[i];
  if (body.mass > 0) body.principal_inertia = body.principal_inertia * (in[0] / body.mass);
  body.mass = in[0];
}

constexpr ChangeField kFields[] = {
    {"body.mass", Element::Body, 1, false, "kg; the inertia changes in proportion",
     [](const ModelSpec& s, std::size_t i, Out out) { out[0] = s.bodies[i].mass; }, set_mass},
    {"geom.friction", Element::Geom, 1, false, "coefficient of sliding friction",
     [](const ModelSpec& s, std::size_t i, Out out) { out[0] = s.geoms[i].friction[0]; },
     [](ModelSpec& s, std::size_t i, In in) { s.geoms[i].friction[0] = in[0]; }},
    {"geom.size", Element::Geom, 3, true, "m, as in the model file; the body's mass stays",
     [](const ModelSpec& s, std::size_t i, Out out) { s.geoms[i].size.store(out.data()); },
     [](ModelSpec& s, std::size_t i, In in) { s.geoms[i].size = Vec3::from(in.data()); }},
    joint_field<&JointSpec::damping>("joint.damping", "N m s/rad or N s/m"),
    joint_field<&JointSpec::armature>("joint.armature", "kg m^2 or kg"),
    joint_field<&JointSpec::stiffness>("joint.stiffness", "N m/rad or N/m"),
    joint_field<&JointSpec::friction_loss>("joint.friction_loss", "N m or N"),
    {"actuator.gain", Element::Actuator, 1, false, "force of a unit of control; a servo's feedback stays",
     [](const ModelSpec& s, std::size_t i, Out out) { out[0] = s.actuators[i].gain[0]; },
     [](ModelSpec& s, std::size_t i, In in) { s.actuators[i].gain[0] = in[0]; }},
    {"actuator.kp", Element::Actuator, 1, false, "of a position servo: gain and feedback together",
     [](const ModelSpec& s, std::size_t i, Out out) { out[0] = -s.actuators[i].bias[1]; },
     [](ModelSpec& s, std::size_t i, In in) {
       s.actuators[i].gain[0] = in[0];
       s.actuators[i].bias[1] = -in[0];
     }},
    {"actuator.kd", Element::Actuator, 1, false, "damping of a servo",
     [](const ModelSpec& s, std::size_t i, Out out) { out[0] = -s.actuators[i].bias[2]; },
     [](ModelSpec& s, std::size_t i, In in) { s.actuators[i].bias[2] = -in[0]; }},
};

}  // namespace

std::span<const ChangeField> change_fields() { return kFields; }

const ChangeField& find_change_field(const std::string& name) {
  for (const ChangeField& field : kFields) {
    if (name == field.name) return field;
  }
  throw InputError("", "field '" + name + "'",
                   "can't be changed; the nearest is '" + std::string(nearest_name(change_fields(), name)) + "'");
}

}  // namespace uzawa::python
