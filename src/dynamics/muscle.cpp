#include "uzawa/dynamics/muscle.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

constexpr double kTiny = 1e-15;  // MuJoCo's mjMINVAL, below which it divides by this

/// A curve of one variable.
struct Curve {
  double value = 0, slope = 0;
};

double peak_force(const MuscleSpec& muscle, const ActuatorSpec& actuator) {
  return muscle.peak_force >= 0 ? muscle.peak_force : muscle.scale / std::max(kTiny, actuator.unit_acceleration);
}

/// Optimal resting length, m: what normalised lengths are in units of.
double resting_length(const MuscleSpec& muscle, const ActuatorSpec& actuator) {
  const double span = actuator.length_range.upper - actuator.length_range.lower;
  return std::max(kTiny, span / std::max(kTiny, muscle.range.upper - muscle.range.lower));
}

double normalised(const MuscleSpec& muscle, const ActuatorSpec& actuator, double length) {
  return muscle.range.lower + (length - actuator.length_range.lower) / resting_length(muscle, actuator);
}

/// x^2 / 2 with x = (length - from) / width, or 1 minus that.
Curve parabola(double length, double from, double width, bool from_one) {
  const double x = (length - from) / std::max(kTiny, width), sign = from_one ? -1 : 1;
  return {(from_one ? 1 : 0) + sign * 0.5 * x * x, sign * x / std::max(kTiny, width)};
}

/// Force over length: a bump of four parabolas, 1 at the resting length.
Curve force_length(const MuscleSpec& m, double length) {
  if (length < m.shortest || length > m.longest) return {};
  const double a = 0.5 * (m.shortest + 1), b = 0.5 * (1 + m.longest);
  if (length <= a) return parabola(length, m.shortest, a - m.shortest, false);
  if (length <= 1) return parabola(length, 1, 1 - a, true);
  if (length <= b) return parabola(length, 1, b - 1, true);
  return parabola(length, m.longest, m.longest - b, false);
}

/// Force over velocity: none at fast shortening, 1 at rest, `lengthening` at fast lengthening.
Curve force_velocity(const MuscleSpec& m, double velocity) {
  const double y = m.lengthening - 1;
  if (velocity <= -1) return {};
  if (velocity <= 0) return {(velocity + 1) * (velocity + 1), 2 * (velocity + 1)};
  if (velocity > y) return {m.lengthening, 0};
  const double scale = std::max(kTiny, y);
  return {m.lengthening - (y - velocity) * (y - velocity) / scale, 2 * (y - velocity) / scale};
}

/// From 0 to 1 with three continuous derivatives, on the unit interval.
double smooth_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}

}  // namespace

MuscleForce muscle_active_force(const ActuatorSpec& actuator, double length, double velocity) {
  const MuscleSpec& m = *actuator.muscle_gain;
  const double rest = resting_length(m, actuator), fastest = std::max(kTiny, rest * m.fastest);
  const Curve fl = force_length(m, normalised(m, actuator, length)), fv = force_velocity(m, velocity / fastest);
  const double peak = peak_force(m, actuator);
  return {-peak * fl.value * fv.value, -peak * fl.slope / rest * fv.value, -peak * fl.value * fv.slope / fastest};
}

MuscleForce muscle_passive_force(const ActuatorSpec& actuator, double length) {
  const MuscleSpec& m = *actuator.muscle_bias;
  const double b = 0.5 * (1 + m.longest), width = std::max(kTiny, b - 1);
  const double l = normalised(m, actuator, length);
  if (l <= 1) return {};
  const Curve curve = l <= b ? parabola(l, 1, width, false) : Curve{0.5 + (l - b) / width, 1 / width};
  const double scale = -peak_force(m, actuator) * m.passive;
  return {scale * curve.value, scale * curve.slope / resting_length(m, actuator), 0};
}

double muscle_activation_rate(const ActuatorSpec& actuator, double control, double activation) {
  const double difference = std::clamp(control, 0.0, 1.0) - activation;
  const double slowing = 0.5 + 1.5 * std::clamp(activation, 0.0, 1.0);
  const double up = actuator.time_constant * slowing, down = actuator.deactivation_time / slowing;
  const double share =
      actuator.smoothing < kTiny ? (difference > 0 ? 1.0 : 0.0) : smooth_step(difference / actuator.smoothing + 0.5);
  return difference / std::max(kTiny, down + (up - down) * share);
}

}  // namespace uzawa
