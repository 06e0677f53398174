#pragma once

#include <optional>
#include <string>
#include <vector>

/// Figures: a title, panels with axes and curves, and a function that writes them as SVG. Plain data, independent of
/// the drawing.
namespace uzawa::plot {

/// Colours by meaning, the same in every figure and in the strip charts of the replay page.
enum class Color { Blue, Orange, Green, Violet, Grey };

struct Series {
  std::string label;         ///< in the legend; empty: not there
  std::vector<double> x, y;  ///< of the same size; where a number can't be drawn the curve is broken
  Color color = Color::Blue;
  bool dashed = false;
  bool dots = false;   ///< a dot at every point
  bool rings = false;  ///< a ring at every point and no line: published figures
};

enum class Scale { Linear, Log };

struct Axis {
  std::string label;  ///< with the unit, as in "time, ms"
  Scale scale = Scale::Linear;
  std::optional<double> from, to;  ///< none: the range of the curves
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

struct Figure {
  std::string title;
  std::string caption;  ///< description, a sentence or two
  std::vector<Panel> panels;
};

/// The figure as an SVG file.
std::string svg(const Figure& figure);

}  // namespace uzawa::plot
