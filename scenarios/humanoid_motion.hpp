#pragma once

#include <array>
#include <vector>

#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// The small humanoid of models/ on a floor, whose servos follow a motion of the legs; common to the scenes of [LCP]
/// sections V-A and V-B.
class HumanoidMotion : public Scene {
 public:
  /// `mu`: friction of the floor.
  explicit HumanoidMotion(double mu);

  ModelSpec model() const override;
  void start(const Model& model, State& state) override;
  void drive(const World& world, Drive& drive) override;
  void watch(const World& world) override;

 protected:
  static constexpr double kBent = 0.35;                    ///< rad, of hip and ankle at home; the knee has twice that
  static constexpr double kThigh = 0.093;                  ///< m, as the shank
  static constexpr double kAnkle = 0.0335, kHeel = 0.052;  ///< m, of the ankle above the sole, and from there back

  /// How a leg is asked to be: bend of hip, half of the knee's and of the ankle's, so that trunk and sole stay level;
  /// by how much it swings back; and what the toes are lifted beyond.
  struct Leg {
    double bend = kBent, back = 0, toe_up = 0;  ///< rad
  };
  /// Left and right leg at a time.
  virtual std::array<Leg, 2> legs(double time) const = 0;
  /// From when on forces are averaged, s, and until when.
  virtual std::array<double, 2> weighing() const = 0;

  /// Pitch of a sole, rad: positive with the toes up.
  double sole_pitch(int side) const { return sole_pitch_[static_cast<std::size_t>(side)]; }
  double lowest_trunk() const { return lowest_; }  ///< m
  double first_trunk() const { return first_; }    ///< m
  /// What every motion is asked for: upright, soles that don't slip, mean force of the floor, solved steps.
  Findings common(const World& world, double slip) const;

 private:
  /// Where toes may be raised about: of a foot whose frame is at its ankle.
  static Vec3 heel(const Pose& foot) { return foot * Vec3{-kHeel, 0, -kAnkle}; }

  double mu_;
  StepWatch steps_;
  std::vector<double> home_;
  std::array<double, 2> sole_pitch_{};
  std::array<Vec3, 2> heels_{};  ///< at the start
  double first_ = 0, lowest_ = 0, slip_ = 0, upright_ = 1, weight_ = 0, force_ = 0, weighed_ = 0;
};

}  // namespace uzawa::scenarios
