#include "uzawa/io/oracle.hpp"

#include <algorithm>

#include "uzawa/io/compile.hpp"

namespace uzawa {

struct MujocoOracle::Impl {
  mujoco::ModelPtr model;
  mujoco::DataPtr data;
};

MujocoOracle::MujocoOracle(const std::filesystem::path& path, const LoadOptions& options)
    : impl_(std::make_unique<Impl>()) {
  impl_->model = mujoco::compile(path, options).model;
  impl_->model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
  impl_->data.reset(mj_makeData(impl_->model.get()));
}
MujocoOracle::~MujocoOracle() = default;
MujocoOracle::MujocoOracle(MujocoOracle&&) noexcept = default;
MujocoOracle& MujocoOracle::operator=(MujocoOracle&&) noexcept = default;

void MujocoOracle::evaluate(const State& state, std::span<const double> control) {
  mjData* d = impl_->data.get();
  std::copy(state.q.begin(), state.q.end(), d->qpos);
  std::copy(state.v.begin(), state.v.end(), d->qvel);
  std::copy(state.activation.begin(), state.activation.end(), d->act);
  std::copy(control.begin(), control.end(), d->ctrl);
  mj_forward(impl_->model.get(), d);
}

int MujocoOracle::bodies() const { return static_cast<int>(impl_->model->nbody); }

Pose MujocoOracle::body_pose(int body) const {
  const mjtNum* r = impl_->data->xmat + 9 * body;  // row-major
  return {{{{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}}}, Vec3::from(impl_->data->xpos + 3 * body)};
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

}  // namespace uzawa
