#include "uzawa/solver/admm/trace_penalties.hpp"

#include <numeric>

#include "uzawa/base/at.hpp"

namespace uzawa {

std::span<const double> TracePenalties::measure(const PreparedProblem& prepared, bool whole) {
  const Problem& problem = prepared.problem();
  const SparseRows& j = prepared.rows();
  diagonal_.resize(at(problem.n()));
  diagonal(problem, prepared.factor(), diagonal_);
  column_square_.assign(at(problem.n()), 0.0);
  for (std::size_t k = 0; k < j.value.size(); ++k) column_square_[at(j.column[k])] += j.value[k] * j.value[k];
  const auto ratio = [&](int first, int size) {
    const auto trace = [&](const std::vector<double>& of) {
      return std::accumulate(of.begin() + first, of.begin() + first + size, 0.0);
    };
    const double dynamics = trace(diagonal_), constraints = trace(column_square_);
    return constraints > 0 && dynamics > 0 ? dynamics / constraints : 1.0;
  };
  penalty_.assign(problem.blocks.size(), whole ? ratio(0, problem.n()) : 1.0);
  for (std::size_t b = 0; b < penalty_.size() && !whole; ++b) {
    penalty_[b] = ratio(problem.blocks[b].offset, problem.blocks[b].size);
  }
  return penalty_;
}

}  // namespace uzawa
