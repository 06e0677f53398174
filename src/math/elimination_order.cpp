#include "uzawa/math/elimination_order.hpp"

#include <algorithm>

namespace uzawa {

void EliminationOrder::find(int count, std::span<const std::pair<int, int>> coupled) {
  link(count, coupled);
  order_.clear();
  members_.clear();
  member_start_.assign(1, 0);
  heap_.clear();
  stamp_.assign(nodes_.size(), -1);
  column_at_.assign(nodes_.size(), -1);
  column_size_.clear();
  outside_.assign(nodes_.size(), 0);
  outside_at_.assign(nodes_.size(), -1);
  for (int i = 0; i < count; ++i) push(i);
  for (int p = 0; p < count; ++p) eliminate(take_least());
}

void EliminationOrder::link(int count, std::span<const std::pair<int, int>> coupled) {
  nodes_.assign(at(count), {});
  for (const auto& [i, j] : coupled) {
    ++nodes_[at(i)].end;
    ++nodes_[at(j)].end;
  }
  int links = 0;
  for (Node& node : nodes_) {
    node.first = links;
    node.degree = node.end;
    node.end = links += node.end;
  }
  links_.resize(at(links));
  const auto add = [&](int from, int to) {
    Node& node = nodes_[at(from)];
    links_[at(node.first + node.neighbours++)] = to;
  };
  for (const auto& [i, j] : coupled) {
    add(i, j);
    add(j, i);
  }
}

void EliminationOrder::push(int node) {
  heap_.push_back({nodes_[at(node)].degree, node});
  std::push_heap(heap_.begin(), heap_.end());
}

int EliminationOrder::take_least() {
  while (true) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry least = heap_.back();
    heap_.pop_back();
    const Node& node = nodes_[at(least.node)];
    if (!node.eliminated && node.degree == least.degree) return least.node;
  }
}

void EliminationOrder::add_member(int node, int stamp) {
  if (stamp_[at(node)] == stamp || nodes_[at(node)].eliminated) return;
  stamp_[at(node)] = stamp;
  members_.push_back(node);
  ++column_size_.back();
}

/// Neighbours that are members of the column `stamp` are coupled through it from now on, and columns that it took in
/// are no more; the column itself is added.
void EliminationOrder::forget_covered(Node& node, int stamp) {
  int* first = links_.data() + node.first;
  int* last = std::remove_if(first, first + node.neighbours,
                             [&](int other) { return stamp_[at(other)] == stamp || nodes_[at(other)].eliminated; });
  node.neighbours = static_cast<int>(last - first);
  int* end = links_.data() + node.end;
  int* kept = end;
  for (int* column = end; column-- > end - node.columns;) {
    if (column_size_[at(*column)] > 0) *--kept = *column;
  }
  *--kept = stamp;
  node.columns = static_cast<int>(end - kept);
}

void EliminationOrder::eliminate(int index) {
  Node& node = nodes_[at(index)];
  node.eliminated = true;
  const int p = static_cast<int>(order_.size());
  order_.push_back(index);
  column_size_.push_back(0);
  for (int k = 0; k < node.neighbours; ++k) add_member(links_[at(node.first + k)], p);
  for (const int c : columns_of(node)) {
    for (std::size_t m = member_start_[at(c)]; m < member_start_[at(c) + 1]; ++m) add_member(members_[m], p);
    column_size_[at(c)] = 0;
  }
  member_start_.push_back(members_.size());

  // What the members' other columns hold beyond this one.
  for (const int i : column(p)) {
    for (const int c : columns_of(nodes_[at(i)])) {
      if (column_size_[at(c)] == 0) continue;
      if (outside_at_[at(c)] != p) {
        outside_at_[at(c)] = p;
        outside_[at(c)] = column_size_[at(c)];
      }
      --outside_[at(c)];
    }
  }
  for (std::size_t m = member_start_[at(p)]; m < member_start_[at(p) + 1]; ++m) {
    const int i = members_[m];
    Node& member = nodes_[at(i)];
    forget_covered(member, p);
    int degree = column_size_[at(p)] - 1 + member.neighbours;
    for (const int c : columns_of(member)) degree += c == p ? 0 : outside_[at(c)];
    if (degree == member.degree) continue;
    member.degree = degree;
    push(i);
  }
}

}  // namespace uzawa
