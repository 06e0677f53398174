#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/plot/figure.hpp"

namespace uzawa::plot {

/// Maps numbers to positions along an axis: 0 at its start, 1 at its end.
class AxisScale {
 public:
  /// Covers the range of the axis where it has one, otherwise all drawable numbers, rounded to whole decades (log) or
  /// ticks (linear).
  AxisScale(const Axis& axis, std::span<const double> numbers);

  /// False for numbers that are not finite, and on a log axis for numbers that are not positive.
  bool can_draw(double number) const;
  /// Below 0 or above 1 where the number is beyond the axis.
  double place(double number) const;

  struct Tick {
    double place;
    std::string label;
  };
  std::vector<Tick> ticks() const;

 private:
  double coordinate(double number) const;

  Scale scale_;
  double from_ = 0, to_ = 1, step_ = 1;  ///< coordinates: the numbers, or their decimal logarithms
};

}  // namespace uzawa::plot
