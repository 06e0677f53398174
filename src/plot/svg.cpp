/// Figures as SVG: panels two in a row, each with its axes, its curves and a legend below, where it can't hide
/// anything.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "uzawa/plot/axis_scale.hpp"
#include "uzawa/plot/figure.hpp"

namespace uzawa::plot {

namespace {

// Lengths in SVG's user units (pixels).
constexpr double kPanelWidth = 470, kPlotHeight = 250;
constexpr double kLeft = 66, kRight = 18, kTitle = 30, kAxisText = 46, kLegendLine = 18;
constexpr double kMargin = 16, kTitleLine = 22, kCaptionLine = 17;
constexpr double kInset = 6;  // between the frame and the ends of the scales: no curve lies on the frame
constexpr int kColumns = 2;
constexpr double kTitleLetter = 10.6, kTextLetter = 6.4;          // width of a letter, about
constexpr double kThinnest = 1.5, kThicker = 0.5, kThickest = 3;  // of curves; those drawn first are seen below others

// As in the replay page's style sheet.
constexpr const char* kText = "#1f2630";
constexpr const char* kMuted = "#68727f";
constexpr const char* kRule = "#e1e5ea";

const char* hex(Color color) {
  switch (color) {
    case Color::Blue: return "#1673d1";
    case Color::Orange: return "#c2410c";
    case Color::Green: return "#15803d";
    case Color::Violet: return "#7c3aed";
    case Color::Grey: return "#68727f";
  }
  return kText;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += letter;
    }
  }
  return out;
}

/// Words in lines of at most so many letters.
std::vector<std::string> lines_of(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  std::string line, word;
  const auto end_word = [&] {
    if (!line.empty() && line.size() + 1 + word.size() > most) lines.push_back(std::exchange(line, ""));
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::exchange(word, "");
  };
  for (const char letter : text) {
    if (letter == ' ' || letter == '\n') {
      end_word();
    } else {
      word += letter;
    }
  }
  end_word();
  if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Collects elements.
class Drawing {
 public:
  void text(double x, double y, const std::string& words, const char* style) {
    out_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + style + ">" + escaped(words) + "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const std::string& style) {
    out_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
            "\" " + style + "/>\n";
  }
  void add(const std::string& element) { out_ += element + "\n"; }
  const std::string& elements() const { return out_; }

 private:
  std::string out_;
};

std::string stroke(const Series& series, double width) {
  return std::string("stroke=\"") + hex(series.color) + "\" stroke-width=\"" + number(width) + "\" fill=\"none\"" +
         (series.dashed ? " stroke-dasharray=\"6 4\"" : "");
}

/// The later a curve is drawn the thinner it is, so that none hides another on the same path.
double stroke_width(const Panel& panel, std::size_t index) {
  return std::min(kThickest, kThinnest + kThicker * static_cast<double>(panel.series.size() - 1 - index));
}

std::string ring(double x, double y, Color color) {
  return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"4.5\" fill=\"#ffffff\" stroke=\"" + hex(color) +
         "\" stroke-width=\"2\"/>";
}

std::size_t letters_in(double width, double letter) { return static_cast<std::size_t>(width / letter); }

/// Two where all labels fit into half a panel.
int legend_columns(const Panel& panel) {
  const std::size_t room = letters_in((kPanelWidth - kLeft / 2 - kRight) / 2 - 34, kTextLetter);
  const bool fit = std::all_of(panel.series.begin(), panel.series.end(),
                               [&](const Series& series) { return series.label.size() <= room; });
  return fit ? 2 : 1;
}

int legend_lines(const Panel& panel) {
  const auto labels = std::count_if(panel.series.begin(), panel.series.end(),
                                    [](const Series& series) { return !series.label.empty(); });
  const int columns = legend_columns(panel);
  return (static_cast<int>(labels) + columns - 1) / columns;
}

double panel_height(const Panel& panel) { return kTitle + kPlotHeight + kAxisText + kLegendLine * legend_lines(panel); }

/// One panel with its upper left corner at (left, top).
class PanelDrawing {
 public:
  PanelDrawing(Drawing& drawing, const Panel& panel, double left, double top, int index)
      : out_(drawing),
        panel_(panel),
        x0_(left + kLeft),
        x1_(left + kPanelWidth - kRight),
        y0_(top + kTitle),
        y1_(top + kTitle + kPlotHeight),
        clip_("plot" + std::to_string(index)),
        x_(panel.x, gathered(&Series::x)),
        y_(panel.y, gathered(&Series::y)) {}

  void draw() {
    out_.text(x0_, y0_ - 12, panel_.title, "class=\"h\"");
    axes();
    out_.add("<clipPath id=\"" + clip_ + "\"><rect x=\"" + number(x0_) + "\" y=\"" + number(y0_) + "\" width=\"" +
             number(x1_ - x0_) + "\" height=\"" + number(y1_ - y0_) + "\"/></clipPath>");
    out_.add("<g clip-path=\"url(#" + clip_ + ")\">");
    for (std::size_t i = 0; i < panel_.series.size(); ++i) curve(panel_.series[i], stroke_width(panel_, i));
    out_.add("</g>");
    legend();
  }

 private:
  std::vector<double> gathered(std::vector<double> Series::*which) const {
    std::vector<double> all;
    for (const Series& series : panel_.series) all.insert(all.end(), (series.*which).begin(), (series.*which).end());
    return all;
  }
  double along_x(double place) const { return x0_ + kInset + (x1_ - x0_ - 2 * kInset) * place; }
  double along_y(double place) const { return y1_ - kInset - (y1_ - y0_ - 2 * kInset) * place; }

  void axes() {
    const std::string rule = std::string("stroke=\"") + kRule + "\"", axis = std::string("stroke=\"") + kMuted + "\"";
    for (const AxisScale::Tick& tick : x_.ticks()) {
      const double x = along_x(tick.place);
      out_.line(x, y0_, x, y1_, rule);
      out_.text(x, y1_ + 17, tick.label, "class=\"t\" text-anchor=\"middle\"");
    }
    for (const AxisScale::Tick& tick : y_.ticks()) {
      const double y = along_y(tick.place);
      out_.line(x0_, y, x1_, y, rule);
      out_.text(x0_ - 7, y + 4, tick.label, "class=\"t\" text-anchor=\"end\"");
    }
    out_.line(x0_, y1_, x1_, y1_, axis);
    out_.line(x0_, y0_, x0_, y1_, axis);
    out_.text((x0_ + x1_) / 2, y1_ + 36, panel_.x.label, "class=\"a\" text-anchor=\"middle\"");
    const std::string place = number(x0_ - 50) + " " + number((y0_ + y1_) / 2);
    out_.add("<text transform=\"translate(" + place + ") rotate(-90)\" class=\"a\" text-anchor=\"middle\">" +
             escaped(panel_.y.label) + "</text>");
  }

  void curve(const Series& series, double width) {
    std::string path, marks;
    bool pen_down = false;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!x_.can_draw(series.x[i]) || !y_.can_draw(series.y[i])) {
        pen_down = false;
        continue;
      }
      const double at_x = along_x(x_.place(series.x[i])), at_y = along_y(y_.place(series.y[i]));
      const std::string x = number(at_x), y = number(at_y);
      path += (pen_down ? " L" : " M") + x + " " + y;
      pen_down = true;
      if (series.dots) {
        marks += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"3\" fill=\"" + hex(series.color) + "\"/>";
      }
      if (series.rings) marks += ring(at_x, at_y, series.color);
    }
    if (!path.empty() && !series.rings) out_.add("<path d=\"" + path.substr(1) + "\" " + stroke(series, width) + "/>");
    if (!marks.empty()) out_.add(marks);
  }

  void legend() {
    const int columns = legend_columns(panel_);
    const double column = (x1_ - x0_ + kLeft / 2) / columns;
    int place = 0;
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      const Series& series = panel_.series[i];
      if (series.label.empty()) continue;
      const double x = x0_ - kLeft / 2 + column * (place % columns);
      const int line = place / columns;
      const double y = y1_ + kAxisText + kLegendLine * line + 8;
      if (series.rings) {
        out_.add(ring(x + 11, y - 4, series.color));
      } else {
        out_.line(x, y - 4, x + 22, y - 4, stroke(series, stroke_width(panel_, i)));
      }
      out_.text(x + 28, y, series.label, "class=\"l\"");
      ++place;
    }
  }

  Drawing& out_;
  const Panel& panel_;
  double x0_, x1_, y0_, y1_;
  std::string clip_;
  AxisScale x_, y_;
};

}  // namespace

