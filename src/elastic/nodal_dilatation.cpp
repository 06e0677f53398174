#include "uzawa/elastic/nodal_dilatation.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

NodalDilatation::NodalDilatation(int nodes, std::span<const std::array<int, 4>> tets, std::span<const double> volumes)
    : tet_volume_(volumes.begin(), volumes.end()), node_volume_(at(nodes)), average_(at(nodes)) {
  std::vector<std::vector<int>> around(at(nodes));
  for (std::size_t e = 0; e < tets.size(); ++e) {
    for (const int a : tets[e]) {
      node_volume_[at(a)] += volumes[e] / 4;
      around[at(a)].insert(around[at(a)].end(), tets[e].begin(), tets[e].end());
    }
  }
  start_.push_back(0);
  for (auto& list : around) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    node_.insert(node_.end(), list.begin(), list.end());
    start_.push_back(static_cast<int>(node_.size()));
  }
  gradient_.resize(node_.size());
}

std::vector<std::pair<int, int>> NodalDilatation::couples() const {
  std::vector<std::pair<int, int>> out;
  for (std::size_t a = 0; a + 1 < start_.size(); ++a) {
    for (int i = start_[a]; i < start_[a + 1]; ++i) {
      for (int j = start_[a]; j <= i; ++j) out.emplace_back(node_[at(i)], node_[at(j)]);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void NodalDilatation::place(std::span<const std::array<int, 4>> tets, std::span<const int> node_of,
                            const NodalPattern& pattern) {
  pair_start_.clear(), place_.clear();
  const auto before = [&](int i, int j) { return node_of[at(i)] < node_of[at(j)]; };
  for (std::size_t a = 0; a + 1 < start_.size(); ++a) {
    // In the order of the system, so that every block is one of its lower triangle.
    std::stable_sort(node_.begin() + start_[a], node_.begin() + start_[a + 1], before);
    pair_start_.push_back(static_cast<int>(place_.size()));
    for (int i = start_[a]; i < start_[a + 1]; ++i) {
      for (int j = start_[a]; j <= i; ++j) {
        const int row = node_of[at(node_[at(i)])], column = node_of[at(node_[at(j)])];
        place_.push_back(row < 0 || column < 0 ? -1 : static_cast<int>(pattern.place(row, column)));
      }
    }
  }
  entry_.resize(tets.size());
  for (std::size_t e = 0; e < tets.size(); ++e) {
    for (std::size_t a = 0; a < 4; ++a) {
      const auto begin = node_.begin() + start_[at(tets[e][a])], end = node_.begin() + start_[at(tets[e][a]) + 1];
      for (std::size_t b = 0; b < 4; ++b) {
        entry_[e][4 * a + b] = static_cast<int>(std::find(begin, end, tets[e][b]) - node_.begin());
      }
    }
  }
}

void NodalDilatation::average(std::span<const std::array<int, 4>> tets, std::span<const double> of_tet) {
  std::fill(average_.begin(), average_.end(), 0.0);
  for (std::size_t e = 0; e < tets.size(); ++e) {
    for (const int a : tets[e]) average_[at(a)] += tet_volume_[e] / 4 * of_tet[e];
  }
  for (std::size_t a = 0; a < average_.size(); ++a) {
    if (node_volume_[a] > 0) average_[a] /= node_volume_[a];
  }
}

double NodalDilatation::mean(const std::array<int, 4>& tet) const {
  return 0.25 * (average_[at(tet[0])] + average_[at(tet[1])] + average_[at(tet[2])] + average_[at(tet[3])]);
}

double NodalDilatation::energy() const {
  double out = 0;
  for (std::size_t a = 0; a < average_.size(); ++a) out += 0.5 * node_volume_[a] * average_[a] * average_[a];
  return out;
}

void NodalDilatation::clear_gradients() { std::fill(gradient_.begin(), gradient_.end(), Vec3{}); }

void NodalDilatation::add_gradient(std::size_t e, const std::array<Vec3, 4>& of_node) {
  for (std::size_t b = 0; b < 4; ++b) {
    const Vec3 share = of_node[b] * 0.25;
    for (std::size_t a = 0; a < 4; ++a) gradient_[at(entry_[e][4 * a + b])] += share;
  }
}

void NodalDilatation::add_stiffness(NodalMatrix& k, double kappa) const {
  for (std::size_t a = 0; a + 1 < start_.size(); ++a) {
    if (!(node_volume_[a] > 0)) continue;
    const double scale = kappa / node_volume_[a];
    const int* place = place_.data() + pair_start_[a];
    for (int i = start_[a]; i < start_[a + 1]; ++i) {
      const Vec3 row = gradient_[at(i)] * scale;
      for (int j = start_[a]; j <= i; ++j, ++place) {
        if (*place < 0) continue;
        double* block = k.block(at(*place));
        const Vec3& column = gradient_[at(j)];
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) block[3 * r + c] += row[r] * column[c];
        }
      }
    }
  }
}

}  // namespace uzawa
