#include "math/nodal_cases.hpp"

#include "uzawa/base/at.hpp"

namespace uzawa::test {

Eigen::MatrixXd dense(const NodalMatrix& matrix) {
  const NodalPattern& pattern = *matrix.pattern;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3 * pattern.nodes(), 3 * pattern.nodes());
  for (int i = 0; i < pattern.nodes(); ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
      const int j = pattern.column[at(k)];
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> block(matrix.block(at(k)));
      out.block<3, 3>(3 * i, 3 * j) = block;
      out.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  }
  return out;
}

Couples random_couples(int nodes, double couples_a_node, std::mt19937& random) {
  Couples out;
  std::uniform_int_distribution<int> node(0, nodes - 1);
  for (int k = 0; k < static_cast<int>(couples_a_node * nodes); ++k) out.emplace_back(node(random), node(random));
  return out;
}

Couples grid_couples(int x, int y, int z) {
  Couples out;
  const auto for_cells = [](int a, int b, int c, auto&& work) {
    for (int i = 0; i < a; ++i)
      for (int j = 0; j < b; ++j)
        for (int k = 0; k < c; ++k) work(i, j, k);
  };
  for_cells(x, y, z, [&](int i, int j, int k) {
    for_cells(3, 3, 3, [&](int di, int dj, int dk) {
      const int a = i + di - 1, b = j + dj - 1, c = k + dk - 1;
      if (a < 0 || b < 0 || c < 0 || a >= x || b >= y || c >= z) return;
      out.emplace_back((i * y + j) * z + k, (a * y + b) * z + c);
    });
  });
  return out;
}

NodalMatrix random_matrix(int nodes, const Couples& couples, double mass, std::mt19937& random) {
  NodalMatrix out(std::make_shared<NodalPattern>(make_nodal_pattern(nodes, couples)));
  std::normal_distribution<double> number;
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  for (auto [i, j] : couples) {
    if (i == j) continue;
    if (i < j) std::swap(i, j);
    // Of the energy |G (x_i - R x_j)|^2 / 2: the block between both is not symmetric.
    const Block g = Block::NullaryExpr([&] { return number(random); });
    const Block r = Eigen::Quaterniond(number(random), number(random), number(random), number(random))
                        .normalized()
                        .toRotationMatrix();
    const Block own = g.transpose() * g, other = r.transpose() * own * r, between = -own * r;
    out.add_to_diagonal(i, std::span<const double, 9>(own.data(), 9));
    out.add_to_diagonal(j, std::span<const double, 9>(other.data(), 9));
    double* block = out.block(out.pattern->place(i, j));
    for (int k = 0; k < 9; ++k) block[k] += between.data()[k];
  }
  for (int i = 0; i < nodes; ++i) out.add_to_diagonal(i, mass);
  return out;
}

Eigen::VectorXd random_vector(int size, std::mt19937& random) {
  std::normal_distribution<double> number;
  return Eigen::VectorXd::NullaryExpr(size, [&] { return number(random); });
}

}  // namespace uzawa::test
