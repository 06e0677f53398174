#include "uzawa/math/nodal/vertex_separator.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kSeparator = 2;
constexpr int kCoarse = 60;          // vertices at which the graph is separated directly
constexpr int kStarts = 6;           // first separators that are tried there
constexpr int kPasses = 6;           // of refinement, as long as they help
constexpr double kLargerSide = 0.6;  // of all, at most

/// Moves vertices out of the separator, the best first, also where that makes it larger for a while; what was best is
/// kept (Fiduccia and Mattheyses 1982, on vertices).
class Refinement {
 public:
  Refinement(const WeightedGraph& graph, Separation& separation) : graph_(graph), state_(separation) {
    total_ = std::accumulate(graph.weight.begin(), graph.weight.end(), 0);
    beside_[0].assign(graph.weight.size(), 0);
    beside_[1].assign(graph.weight.size(), 0);
    std::fill_n(state_.weight, 3, 0);
    for (int v = 0; v < graph.vertices(); ++v) {
      const int side = state_.side[at(v)];
      state_.weight[side] += graph.weight[at(v)];
      if (side == kSeparator) separator_.push_back(v);
      if (side != kSeparator) add_beside(v, side, graph.weight[at(v)]);
    }
  }

  void run() {
    for (int pass = 0; pass < kPasses && improve(); ++pass) {
    }
  }

 private:
  struct Move {
    int vertex = -1, to = 0, gain = 0;
  };
  struct Change {
    int vertex, before;
  };

  void add_beside(int v, int side, int weight) {
    for (int e = graph_.start[at(v)]; e < graph_.start[at(v) + 1]; ++e) {
      beside_[side][at(graph_.neighbour[at(e)])] += weight;
    }
  }
  void set(int v, int side) {
    const int before = state_.side[at(v)], weight = graph_.weight[at(v)];
    state_.weight[before] -= weight;
    state_.weight[side] += weight;
    state_.side[at(v)] = side;
    if (before != kSeparator) add_beside(v, before, -weight);
    if (side != kSeparator) add_beside(v, side, weight);
    if (side == kSeparator) separator_.push_back(v);
  }
  /// Smaller separators first, then sides that are more alike. Sides far from alike come last.
  double cost() const {
    const int larger = std::max(state_.weight[0], state_.weight[1]);
    const double excess = std::max(0.0, larger - kLargerSide * total_);
    return state_.weight[kSeparator] + 0.1 * larger / total_ + 1e3 * excess;
  }
  Move best_move(const std::vector<char>& locked) {
    std::erase_if(separator_, [&](int v) { return state_.side[at(v)] != kSeparator; });
    Move best;
    for (const int v : separator_) {
      if (locked[at(v)]) continue;
      for (const int to : {0, 1}) {
        const int after = state_.weight[to] + graph_.weight[at(v)];
        if (after > kLargerSide * total_ && state_.weight[to] >= state_.weight[1 - to]) continue;
        const int gain = graph_.weight[at(v)] - beside_[1 - to][at(v)];
        const bool better =
            best.vertex < 0 || gain > best.gain || (gain == best.gain && state_.weight[to] < state_.weight[best.to]);
        if (better) best = {v, to, gain};
      }
    }
    return best;
  }
  bool improve() {
    std::vector<char> locked(graph_.weight.size(), 0);
    std::vector<Change> changes;
    const double before = cost();
    double least = before;
    std::size_t kept = 0;
    const int patience = 20 + static_cast<int>(separator_.size()) / 4;
    for (int idle = 0; idle < patience; ++idle) {
      const Move move = best_move(locked);
      if (move.vertex < 0) break;
      changes.push_back({move.vertex, kSeparator});
      locked[at(move.vertex)] = 1;
      set(move.vertex, move.to);
      for (int e = graph_.start[at(move.vertex)]; e < graph_.start[at(move.vertex) + 1]; ++e) {
        const int other = graph_.neighbour[at(e)];
        if (state_.side[at(other)] != 1 - move.to) continue;
        changes.push_back({other, 1 - move.to});
        set(other, kSeparator);
      }
      if (cost() >= least) continue;
      least = cost();
      kept = changes.size();
      idle = -1;
    }
    for (; changes.size() > kept; changes.pop_back()) set(changes.back().vertex, changes.back().before);
    std::sort(separator_.begin(), separator_.end());
    separator_.erase(std::unique(separator_.begin(), separator_.end()), separator_.end());
    std::erase_if(separator_, [&](int v) { return state_.side[at(v)] != kSeparator; });
    return least < before;
  }

