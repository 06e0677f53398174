#include <algorithm>
#include <array>

#include "batch.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa::python {

namespace {

enum class Recorded { Qpos, Qvel, Act, Ctrl, Time, Residual, Penetration, Status, Contacts, Xpos, Xquat, ContactForce };
struct RecordName {
  const char* name;
  Recorded what;
};
constexpr std::array kRecords = {
    RecordName{"qpos", Recorded::Qpos},         RecordName{"qvel", Recorded::Qvel},
    RecordName{"act", Recorded::Act},           RecordName{"ctrl", Recorded::Ctrl},
    RecordName{"time", Recorded::Time},         RecordName{"residual", Recorded::Residual},
    RecordName{"status", Recorded::Status},     RecordName{"penetration", Recorded::Penetration},
    RecordName{"contacts", Recorded::Contacts}, RecordName{"xpos", Recorded::Xpos},
    RecordName{"xquat", Recorded::Xquat},       RecordName{"contact_force", Recorded::ContactForce}};

Recorded find_record(const std::string& name) {
  for (const RecordName& record : kRecords) {
    if (name == record.name) return record.what;
  }
  throw InputError("", "record '" + name + "'",
                   "is not known; the nearest is '" + std::string(nearest_name(kRecords, name)) + "'");
}

/// Net force of the contacts on every body, N, world axes.
void add_contact_forces(const Model& model, const LogFrame& frame, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (const LogContact& contact : frame.contacts) {
    for (const auto& [geom, sign] : {std::pair{contact.geom2, 1.0}, std::pair{contact.geom1, -1.0}}) {
      const std::size_t body = at(model.spec().geoms[at(geom)].body);
      for (int k = 0; k < 3; ++k) out[3 * body + at(k)] += sign * contact.force[k];
    }
  }
}

/// `mocap`: has the poses of mocap bodies.
void store_bodies(const Model& model, std::span<const double> q, const State& mocap, std::span<double> position,
                  std::span<double> orientation) {
  std::vector<Pose> links(model.links().size());
  link_poses(model, q, mocap_poses(model, mocap), links);
  for (std::size_t b = 0; b < model.spec().bodies.size(); ++b) {
    const int link = model.body_link(static_cast<int>(b));
    const Pose& local = model.body_pose(static_cast<int>(b));
    const Pose pose = link < 0 ? local : links[at(link)] * local;
    if (!position.empty()) pose.position.store(&position[3 * b]);
    if (!orientation.empty()) to_quaternion(pose.rotation).store(&orientation[4 * b]);
  }
}

}  // namespace

Batch::Record Batch::make_record(const std::string& name, std::size_t horizon) const {
  const Model& m = model();
  Record record{.name = name};
  switch (find_record(name)) {
    case Recorded::Qpos: record.shape = {at(m.nq())}; break;
    case Recorded::Qvel: record.shape = {at(m.nv())}; break;
    case Recorded::Act: record.shape = {at(m.na())}; break;
    case Recorded::Ctrl: record.shape = {at(m.nu())}; break;
    case Recorded::ContactForce:
    case Recorded::Xpos: record.shape = {m.spec().bodies.size(), 3}; break;
    case Recorded::Xquat: record.shape = {m.spec().bodies.size(), 4}; break;
    default: break;
  }
  for (const std::size_t n : record.shape) record.width *= n;
  record.values.resize(size() * horizon * record.width);
  return record;
}

void Batch::write_record(std::size_t i, std::size_t entry, Worker& worker, Record& record) {
  const std::span<double> out = std::span(record.values).subspan(entry * record.width, record.width);
  const auto put = [&](std::span<const double> x) { std::copy(x.begin(), x.end(), out.begin()); };
  switch (find_record(record.name)) {
    case Recorded::Qpos: return put(qpos.row(i));
    case Recorded::Qvel: return put(qvel.row(i));
    case Recorded::Act: return put(act.row(i));
    case Recorded::Ctrl: return put(ctrl.row(i));
    case Recorded::Time: return put(time.row(i));
    case Recorded::Residual: return put(residual.row(i));
    case Recorded::Penetration: return put(penetration.row(i));
    case Recorded::Status: out[0] = status.row(i)[0]; return;
    case Recorded::Contacts: out[0] = contacts.row(i)[0]; return;
    case Recorded::Xpos: return store_bodies(model(), qpos.row(i), worker.world.state(), out, {});
    case Recorded::Xquat: return store_bodies(model(), qpos.row(i), worker.world.state(), {}, out);
    case Recorded::ContactForce:
      if (has_failed(i)) return;  // the world has another simulation's contacts; zeros are there
      if (!worker.maker) worker.maker.emplace(worker.world);
      return add_contact_forces(model(), worker.maker->make(worker.control, worker.applied), out);
  }
}

void Batch::update_frames() {
  pool_.for_each(static_cast<int>(size()), [&](int i) {
    store_bodies(model(), qpos.row(at(i)), state(at(i)), xpos.row(at(i)), xquat.row(at(i)));
  });
}

}  // namespace uzawa::python
