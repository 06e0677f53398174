#include "uzawa/plot/axis_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace uzawa::plot {

namespace {

constexpr double kMostTicks = 7;

/// 1, 2 or 5 times a power of ten that cuts `span` into a few pieces.
double nice_step(double span) {
  const double rough = span / kMostTicks, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

/// Superscript digits, so that a decade reads as in print.
std::string decade(int exponent) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  std::string out = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) out += kDigits[digit - '0'];
  return out;
}

std::string short_number(double value, double step) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", std::abs(value) < step * 1e-9 ? 0.0 : value);
  return text;
}

}  // namespace

AxisScale::AxisScale(const Axis& axis, std::span<const double> numbers) : scale_(axis.scale) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double number : numbers) {
    if (!can_draw(number)) continue;
    low = std::min(low, coordinate(number));
    high = std::max(high, coordinate(number));
  }
  if (!(low <= high)) low = 0, high = 1;  // nothing to draw
  if (axis.from && can_draw(*axis.from)) low = coordinate(*axis.from);
  if (axis.to && can_draw(*axis.to)) high = coordinate(*axis.to);
  if (!(high > low)) {
    const double half = scale_ == Scale::Log ? 0.5 : std::max(0.5 * std::abs(low), 1e-12);
    low -= half, high += half;
  }
  step_ = scale_ == Scale::Log ? std::max(1.0, nice_step(high - low)) : nice_step(high - low);
  // A little slack, so that a number just below a tick does not open another interval.
  constexpr double kSlack = 1e-6;
  const double unit = scale_ == Scale::Log ? 1 : step_;
  from_ = axis.from ? low : unit * std::floor(low / unit + kSlack);
  to_ = axis.to ? high : unit * std::ceil(high / unit - kSlack);
}

bool AxisScale::can_draw(double number) const {
  return std::isfinite(number) && (scale_ == Scale::Linear || number > 0);
}

double AxisScale::coordinate(double number) const { return scale_ == Scale::Log ? std::log10(number) : number; }

double AxisScale::place(double number) const { return (coordinate(number) - from_) / (to_ - from_); }

std::vector<AxisScale::Tick> AxisScale::ticks() const {
  std::vector<Tick> out;
  const double first = step_ * std::ceil(from_ / step_ - 1e-6);
  for (int i = 0; first + i * step_ <= to_ + 1e-6 * step_; ++i) {
    const double at = first + i * step_;
    const std::string label =
        scale_ == Scale::Log ? decade(static_cast<int>(std::lround(at))) : short_number(at, step_);
    out.push_back({(at - from_) / (to_ - from_), label});
  }
  return out;
}

}  // namespace uzawa::plot
