#include "run_summary.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa::cli {

void EnergySummary::add(int step, const EnergyReport& report) {
  if (step == 1) first = report;
  last = report;
  actuators += report.actuators;
  external += report.external;
  damped += report.damped;
  projected += report.projected;
  constraints -= report.unexplained;
  if (report.gain <= gain) return;
  gain = report.gain;
  gain_step = step;
}

void RunSummary::add(const StepReport& report) {
  ++steps;
  times += report.times;
  energy.add(steps, report.energy);
  ++statuses[static_cast<std::size_t>(report.status)];
  contacts += report.contacts;
  iterations += report.iterations;
  inner_iterations += report.inner_iterations;
  islands += report.islands;
  resolves += report.resolves;
  most_contacts = std::max(most_contacts, report.contacts);
  most_iterations = std::max(most_iterations, report.iterations);
  penetration = std::max(penetration, report.penetration);
  residuals.push_back(std::isfinite(report.residual) ? report.residual : HUGE_VAL);
  step_times.push_back(report.times.total());
  if (!(report.polygon_error > 0)) return;
  polygon_errors.push_back(report.polygon_error);
  pivoting_error = std::max(pivoting_error, report.method_error);
}

Spread::Spread(std::vector<double> values) {
  worst_step = static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin()) + 1;
  std::erase_if(values, [&](double x) { return x == HUGE_VAL; });
  if (values.empty()) {
    worst_step = 0;
    return;
  }
  const auto quantile = [&](double share) {
    const auto k = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + k, values.end());
    return values[static_cast<std::size_t>(k)];
  };
  median = quantile(0.5);
  tail = quantile(kTail);
  worst = quantile(1);
}

double RunSummary::residual_of(int step) const { return step == 0 ? 0 : residuals[static_cast<std::size_t>(step - 1)]; }

double RunSummary::time_of(int step, const World& world) const {
  return world.state().time - simulated + static_cast<double>(step) * world.dt();
}

}  // namespace uzawa::cli
