#pragma once

#include <Eigen/SparseLU>
#include <functional>

#include "elastic/elastic_support.hpp"
#include "uzawa/elastic/rod_elasticity.hpp"

/// Rods at rest under loads, by Newton's method with finite differences of the forces: what a joint's stiffness leaves
/// out is no part of it.
namespace uzawa {

inline void nudge(std::vector<Pose>& links, int dof, double by) {
  Pose& link = links[at(dof / 6)];
  const Vec3 along = Vec3::unit(dof % 3) * by;
  if (dof % 6 < 3) {
    link.position += along;
  } else {
    link.rotation = to_matrix(exp_rotation(along)) * link.rotation;
  }
}

using Loads = std::function<void(const std::vector<Pose>&, std::vector<Vec3>&)>;

struct RodInBalance {
  RodElasticity rod;
  std::vector<Pose> links;
  int held = 0;  ///< the first links do not move
  bool closed = false;
  Loads loads;  ///< adds to forces and moments

  int count() const { return static_cast<int>(links.size()); }
  Eigen::VectorXd force() const {
    std::vector<Vec3> out(2 * links.size());
    rod.add_force(links, out);
    if (loads) loads(links, out);
    return stacked(out).tail(6 * (count() - held));
  }

  /// -dforce by central differences; links three apart do not feel each other and are moved together. The number of
  /// links of a closed rod must be a multiple of three.
  Eigen::MatrixXd second_derivative(double step = 1e-5) {
    const int size = 6 * (count() - held);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size, size);
    for (int colour = 0; colour < 3; ++colour) {
      for (int dof = 0; dof < 6; ++dof) {
        const std::vector<Pose> before = links;
        for (int k = held + colour; k < count(); k += 3) nudge(links, 6 * k + dof, step);
        const Eigen::VectorXd after = force();
        links = before;
        for (int k = held + colour; k < count(); k += 3) nudge(links, 6 * k + dof, -step);
        const Eigen::VectorXd change = -(after - force()) / (2 * step);
        links = before;
        for (int k = held + colour; k < count(); k += 3) {
          for (int near = k - 1; near <= k + 1; ++near) {
            const int row = closed ? (near + count()) % count() : near;
            if (row < held || row >= count()) continue;
            out.block<6, 1>(6 * (row - held), 6 * (k - held) + dof) = change.segment<6>(6 * (row - held));
          }
        }
      }
    }
    return out;
  }

  void move(const Eigen::VectorXd& by) {
    for (int i = 0; i < static_cast<int>(by.size()); i += 6) {
      Pose& link = links[at(held + i / 6)];
      link.position += Vec3::from(by.data() + i);
      link.rotation = to_matrix(exp_rotation(Vec3::from(by.data() + i + 3))) * link.rotation;
    }
  }

  /// Returns whether the forces have vanished, to `tolerance`.
  bool balance(double tolerance) {
    for (int i = 0; i < 100; ++i) {
      const Eigen::VectorXd left = force();
      if (left.norm() < tolerance) return true;
      // Rigid motions of a closed rod are no concern of it.
      Eigen::MatrixXd k = second_derivative();
      if (closed) k.diagonal().array() += 1e-7 * k.diagonal().maxCoeff();
      const Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(k.sparseView());
      Eigen::VectorXd step = factor.solve(left);
      step *= std::min(1.0, 0.3 / step.cwiseAbs().maxCoeff());
      move(step);
    }
    return false;
  }
};

/// A rod of length 1 from the origin along z of `orientation` with E I = 1, clamped there; hardly stretched or sheared.
inline RodInBalance cantilever(int links, const Quat& orientation, double hard = 1e6, double twist = 0.8,
                               double shear = 1e6) {
  const double l = 1.0 / links;
  RodInBalance out;
  out.held = 1;
  std::vector<RodJoint> joints(at(links));
  out.links.push_back({to_matrix(orientation), {}});
  for (int k = 0; k < links; ++k) {
    // The clamp stands for half a link.
    const double stiff = (k == 0 ? 2 : 1) / l;
    joints[at(k)] = {.first = k,
                     .second = k + 1,
                     .first_anchor = {0, 0, k == 0 ? 0 : l / 2},
                     .second_anchor = {0, 0, -l / 2},
                     .relative_orientation = {},
                     .stiffness = Vec3{shear, shear, hard} * stiff,
                     .angular_stiffness = Vec3{1, 1, twist} * stiff};
    out.links.push_back({to_matrix(orientation), rotate(orientation, {0, 0, (k + 0.5) * l})});
  }
  out.rod = RodElasticity(links + 1, joints);
  return out;
}

inline Vec3 tip_of(const RodInBalance& rod) { return rod.links.back() * Vec3{0, 0, 0.5 / (rod.count() - 1)}; }

/// A force on the tip that keeps its direction.
inline Loads tip_load(const Vec3& force, int links) {
  return [=](const std::vector<Pose>& poses, std::vector<Vec3>& out) {
    out[out.size() - 2] += force;
    out[out.size() - 1] += cross(poses.back().rotation * Vec3{0, 0, 0.5 / links}, force);
  };
}

inline Loads weight(const Vec3& of_link) {
  return [=](const std::vector<Pose>&, std::vector<Vec3>& out) {
    for (std::size_t i = 2; i < out.size(); i += 2) out[i] += of_link;
  };
}

}  // namespace uzawa
