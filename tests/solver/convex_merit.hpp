#pragma once

#include <Eigen/Dense>

#include "uzawa/solver/laws/law_response.hpp"

/// The merit function of CANAL's convex surrogate from the variational definition of each law, dense and slow: an
/// oracle that shares no formula with law_response, scalar_law or friction_cone.
namespace uzawa::test {

class ConvexMerit {
 public:
  /// The law's spans must outlive it.
  ConvexMerit(const Problem& problem, const LawParameters& law);

  /// v^T A v/2 - b^T v + potentials, J.
  double operator()(const Eigen::VectorXd& v) const;
  /// By central differences; exact to error().
  Eigen::VectorXd gradient(const Eigen::VectorXd& v) const;
  /// Of a component of gradient(): a kink of the slope within the difference, and rounding.
  double error() const;

  const Eigen::MatrixXd& a() const { return a_; }
  const Eigen::MatrixXd& jacobian() const { return j_; }

 private:
  double potential(int constraint, const Eigen::VectorXd& u) const;

  const Problem& problem_;
  const LawParameters& law_;
  Eigen::MatrixXd a_, j_;
  Eigen::VectorXd b_;
};

}  // namespace uzawa::test
