#include "uzawa/dynamics/smooth_end.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/offset_frames.hpp"

namespace uzawa {

namespace {

/// Joint velocities at pose `from` become those at pose `to`: centres of mass of bodies that fly alone keep theirs.
void carry_velocity(const Model& model, std::span<double> from, std::span<double> to, std::span<double> v) {
  for_each_offset(model, from, v,
                  [](double*, double* velocity, const Vec3&, const Vec3& turn) { add_to(velocity, turn); });
  for_each_offset(model, to, v,
                  [](double*, double* velocity, const Vec3&, const Vec3& turn) { add_to(velocity, -turn); });
}

}  // namespace

SmoothEnd::SmoothEnd(const Model& model)
    : model_(model),
      data_(model),
      dampers_(model),
      workspace_(model),
      start_(model.reference_state()),
      end_(model.reference_state()),
      velocity_(at(model.nv())),
      move_(at(model.nv())) {}

bool SmoothEnd::predict(const State& start, std::span<const double> control, std::span<const double> external,
                        double h) {
  h_ = h;
  start_ = start;
  end_ = start;
  if (!dampers_.find(start, control, h, data_)) return false;
  const bool positive = rk4_step(model_, control, external, h, data_, workspace_, end_, &dampers_);
  velocity_ = end_.v;
  carry_velocity(model_, end_.q, start_.q, velocity_);
  return positive;
}

void SmoothEnd::mean_velocity(std::span<const double> next, std::span<const double> share,
                              std::span<double> mean) const {
  for (std::size_t d = 0; d < mean.size(); ++d) {
    mean[d] = 0.5 * (start_.v[d] + velocity_[d]) + share[d] * (next[d] - velocity_[d]);
  }
}

void SmoothEnd::finish(std::span<const double> next, std::span<const double> share, State& state) {
  for (std::size_t d = 0; d < move_.size(); ++d) move_[d] = share[d] * h_ * (next[d] - velocity_[d]);
  state = end_;
  // The move of a body that flies alone is that of its frame at the start's pose: q_s moves by that of the centre.
  carry_velocity(model_, start_.q, state.q, move_);
  integrate_position(model_, move_, 1, state.q);
  std::copy(next.begin(), next.end(), state.v.begin());
  carry_velocity(model_, start_.q, state.q, state.v);
}

}  // namespace uzawa
