/// A cube on elliptic friction cones: its path, and that of maximal dissipation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

namespace {

constexpr double kGravity = 9.81, kAsked = 1e-6;  // m/s^2; m

struct Planar {
  double x = 0, y = 0;
};

struct Friction {
  double mu1, mu2;
};

/// The principle itself, as an oracle: of all friction impulses (a cos phi, b sin phi) s, s <= 1, the one that leaves
/// the least kinetic energy, by halving on the slope over phi; v is in the first quadrant.
Planar dissipate(const Friction& mu, const Planar& v, double h) {
  const double a = mu.mu1 * kGravity * h, b = mu.mu2 * kGravity * h;
  if (std::hypot(v.x / a, v.y / b) <= 1) return {};
  double low = 0, high = M_PI / 2;
  for (int i = 0; i < 100; ++i) {
    const double phi = 0.5 * (low + high), c = std::cos(phi), s = std::sin(phi);
    const double slope = (v.x - a * c) * a * s - (v.y - b * s) * b * c;  // of half the squared velocity that is left
    (slope < 0 ? low : high) = phi;
  }
  return {v.x - a * std::cos(low), v.y - b * std::sin(low)};
}

struct Path {
  std::vector<double> x, y;
  double off = 0, bend = 0;  ///< m: from the path of maximal dissipation; from the straight line, at the most
};

Path follow(const Friction& mu, const Contender& contender, int most) {
  scenarios::SceneRun scene =
      start_scene("box-anisotropic", {fmt::format("mu1={}", mu.mu1), fmt::format("mu2={}", mu.mu2)}, contender);
  Path path;
  Planar v{scene.world().state().v[0], scene.world().state().v[1]}, place;
  const double h = scene.world().dt();
  const int steps = std::min(most, static_cast<int>(std::lround(scene.times().duration / h)));
  for (int k = 0; k < steps; ++k) {
    scene.step();
    const std::vector<double>& q = scene.world().state().q;
    v = dissipate(mu, v, h);
    place = {place.x + h * v.x, place.y + h * v.y};
    path.x.push_back(q[0]);
    path.y.push_back(q[1]);
    path.off = std::max(path.off, std::hypot(q[0] - place.x, q[1] - place.y));
    path.bend = std::max(path.bend, std::abs(q[0] - q[1]) / std::sqrt(2));
  }
  return path;
}

Report run(const Options& options) {
  Report report;
  const Friction cases[] = {{0.3, 0.3}, {0.5, 0.2}, {0.2, 0.5}, {0.6, 0.1}};
  const Contender methods[] = {{"COND", "cond", {.tolerance = 1e-10, .max_iterations = 20000}, plot::Color::Blue},
                               {"CANAL", "canal", {.tolerance = 1e-10}, plot::Color::Orange, true}};
  const int most = options.quick ? 10 : 1000;
  report.setup =
      "Scene box-anisotropic: a cube starts with (1, 1, 0) m/s on a floor with friction mu1 along x and mu2 along y, "
      "in "
      "steps of 10 ms. Its place after every step beside that of the maximal dissipation principle, step by step, by a "
      "search over all impulses of the ellipse.";
  report.figure = {.title = "A cube on anisotropic friction (cond-fig14)",
                   .caption = "Path of the cube from above, one panel a pair of coefficients."};
  Table table{"distance from the path of maximal dissipation",
              {"mu1", "mu2", "method", "largest, m", "bend of the path, mm", "stops at x, m", "stops at y, m"},
              {}};
  double worst = 0, bend = 0;
  int done = 0;
  for (const Friction& mu : cases) {
    plot::Panel panel{
        .title = fmt::format("mu1 = {}, mu2 = {}", mu.mu1, mu.mu2), .x = {.label = "x, m"}, .y = {.label = "y, m"}};
    for (const Contender& method : methods) {
      const Path path = follow(mu, method, most);
      table.rows.push_back({Cell::of(mu.mu1), Cell::of(mu.mu2), method.label, Cell::of(path.off, 2),
                            Cell::of(1e3 * path.bend), Cell::of(path.x.back()), Cell::of(path.y.back())});
      plot::Series curve = curve_of(method);
      curve.x = path.x;
      curve.y = path.y;
      panel.series.push_back(std::move(curve));
      worst = std::max(worst, path.off);
      if (mu.mu1 != mu.mu2) bend = std::max(bend, path.bend);
      options.show(++done / 8.0);
    }
    report.figure.panels.push_back(std::move(panel));
  }
  report.tables.push_back(std::move(table));
  report.claims = {{"the path equals the solution of maximal dissipation", "exactly matched",
                    fmt::format("{:.1e} m apart at the most (asked: {:g})", worst, kAsked), worst <= kAsked},
                   {"the path is curved where mu1 and mu2 differ", "curved",
                    fmt::format("up to {:.0f} mm beside the straight line", 1e3 * bend), bend > 0.01}};
  return report;
}

}  // namespace

Bench cond_fig14() { return {"cond-fig14", "anisotropic friction and maximal dissipation", "[COND] Fig. 14", run}; }

}  // namespace uzawa::papers