std::string svg(const Figure& figure) {
  const int columns = std::clamp(static_cast<int>(figure.panels.size()), 1, kColumns);
  const double width = 2 * kMargin + columns * kPanelWidth;
  Drawing drawing;
  double top = kMargin + 14;
  const double room = width - 2 * kMargin;
  for (const std::string& line : lines_of(figure.title, letters_in(room, kTitleLetter))) {
    drawing.text(kMargin, top, line, "class=\"title\"");
    top += kTitleLine;
  }
  for (const std::string& line : lines_of(figure.caption, letters_in(room, kTextLetter))) {
    drawing.text(kMargin, top, line, "class=\"l\"");
    top += kCaptionLine;
  }
  double row_height = 0;
  for (int i = 0; i < static_cast<int>(figure.panels.size()); ++i) {
    const Panel& panel = figure.panels[static_cast<std::size_t>(i)];
    if (i % columns == 0) top += row_height, row_height = 0;
    PanelDrawing(drawing, panel, kMargin + (i % columns) * kPanelWidth, top, i).draw();
    row_height = std::max(row_height, panel_height(panel) + kMargin);
  }
  const double height = top + row_height + kMargin;
  const std::string size = number(width) + "\" height=\"" + number(height);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size +
         "\" viewBox=\"0 0 " + number(width) + " " + number(height) + "\">\n<title>" + escaped(figure.title) +
         "</title>\n<style>text { font-family: system-ui, sans-serif; fill: " + kText +
         "; } .title { font-size: 17px; font-weight: 600; } .h { font-size: 14px; font-weight: 600; } .t { font-size: "
         "11px; fill: " +
         kMuted + "; } .a, .l { font-size: 12px; }</style>\n<rect width=\"" + size +
         "\" fill=\"#ffffff\" rx=\"8\"/>\n" + drawing.elements() + "</svg>\n";
}

}  // namespace uzawa::plot