  const WeightedGraph& graph_;
  Separation& state_;
  int total_ = 0;
  std::vector<int> beside_[2];  ///< per vertex: weight of its neighbours on each side
  std::vector<int> separator_;  ///< may also hold vertices that have left, until the next look
};

/// A half grown from a vertex breadth first; its rim is the separator.
Separation grow_half(const WeightedGraph& graph, std::mt19937& random) {
  const int count = graph.vertices();
  const int total = std::accumulate(graph.weight.begin(), graph.weight.end(), 0);
  Separation out;
  out.side.assign(at(count), 1);
  std::vector<int> queue;
  int grown = 0;
  for (std::size_t next = 0; 2 * grown < total; ++next) {
    if (next == queue.size()) {
      int seed = std::uniform_int_distribution<int>(0, count - 1)(random);
      while (out.side[at(seed)] == 0) seed = (seed + 1) % count;
      out.side[at(seed)] = 0;
      queue.push_back(seed);
    }
    const int v = queue[next];
    grown += graph.weight[at(v)];
    for (int e = graph.start[at(v)]; e < graph.start[at(v) + 1]; ++e) {
      const int other = graph.neighbour[at(e)];
      if (out.side[at(other)] == 0) continue;
      out.side[at(other)] = 0;
      queue.push_back(other);
    }
    if (2 * grown < total) continue;
    for (std::size_t k = next + 1; k < queue.size(); ++k) out.side[at(queue[k])] = kSeparator;
  }
  return out;
}

Separation separate_coarse(const WeightedGraph& graph, std::mt19937& random) {
  Separation best;
  for (int attempt = 0; attempt < kStarts; ++attempt) {
    Separation found = grow_half(graph, random);
    Refinement(graph, found).run();
    const auto cost = [](const Separation& s) {
      return s.weight[kSeparator] + 0.2 * std::abs(s.weight[0] - s.weight[1]);
    };
    if (attempt == 0 || cost(found) < cost(best)) best = std::move(found);
  }
  return best;
}

/// Pairs of vertices joined by heavy edges become one. `coarse_of`: per vertex.
WeightedGraph coarsen(const WeightedGraph& graph, std::mt19937& random, std::vector<int>& coarse_of) {
  const int count = graph.vertices();
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  coarse_of.assign(at(count), -1);
  std::vector<std::pair<int, int>> pairs;
  for (const int v : order) {
    if (coarse_of[at(v)] >= 0) continue;
    int mate = v, heaviest = 0;
    for (int e = graph.start[at(v)]; e < graph.start[at(v) + 1]; ++e) {
      const int other = graph.neighbour[at(e)];
      if (coarse_of[at(other)] >= 0 || graph.edge_weight[at(e)] <= heaviest) continue;
      heaviest = graph.edge_weight[at(e)];
      mate = other;
    }
    coarse_of[at(v)] = coarse_of[at(mate)] = static_cast<int>(pairs.size());
    pairs.emplace_back(v, mate);
  }
  WeightedGraph out;
  std::vector<int> slot(pairs.size(), -1);
  for (int c = 0; c < static_cast<int>(pairs.size()); ++c) {
    const auto [a, b] = pairs[at(c)];
    out.weight.push_back(graph.weight[at(a)] + (a == b ? 0 : graph.weight[at(b)]));
    const int begin = out.start.back();
    const int members[] = {a, b};
    for (const int v : std::span(members).first(a == b ? 1 : 2)) {
      for (int e = graph.start[at(v)]; e < graph.start[at(v) + 1]; ++e) {
        const int other = coarse_of[at(graph.neighbour[at(e)])];
        if (other == c) continue;
        if (slot[at(other)] < begin) {
          slot[at(other)] = static_cast<int>(out.neighbour.size());
          out.neighbour.push_back(other);
          out.edge_weight.push_back(0);
        }
        out.edge_weight[at(slot[at(other)])] += graph.edge_weight[at(e)];
      }
    }
    out.start.push_back(static_cast<int>(out.neighbour.size()));
  }
  return out;
}

}  // namespace

Separation find_separator(const WeightedGraph& graph, std::mt19937& random) {
  if (graph.vertices() <= kCoarse) return separate_coarse(graph, random);
  std::vector<int> coarse_of;
  const WeightedGraph coarse = coarsen(graph, random, coarse_of);
  if (coarse.vertices() > graph.vertices() * 9 / 10) return separate_coarse(graph, random);
  const Separation below = find_separator(coarse, random);
  Separation out;
  for (const int c : coarse_of) out.side.push_back(below.side[at(c)]);
  Refinement(graph, out).run();
  return out;
}

}  // namespace uzawa
