#include <map>

#include "uzawa/io/convert.hpp"

namespace uzawa::mujoco {

namespace {

const std::map<int, SensorType>& known_sensors() {
  using enum SensorType;
  static const std::map<int, SensorType> known = {
    {mjSENS_TOUCH, Touch},
    {mjSENS_ACCELEROMETER, Accelerometer},
    {mjSENS_VELOCIMETER, Velocimeter},
    {mjSENS_GYRO, Gyro},
    {mjSENS_FORCE, Force},
    {mjSENS_TORQUE, Torque},
    {mjSENS_MAGNETOMETER, Magnetometer},
    {mjSENS_RANGEFINDER, Rangefinder},
    {mjSENS_JOINTPOS, JointPosition},
    {mjSENS_JOINTVEL, JointVelocity},
    {mjSENS_TENDONPOS, TendonPosition},
    {mjSENS_TENDONVEL, TendonVelocity},
    {mjSENS_ACTUATORPOS, ActuatorPosition},
    {mjSENS_ACTUATORVEL, ActuatorVelocity},
    {mjSENS_ACTUATORFRC, ActuatorForce},
    {mjSENS_BALLQUAT, BallOrientation},
    {mjSENS_BALLANGVEL, BallAngularVelocity},
    {mjSENS_JOINTLIMITPOS, JointLimitPosition},
    {mjSENS_JOINTLIMITVEL, JointLimitVelocity},
    {mjSENS_JOINTLIMITFRC, JointLimitForce},
    {mjSENS_TENDONLIMITPOS, TendonLimitPosition},
    {mjSENS_TENDONLIMITVEL, TendonLimitVelocity},
    {mjSENS_TENDONLIMITFRC, TendonLimitForce},
    {mjSENS_FRAMEPOS, FramePosition},
    {mjSENS_FRAMEQUAT, FrameOrientation},
    {mjSENS_FRAMEXAXIS, FrameXAxis},
    {mjSENS_FRAMEYAXIS, FrameYAxis},
    {mjSENS_FRAMEZAXIS, FrameZAxis},
    {mjSENS_FRAMELINVEL, FrameVelocity},
    {mjSENS_FRAMEANGVEL, FrameAngularVelocity},
    {mjSENS_FRAMELINACC, FrameAcceleration},
    {mjSENS_FRAMEANGACC, FrameAngularAcceleration},
    {mjSENS_SUBTREECOM, SubtreeCom},
    {mjSENS_SUBTREELINVEL, SubtreeVelocity},
    {mjSENS_SUBTREEANGMOM, SubtreeAngularMomentum},
    {mjSENS_CLOCK, Clock},
#if UZAWA_MUJOCO_MODERN
    {mjSENS_JOINTACTFRC, JointActuatorForce},
    {mjSENS_TENDONACTFRC, TendonActuatorForce},
    {mjSENS_E_POTENTIAL, PotentialEnergy},
    {mjSENS_E_KINETIC, KineticEnergy},
#endif
  };
  return known;
}

/// The frame of an object, as MuJoCo measures it; none: the object has no frame that its body carries.
std::optional<BodyFrame> frame_of(const mjModel* m, int type, int id) {
  switch (type) {
    case mjOBJ_BODY: return BodyFrame{id, Vec3::from(m->body_ipos + 3 * id), Quat::from(m->body_iquat + 4 * id)};
    case mjOBJ_XBODY: return BodyFrame{id, {}, {}};
    case mjOBJ_GEOM:
      return BodyFrame{m->geom_bodyid[id], Vec3::from(m->geom_pos + 3 * id), Quat::from(m->geom_quat + 4 * id)};
    case mjOBJ_SITE:
      return BodyFrame{m->site_bodyid[id], Vec3::from(m->site_pos + 3 * id), Quat::from(m->site_quat + 4 * id)};
    case mjOBJ_CAMERA:
      if (m->cam_mode[id] != mjCAMLIGHT_FIXED) return std::nullopt;  // it follows bodies by rules of its own
      return BodyFrame{m->cam_bodyid[id], Vec3::from(m->cam_pos + 3 * id), Quat::from(m->cam_quat + 4 * id)};
    default: return std::nullopt;
  }
}

bool needs_frame(SensorType type) { return type >= SensorType::FramePosition && type <= SensorType::Magnetometer; }

ShapeType zone_shape(int type) {
  switch (type) {
    case mjGEOM_CAPSULE: return ShapeType::Capsule;
    case mjGEOM_ELLIPSOID: return ShapeType::Ellipsoid;
    case mjGEOM_CYLINDER: return ShapeType::Cylinder;
    case mjGEOM_BOX: return ShapeType::Box;
    default: return ShapeType::Sphere;
  }
}

SensorSpec convert_sensor(const mjModel* m, int s, SensorType type) {
  SensorSpec sensor;
  sensor.name = name_of(m, mjOBJ_SENSOR, s);
  sensor.type = type;
  const int object = m->sensor_objid[s];
  if (needs_frame(type)) {
    sensor.frame = *frame_of(m, m->sensor_objtype[s], object);
    if (m->sensor_refid[s] >= 0) sensor.reference = frame_of(m, m->sensor_reftype[s], m->sensor_refid[s]);
  } else {
    sensor.object = object;
  }
  if (type == SensorType::Touch) {
    sensor.zone = zone_shape(m->site_type[object]);
    sensor.zone_size = Vec3::from(m->site_size + 3 * object);
  }
  const int data = m->sensor_datatype[s];
  if (data == mjDATATYPE_REAL || data == mjDATATYPE_POSITIVE) sensor.cutoff = m->sensor_cutoff[s];
  return sensor;
}

}  // namespace

std::optional<SensorType> sensor_type(const mjModel* m, int s) {
  const auto known = known_sensors().find(m->sensor_type[s]);
  if (known == known_sensors().end() || m->sensor_dim[s] != sensor_size(known->second)) return std::nullopt;
#if UZAWA_MUJOCO_MODERN
  if (m->sensor_delay[s] != 0 || m->sensor_interval[2 * s] != 0) return std::nullopt;
#endif
  if (needs_frame(known->second)) {
    if (!frame_of(m, m->sensor_objtype[s], m->sensor_objid[s])) return std::nullopt;
    const int reference = m->sensor_refid[s];
    if (reference >= 0 && !frame_of(m, m->sensor_reftype[s], reference)) return std::nullopt;
  }
  return known->second;
}

std::vector<SensorSpec> convert_sensors(const mjModel* m) {
  std::vector<SensorSpec> sensors;
  for (int s = 0; s < static_cast<int>(m->nsensor); ++s) {
    if (const std::optional<SensorType> type = sensor_type(m, s)) sensors.push_back(convert_sensor(m, s, *type));
  }
  return sensors;
}

}  // namespace uzawa::mujoco
