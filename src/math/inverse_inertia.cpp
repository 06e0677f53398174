#include "uzawa/math/inverse_inertia.hpp"

#include "uzawa/base/at.hpp"

namespace uzawa {

Motion InverseInertia::operator*(const Force& force) const {
  const double f[6] = {force.moment.x(), force.moment.y(), force.moment.z(),
                       force.force.x(),  force.force.y(),  force.force.z()};
  double m[6] = {};
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) m[r] += (*this)(r, c) * f[c];
  }
  return {Vec3::from(m), Vec3::from(m + 3)};
}

void InverseInertias::compute(const TreeInertia& tree, const TreeMatrix& factor, std::span<const int> handles) {
  const TreeTopology& topology = *tree.topology;
  const auto path_of = [&](int handle) {
    const int last = topology.last_dof(handle);
    return last < 0 ? std::span<const int>() : topology.path(last);
  };
  count_ = static_cast<int>(handles.size());
  start_.clear();
  reduced_.clear();
  for (const int handle : handles) {
    const std::span<const int> path = path_of(handle);
    start_.push_back(reduced_.size());
    for (const int dof : path) {
      const Motion& s = tree.subspace[at(dof)];
      reduced_.push_back({s.angular.x(), s.angular.y(), s.angular.z(), s.linear.x(), s.linear.y(), s.linear.z()});
    }
    Six* y = reduced_.data() + start_.back();
    for (std::size_t i = path.size(); i-- > 0;) {
      const double* l = factor.row(path[i]);
      for (std::size_t k = 0; k < i; ++k) {
        for (std::size_t d = 0; d < 6; ++d) y[k][d] -= l[k] * y[i][d];
      }
    }
  }
  between_.assign(handles.size() * handles.size(), {});
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const std::span<const int> mine = path_of(handles[i]);
    for (std::size_t j = 0; j < handles.size(); ++j) {
      const std::span<const int> other = path_of(handles[j]);
      const Six *y = reduced_.data() + start_[i], *z = reduced_.data() + start_[j];
      InverseInertia& phi = between_[i * handles.size() + j];
      // Paths begin at the root and share the dofs above their common ancestor.
      for (std::size_t k = 0; k < mine.size() && k < other.size() && mine[k] == other[k]; ++k) {
        const double inverse = 1 / factor.diagonal(mine[k]);
        for (int r = 0; r < 6; ++r) {
          for (int c = 0; c < 6; ++c) phi(r, c) += y[k][at(r)] * z[k][at(c)] * inverse;
        }
      }
    }
  }
}

const InverseInertia& InverseInertias::between(int i, int j) const { return between_[at(i) * at(count_) + at(j)]; }

}  // namespace uzawa
