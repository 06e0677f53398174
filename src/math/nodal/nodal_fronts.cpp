#include "uzawa/math/nodal/nodal_fronts.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/panel.hpp"

namespace uzawa {

namespace {

/// Whether a front of so many columns may hold this share of zeros: small fronts cost more to visit than to fill
/// (the limits of Chen, Davis, Hager and Rajamanickam 2008, CHOLMOD).
bool may_merge(int columns, double zeros) {
  if (columns <= 4) return true;
  if (columns <= 16) return zeros < 0.8;
  if (columns <= 48) return zeros < 0.1;
  return zeros < 0.05;
}

/// Multiplications and additions of a dense factorisation of `columns` out of `size` columns.
double dense_flops(double columns, double size) {
  const double rest = size - columns;
  const auto cubes = [](double n) { return n * (n + 1) * (2 * n + 1) / 6; };
  return cubes(size) - cubes(rest);
}

}  // namespace

void NodalFronts::plan(const NodalPattern& pattern, std::span<const int> order, std::span<const int> last_nodes) {
  place_nodes(pattern, order, last_nodes);
  merge_columns();
  find_couples(pattern);
  find_rows();
  relate_to_parents();
  lay_out();
  place_entries(pattern);
}

void NodalFronts::place_nodes(const NodalPattern& pattern, std::span<const int> order,
                              std::span<const int> last_nodes) {
  const int nodes = pattern.nodes();
  last = static_cast<int>(last_nodes.size());
  leading = nodes - last;
  position_.assign(at(nodes), -1);
  for (int k = 0; k < last; ++k) position_[at(last_nodes[at(k)])] = leading + k;
  kept_.clear();
  for (const int node : order) {
    if (position_[at(node)] >= 0) continue;
    position_[at(node)] = static_cast<int>(kept_.size());
    kept_.push_back(node);
  }
  tree_.find(pattern, position_, leading);
  tree_.count_columns();
  const std::span<const int> post = tree_.postorder();
  count_ = tree_.count;
  parent_ = tree_.parent;
  node_at.resize(at(nodes));
  std::copy(last_nodes.begin(), last_nodes.end(), node_at.begin() + leading);
  for (int p = 0; p < leading; ++p) {
    node_at[at(p)] = kept_[at(post[at(p)])];
    position_[at(node_at[at(p)])] = p;
  }
  for (int p = 0; p < leading; ++p) {
    const int before = post[at(p)], above = parent_[at(before)];
    tree_.count[at(p)] = count_[at(before)];
    tree_.parent[at(p)] = above < 0 || above == leading ? above : position_[at(kept_[at(above)])];
  }
}

/// Supernodes, and of those each with its parent right after it where that adds few zeros.
void NodalFronts::merge_columns() {
  fronts.clear();
  for (int p = 0; p < leading; ++p) {
    const bool same = p > 0 && tree_.parent[at(p) - 1] == p && tree_.count[at(p) - 1] == tree_.count[at(p)] + 1;
    if (same) {
      ++fronts.back().pivots;
    } else {
      NodalFront& front = fronts.emplace_back();
      front.first = p;
      front.pivots = 1;
    }
  }
  merged_.clear();      // from the end
  double nonzeros = 0;  // that are no zeros, in the last of `merged_`
  while (!fronts.empty()) {
    const NodalFront front = fronts.back();
    fronts.pop_back();
    const int end = front.first + front.pivots;
    double own = 0;
    for (int p = front.first; p < end; ++p) own += tree_.count[at(p)] + 1;
    const int parent = tree_.parent[at(end) - 1];
    if (parent >= 0 && parent < leading && parent < merged_.back().first + merged_.back().pivots) {
      NodalFront& above = merged_.back();
      const int columns = above.pivots + front.pivots;
      const double rows = tree_.count[at(above.first + above.pivots - 1)];
      const double all = columns * (0.5 * (columns + 1) + rows);
      if (may_merge(3 * columns, 1 - (nonzeros + own) / all)) {
        above.first = front.first;
        above.pivots = columns;
        nonzeros += own;
        continue;
      }
    }
    merged_.push_back(front);
    nonzeros = own;
  }
  fronts.assign(merged_.rbegin(), merged_.rend());
}

/// A's couples by columns.
void NodalFronts::find_couples(const NodalPattern& pattern) {
  const int nodes = pattern.nodes();
  couple_start_.assign(at(nodes) + 1, 0);
  for_couples(pattern, position_, [&](int, int column, int) { ++couple_start_[at(column) + 1]; });
  for (int q = 0; q < nodes; ++q) couple_start_[at(q) + 1] += couple_start_[at(q)];
  couples_.resize(at(couple_start_.back()));
  next_.assign(couple_start_.begin(), couple_start_.end() - 1);
  for_couples(pattern, position_, [&](int later, int column, int k) {
    couples_[at(next_[at(column)]++)] = {later, k};
  });
}

/// Rows of a front: those of A's columns and of the children's updates.
void NodalFronts::find_rows() {
  row.clear();
  const int count = static_cast<int>(fronts.size());
  front_of_.resize(at(leading));
  seen_.assign(node_at.size(), -1);
  for (int f = 0; f < count; ++f) {
    std::fill_n(front_of_.begin() + fronts[at(f)].first, fronts[at(f)].pivots, f);
  }
  for (int f = 0; f < count; ++f) {
    NodalFront& front = fronts[at(f)];
    const int end = front.first + front.pivots;
    front.row_start = static_cast<int>(row.size());
    const auto add = [&](int p) {
      if (p < end || seen_[at(p)] == f) return;
      seen_[at(p)] = f;
      row.push_back(p);
    };
    for (int k = couple_start_[at(front.first)]; k < couple_start_[at(end)]; ++k) add(couples_[at(k)].row);
    for (int c = front.first_child; c >= 0; c = fronts[at(c)].sibling) {
      for (int k = 0; k < fronts[at(c)].rows; ++k) add(row[at(fronts[at(c)].row_start + k)]);
    }
    std::sort(row.begin() + front.row_start, row.end());
    front.rows = static_cast<int>(row.size()) - front.row_start;
    if (front.rows == 0) continue;
    const int above = row[at(front.row_start)];
    front.parent = above < leading ? front_of_[at(above)] : count;
    if (front.parent == count) continue;
    front.sibling = fronts[at(front.parent)].first_child;
    fronts[at(front.parent)].first_child = f;
  }
}

void NodalFronts::relate_to_parents() {
  relative.resize(row.size());
  runs.clear();
  for (NodalFront& front : fronts) {
    front.run_start = front.run_end = static_cast<int>(runs.size());
    if (front.parent < 0) continue;
    const bool to_last = front.parent == static_cast<int>(fronts.size());
    const int first = to_last ? leading : fronts[at(front.parent)].first;
    const int pivots = to_last ? last : fronts[at(front.parent)].pivots;
    const int* parent_row = to_last ? nullptr : row.data() + fronts[at(front.parent)].row_start;
    int below = 0;
    for (int k = 0; k < front.rows; ++k) {
      const int p = row[at(front.row_start + k)];
      const bool is_below = p >= first + pivots;
      while (is_below && parent_row[below] != p) ++below;
      const int to = is_below ? below : p - first;
      relative[at(front.row_start + k)] = is_below ? pivots + below : to;
      front.own_pivot_rows += is_below ? 0 : 1;
      NodalRun* run = static_cast<int>(runs.size()) > front.run_start ? &runs.back() : nullptr;
      if (run && run->below == is_below && run->to + run->length == to) {
        ++run->length;
      } else {
        runs.push_back({k, to, 1, is_below});
      }
    }
    front.run_end = static_cast<int>(runs.size());
  }
}

void NodalFronts::lay_out() {
  factor_size = fill = 0;
  most_pivots = most_rows = 0;
  flops = dense_flops(3 * last, 3 * last);
  last_stride = triangle_stride(3 * last);
  std::size_t top[2] = {0, 0};
  stack_size[0] = stack_size[1] = 0;
  for (int f = static_cast<int>(fronts.size()) - 1; f >= 0; --f) {
    NodalFront& front = fronts[at(f)];
    const bool has_front_above = front.parent >= 0 && front.parent < static_cast<int>(fronts.size());
    front.stack = has_front_above ? 1 - fronts[at(front.parent)].stack : 0;
  }
  for (NodalFront& front : fronts) {
    const int pivots = 3 * front.pivots, rows = 3 * front.rows;
    front.triangle_stride = triangle_stride(pivots);
    front.rectangle_stride = rectangle_stride(rows);
    front.triangle = factor_size;
    front.rectangle = front.triangle + at(front.triangle_stride * pivots);
    factor_size = front.rectangle + at(front.rectangle_stride) * at(pivots);
    fill += at(pivots) * at(pivots + 1) / 2 + at(rows) * at(pivots);
    flops += dense_flops(pivots, pivots + rows);
    most_pivots = std::max(most_pivots, front.pivots);
    most_rows = std::max(most_rows, front.rows);

    // The children's updates are used up; its own stays until the parent's turn, or goes to the last nodes at once.
    for (int c = front.first_child; c >= 0; c = fronts[at(c)].sibling) {
      top[1 - front.stack] = std::min(top[1 - front.stack], fronts[at(c)].update);
    }
    front.update = top[front.stack];
    const std::size_t end = front.update + at(front.rectangle_stride) * at(rows);
    stack_size[front.stack] = std::max(stack_size[front.stack], end);
    if (front.parent >= 0 && front.parent < static_cast<int>(fronts.size())) top[front.stack] = end;
  }
}

void NodalFronts::place_entries(const NodalPattern& pattern) {
  entries.clear();
  entries.reserve(pattern.blocks());
  const auto diagonal = [&](int p) { return static_cast<int>(pattern.diagonal(node_at[at(p)])); };
  index_.resize(node_at.size());
  const auto place_column = [&](int q, int first, int end, int stride, std::size_t triangle, int below_stride,
                                std::size_t rectangle) {
    const std::size_t column = at(3 * (q - first));
    entries.push_back({diagonal(q), stride, triangle + column * at(stride) + column, false});
    for (int k = couple_start_[at(q)]; k < couple_start_[at(q) + 1]; ++k) {
      const auto [p, block] = couples_[at(k)];
      const bool transposed = node_at[at(p)] < node_at[at(q)];  // A has its lower triangle in the nodes' own order
      const bool below = p >= end;
      const int used = below ? below_stride : stride;
      const std::size_t from = below ? rectangle : triangle, local = at(3 * (below ? index_[at(p)] : p - first));
      entries.push_back({block, used, from + column * at(used) + local, transposed});
    }
  };
  for (NodalFront& front : fronts) {
    front.entry_start = static_cast<int>(entries.size());
    for (int k = 0; k < front.rows; ++k) index_[at(row[at(front.row_start + k)])] = k;
    const int end = front.first + front.pivots;
    for (int q = front.first; q < end; ++q) {
      place_column(q, front.first, end, front.triangle_stride, front.triangle, front.rectangle_stride, front.rectangle);
    }
    front.entry_end = static_cast<int>(entries.size());
  }
  last_entry_start = static_cast<int>(entries.size());
  for (int q = leading; q < leading + last; ++q) place_column(q, leading, leading + last, last_stride, 0, 0, 0);
}

}  // namespace uzawa
