// Problems from simulations of other groups (Siconos, FCLIB); see the README beside them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "build_folders.hpp"
#include "io/temp_folder.hpp"
#include "problem/random_problem.hpp"
#include "support/cpu_time.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/problem_io/semidefinite_factor.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = fs::path(UZAWA_SHARED_DATA) / "fc3d";

class StoredProblems : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kFolder)) GTEST_SKIP() << "no " << kFolder;
  }
  static std::vector<fs::path> files(const std::string& extension) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(kFolder)) {
      if (entry.path().extension() == extension) out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
};

TEST_F(StoredProblems, LoadValidateAndComeBackTheSame) {
  const TempFolder folder;
  for (const char* extension : {".json", ".hdf5"}) {
    for (const fs::path& file : files(extension)) {
      SCOPED_TRACE(file.filename().string());
      const double start = cpu_seconds();
      const Problem problem = read_problem(file);
      EXPECT_LT(cpu_seconds() - start, 10);
      EXPECT_GT(problem.contacts.size(), 0);
      EXPECT_EQ(problem.contacts.size() * 3, problem.rows);
      for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
        EXPECT_LE(problem.attachment_start[c + 1] - problem.attachment_start[c], 2);
      }
      write_problem(problem, folder.path() / "copy.json");
      EXPECT_EQ(difference(problem, read_problem(folder.path() / "copy.json")), "");
    }
  }
}

TEST_F(StoredProblems, RigidBodiesAreFound) {
  if (fs::exists(kFolder / "Box_Stacks-i0122-82-5.json")) {
    const Problem boxes = read_problem(kFolder / "Box_Stacks-i0122-82-5.json");
    EXPECT_EQ(boxes.blocks.size(), 75U);
  }
  if (fs::exists(kFolder / "Spheres-i099-356-679.json")) {
    const Problem spheres = read_problem(kFolder / "Spheres-i099-356-679.json");
    EXPECT_EQ(spheres.blocks.size(), 2000U);
    for (const Block& block : spheres.blocks) EXPECT_EQ(block.size, 6);
  }
}

TEST_F(StoredProblems, JsonAndHdf5AreTheSame) {
  const fs::path json = kFolder / "Box_Stacks-i0122-82-5.json", hdf5 = kFolder / "Box_Stacks-i0122-82-5.hdf5";
  if (!fs::exists(json) || !fs::exists(hdf5)) GTEST_SKIP() << "no " << json << " or " << hdf5;
  Problem a = read_problem(json), b = read_problem(hdf5);
  a.name = b.name = "";  // the one is the file's name, the other FCLIB's title
  a.comment = b.comment = "";
  EXPECT_EQ(difference(a, b), "");
}

TEST_F(StoredProblems, FclibCopyIsTheSame) {
  const TempFolder folder;
  for (const fs::path& file : files(".json")) {
    SCOPED_TRACE(file.filename().string());
    Problem problem = read_problem(file);
    if (problem.n() > 1000) continue;  // for the time it takes to compare dense matrices
    write_problem(problem, folder.path() / "copy.hdf5");
    const Problem copy = read_problem(folder.path() / "copy.hdf5");
    EXPECT_EQ(dense_a(problem), dense_a(copy));
    EXPECT_EQ(dense(constraint_rows(problem)), dense(constraint_rows(copy)));
    EXPECT_EQ(problem.b, copy.b);
    EXPECT_EQ(problem.name, copy.name);
    for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
      EXPECT_EQ(norm(problem.contacts.e[c] - copy.contacts.e[c]), 0);
      EXPECT_EQ(problem.contacts.cone[c].mu1, copy.contacts.cone[c].mu1);
    }
  }
}

/// W = L L^T on every local problem, the ranks that are known, and L no denser than W's own triangle needs to be.
TEST_F(StoredProblems, LocalFormsAreFactorised) {
  // Confeti's W is printed with seven digits, which makes its smallest eigenvalue -6.7e-12: no factor can be nearer.
  const std::map<std::string, double> tolerances{{"Confeti-ex03-Fc3D-SBM", 3e-7}};
  const std::map<std::string, int> ranks{
      {"KaplasTower-i1061-4", 504}, {"Capsules-i100-1090", 553}, {"Confeti-ex03-Fc3D-SBM", 161}};
  int seen = 0;
  for (const fs::path& file : files(".json")) {
    std::ifstream stream(file);
    const nlohmann::json json = nlohmann::json::parse(stream);
    if (!json.contains("W")) continue;
    ++seen;
    const std::string name = file.stem().string();
    SCOPED_TRACE(name);
    const nlohmann::json& w = json["W"];
    const Triplets triplets{w["shape"][0], w["shape"][1], w["i"], w["j"], w["x"]};
    const SparseRows rows = compress(triplets), lower = lower_triangle(rows, name, "W");
    const SemidefiniteFactor factor = factor_semidefinite(lower, name, "W");
    if (ranks.contains(name)) {
      EXPECT_EQ(factor.rank(), ranks.at(name));
    }
    EXPECT_LT(static_cast<double>(factor.rows.value.size()), 1.5 * static_cast<double>(lower.value.size()));

    const Eigen::MatrixXd matrix = dense(rows), l = dense(factor.rows);
    const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
    const double error = (scale.asDiagonal() * (matrix - l * l.transpose()) * scale.asDiagonal()).cwiseAbs().maxCoeff();
    // Rounding of a Cholesky factor grows with its size: a few rows * epsilon, whatever the compiler fuses.
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * lower.rows();
    EXPECT_LT(error, tolerances.contains(name) ? tolerances.at(name) : rounding);
    RecordProperty(name, "rank " + std::to_string(factor.rank()) + " of " + std::to_string(lower.rows()) +
                             ", entries " + std::to_string(factor.rows.value.size()) + " against " +
                             std::to_string(lower.value.size()));
  }
  EXPECT_GT(seen, 0);
}

/// Contact velocities of the general form are u = W lambda + q of the file.
TEST_F(StoredProblems, LocalFormIsTheSameMap) {
  Random random(1);
  for (const fs::path& file : files(".json")) {
    std::ifstream stream(file);
    const nlohmann::json json = nlohmann::json::parse(stream);
    if (!json.contains("W")) continue;
    SCOPED_TRACE(file.filename().string());
    const nlohmann::json& w = json["W"];
    const SparseRows rows = compress(Triplets{w["shape"][0], w["shape"][1], w["i"], w["j"], w["x"]});
    const std::vector<double> q = json["q"];
    std::vector<double> lambda(q.size()), expected(q.size());
    for (double& value : lambda) value = uniform(random, -1, 1);
    rows.multiply(lambda, expected);
    const double largest = *std::max_element(rows.value.begin(), rows.value.end());
    const Problem problem = read_problem(file);
    const PreparedProblem prepared(problem);
    Judge judge;
    judge.evaluate(prepared, lambda);
    double worst = 0;
    for (std::size_t r = 0; r < q.size(); ++r) {
      const double u = judge.constraint_velocity()[r] + problem.contacts.e[r / 3][static_cast<int>(r % 3)];
      worst = std::max(worst, std::abs(u - expected[r] - q[r]));
    }
    const bool coarse = file.stem() == "Confeti-ex03-Fc3D-SBM";  // see above
    EXPECT_LT(worst, (coarse ? 1e-6 : 1e-11) * largest);
  }
}

}  // namespace
}  // namespace uzawa::test
