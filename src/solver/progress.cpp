#include "uzawa/solver/progress.hpp"

#include <algorithm>

namespace uzawa {

namespace {

constexpr double kRounding = 1e-15;  // m/s: a few units in the last place of 1 m/s

}  // namespace

Progress::Progress(const PreparedProblem& prepared, const Settings& settings, Judge& judge, std::vector<double>& best,
                   Result& result)
    : prepared_(prepared),
      settings_(settings),
      judge_(judge),
      best_lambda_(best),
      result_(result),
      start_(Clock::now()) {
  deadline_.stop = settings.stop;
  if (settings.budget_us > 0) {
    const std::chrono::duration<double> left(settings.budget_us * 1e-6 - prepared.seconds());
    deadline_.time = start_ + std::chrono::duration_cast<Clock::duration>(left);
  }
  result_.stats.reset();
  result_.least.clear();
  best_lambda_.assign(static_cast<std::size_t>(prepared.problem().rows), 0.0);
}

double Progress::measure(const Verdict& verdict, const Settings& settings) {
  // The Siconos error is relative to impulses and velocities. Where all of them are rounding errors (a gap that the
  // bodies just close within the step), it is meaningless.
  const bool siconos = settings.require_siconos && verdict.residual > kRounding;
  return siconos ? std::max(verdict.residual, verdict.siconos) : verdict.residual;
}

bool Progress::start_from(const std::vector<double>& given, std::vector<double>& lambda) {
  lambda.assign(static_cast<std::size_t>(prepared_.problem().rows), 0.0);
  const bool any =
      given.size() == lambda.size() && std::any_of(given.begin(), given.end(), [](double x) { return x != 0; });
  look_at(any ? given : lambda);
  if (!any) return false;
  if (!(last_residual_ <= kDoubtful)) {
    start_residual_ = last_residual_;
    look_at(lambda);
    if (!(start_residual_ < last_residual_)) return false;
    look_at(given);
  }
  std::copy(given.begin(), given.end(), lambda.begin());
  return true;
}

bool Progress::look_at(std::span<const double> lambda) {
  const double before = settings_.history ? seconds() : 0;
  last_residual_ = judge_.residual(prepared_, lambda);
  const double found =
      settings_.require_siconos ? measure(judge_.verdict(prepared_, lambda), settings_) : last_residual_;
  if (settings_.history) judging_ += seconds() - before;
  if (!(found < measure_)) return false;
  measure_ = found;
  best_look_ = judge_.looks();
  std::copy(lambda.begin(), lambda.end(), best_lambda_.begin());
  result_.v.assign(judge_.velocity().begin(), judge_.velocity().end());
  return true;
}

SolveStatus Progress::ending(SolveStatus otherwise) const {
  if (deadline_.is_stopped()) return SolveStatus::Interrupted;
  if (deadline_.has_passed()) return SolveStatus::TimeLimit;
  return out_of_work() ? SolveStatus::WorkLimit : otherwise;
}

void Progress::record(double beta) {
  if (!settings_.history) return;
  result_.stats.history.push_back({last_residual_, seconds() - judging_, result_.stats.inner_iterations, beta});
}

void Progress::finish(SolveStatus status) {
  // The judge has to evaluate best_lambda_ again where another iterate was judged after it, or where no iterate has a
  // finite residual (best_lambda_ then has its earlier value, zeros at first).
  if (measure_ >= kUnknown || judge_.looks() != best_look_) return finish(status, best_lambda_);
  result_.status = status;
  result_.verdict = judge_.verdict(prepared_, best_lambda_);
  result_.lambda = best_lambda_;
  result_.stats.seconds = seconds();
}

void Progress::finish(SolveStatus status, const std::vector<double>& lambda) {
  result_.status = status;
  result_.verdict = judge_.evaluate(prepared_, lambda);
  result_.lambda = lambda;
  result_.v.assign(judge_.velocity().begin(), judge_.velocity().end());
  result_.stats.seconds = seconds();
}

}  // namespace uzawa
