#include "uzawa/io/oracle.hpp"

#include <algorithm>

#include "uzawa/base/error.hpp"
#include "uzawa/io/compile.hpp"
#include "uzawa/io/convert.hpp"
#include "uzawa/io/oracle_flex.hpp"

namespace uzawa {

struct MujocoOracle::Impl {
  std::string source;
  mujoco::ModelPtr model;
  mujoco::DataPtr data;
};

MujocoOracle::MujocoOracle(const std::filesystem::path& path, const LoadOptions& options, Elasticity elasticity)
    : impl_(std::make_unique<Impl>()) {
  impl_->model = mujoco::compile(path, options).model;
  impl_->model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
  if (elasticity == Elasticity::Off) mujoco::remove_flex_forces(impl_->model.get());
  if (elasticity == Elasticity::Stretching) mujoco::remove_flex_bending(impl_->model.get());
  impl_->source = path.string();
  std::vector<std::string> ignored;
  mujoco::call_engine(impl_->source, ignored, [&] { impl_->data.reset(mj_makeData(impl_->model.get())); });
  if (!impl_->data) throw InputError(impl_->source, "", "MuJoCo cannot make data for it");
}
MujocoOracle::~MujocoOracle() = default;
MujocoOracle::MujocoOracle(MujocoOracle&&) noexcept = default;
MujocoOracle& MujocoOracle::operator=(MujocoOracle&&) noexcept = default;

void MujocoOracle::evaluate(const State& state, std::span<const double> control) {
  const mjModel* m = impl_->model.get();
  mjData* d = impl_->data.get();
  const auto copy = [&](const char* what, std::span<const double> from, mjtNum* to, auto size) {
    if (from.size() != static_cast<std::size_t>(size)) throw InputError(impl_->source, what, "has the wrong size");
    std::copy(from.begin(), from.end(), to);
  };
  copy("q", state.q, d->qpos, m->nq);
  copy("v", state.v, d->qvel, m->nv);
  copy("activation", state.activation, d->act, m->na);
  copy("control", control, d->ctrl, m->nu);
  std::vector<std::string> ignored;  // warnings of large numbers: the comparison shows what they do
  mujoco::call_engine(impl_->source, ignored, [&] { mj_forward(m, d); });
}

int MujocoOracle::bodies() const { return static_cast<int>(impl_->model->nbody); }
int MujocoOracle::body_parent(int body) const { return impl_->model->body_parentid[body]; }

Pose MujocoOracle::body_pose(int body) const {
  const mjtNum* r = impl_->data->xmat + 9 * body;  // row-major
  return {{{{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}}}, Vec3::from(impl_->data->xpos + 3 * body)};
}

std::vector<Vec3> MujocoOracle::flex_vertices() const {
  return mujoco::flex_vertices(impl_->model.get(), impl_->data.get());
}

std::vector<double> MujocoOracle::mass_matrix() const {
  const auto nv = static_cast<std::size_t>(impl_->model->nv);
  std::vector<double> dense(nv * nv);
  mujoco::full_mass_matrix(impl_->model.get(), impl_->data.get(), dense.data());
  return dense;
}

std::span<const double> MujocoOracle::bias_force() const {
  return {impl_->data->qfrc_bias, static_cast<std::size_t>(impl_->model->nv)};
}
std::span<const double> MujocoOracle::passive_force() const {
  return {impl_->data->qfrc_passive, static_cast<std::size_t>(impl_->model->nv)};
}
std::span<const double> MujocoOracle::actuator_force() const {
  return {impl_->data->qfrc_actuator, static_cast<std::size_t>(impl_->model->nv)};
}
std::span<const double> MujocoOracle::activation_rate() const {
  return {impl_->data->act_dot, static_cast<std::size_t>(impl_->model->na)};
}
std::span<const double> MujocoOracle::acceleration() const {
  return {impl_->data->qacc, static_cast<std::size_t>(impl_->model->nv)};
}
std::span<const double> MujocoOracle::tendon_length() const {
  return {impl_->data->ten_length, static_cast<std::size_t>(impl_->model->ntendon)};
}
std::vector<double> MujocoOracle::sensor_values() const {
  const mjModel* m = impl_->model.get();
  std::vector<double> values;
  for (int s = 0; s < static_cast<int>(m->nsensor); ++s) {
    const mjtNum* first = impl_->data->sensordata + m->sensor_adr[s];
    if (mujoco::sensor_type(m, s)) values.insert(values.end(), first, first + m->sensor_dim[s]);
  }
  return values;
}

}  // namespace uzawa
