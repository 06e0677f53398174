#include <gtest/gtest.h>
#include <hdf5.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "io/temp_folder.hpp"
#include "problem/random_problem.hpp"
#include "rehearsal.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/hdf5_io.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa::test {
namespace {

/// The random problem without what FCLIB does not know.
Problem contacts_and_equalities(Random& random) {
  const Problem all = random_problem(random);
  Problem out;
  out.name = "title";
  out.comment = "some\nlines";
  out.blocks = all.blocks;
  out.bodies = all.bodies;
  out.trees = all.trees;
  out.nodal = all.nodal;
  out.sparse = all.sparse;
  out.b = all.b;
  out.attachment_rows = all.attachment_rows;
  for (std::size_t c = 0; c < all.constraints.size(); ++c) {
    const std::vector<Attachment> at(all.attachments.begin() + all.attachment_start[c],
                                     all.attachments.begin() + all.attachment_start[c + 1]);
    const auto index = static_cast<std::size_t>(all.constraints[c].index);
    if (all.constraints[c].kind == ConstraintKind::Contact) out.add_contact({0.4, 0.4}, all.contacts.e[index], at);
    if (all.constraints[c].kind == ConstraintKind::Equality) out.add_equality(all.equality.e[index], at);
  }
  return out;
}

/// Rows of all contacts, then of all equalities, as FCLIB orders them.
Eigen::MatrixXd contacts_first(const Problem& problem) {
  const Eigen::MatrixXd j = dense(constraint_rows(problem));
  Eigen::MatrixXd out(j.rows(), j.cols());
  int row = 0;
  for (const int r : problem.contacts.row) {
    for (int d = 0; d < 3; ++d) out.row(row++) = j.row(r + d);
  }
  for (const int r : problem.equality.row) out.row(row++) = j.row(r);
  return out;
}

RC_GTEST_PROP(Fclib, GlobalFormRoundTrip, (unsigned seed)) {
  Random random(seed);
  const Problem problem = contacts_and_equalities(random);
  const TempFolder folder;
  write_problem(problem, folder.path() / "problem.h5");
  const Problem again = read_problem(folder.path() / "problem.h5");
  RC_ASSERT(again.name == problem.name);
  RC_ASSERT(again.comment == problem.comment);
  RC_ASSERT(again.b == problem.b);
  const Eigen::MatrixXd a = dense_a(problem);
  RC_ASSERT((dense_a(again) - a).cwiseAbs().maxCoeff() < 1e-14 * a.cwiseAbs().maxCoeff());
  RC_ASSERT(contacts_first(again) == contacts_first(problem));
  RC_ASSERT(again.equality.e == problem.equality.e);
  for (std::size_t c = 0; c < problem.contacts.e.size(); ++c) {
    RC_ASSERT(norm(again.contacts.e[c] - problem.contacts.e[c]) == 0);
    RC_ASSERT(again.contacts.cone[c].mu2 == 0.4);
  }
}

TEST(Fclib, WritesOnlyWhatItKnows) {
  const TempFolder folder;
  const auto expect_refused = [&](const std::function<void(Problem&)>& add, const std::string& reason) {
    Problem problem;
    problem.add_sparse({sparse(Eigen::MatrixXd::Identity(1, 1))}, {1});
    add(problem);
    try {
      write_problem(problem, folder.path() / "x.hdf5");
      ADD_FAILURE() << reason;
    } catch (const InputError& error) {
      EXPECT_NE(error.reason().find(reason), std::string::npos) << error.what();
    }
  };
  expect_refused([](Problem& p) { p.add_hard(0, {}); }, "contacts and equalities only");
  expect_refused([](Problem& p) { p.add_friction(1, {}); }, "contacts and equalities only");
  expect_refused([](Problem& p) { p.add_contact({0.5, 0.6}, {}, {}); }, "isotropic");
}

/// W and q of one contact, written by hand in FCLIB's order n, t1, t2 and in each of its three storage schemes.
class LocalFile {
 public:
  explicit LocalFile(const std::filesystem::path& path, int scheme) : file_(path.string()) {
    file_.group("/fclib_local");
    file_.write("/fclib_local/spacedim", std::vector<int>{3});
    file_.group("/fclib_local/W");
    file_.write("/fclib_local/W/m", std::vector<int>{3});
    file_.write("/fclib_local/W/n", std::vector<int>{3});
    file_.write("/fclib_local/W/nz", std::vector<int>{scheme});
    // [[n n] = 3, [t1 t1] = 1, [t2 t2] = 2, [n t2] = 0.5
    if (scheme >= 0) {
      file_.write("/fclib_local/W/p", std::vector<int>{0, 1, 2, 0, 2});
      file_.write("/fclib_local/W/i", std::vector<int>{0, 1, 2, 2, 0});
      file_.write("/fclib_local/W/x", std::vector<double>{3, 1, 2, 0.5, 0.5});
    } else {
      file_.write("/fclib_local/W/p", std::vector<int>{0, 2, 3, 5});
      file_.write("/fclib_local/W/i", std::vector<int>{0, 2, 1, 0, 2, 0, 0});  // longer than used, as nzmax allows
      file_.write("/fclib_local/W/x", std::vector<double>{3, 0.5, 1, 0.5, 2, 9, 9});
    }
    file_.group("/fclib_local/vectors");
    file_.write("/fclib_local/vectors/q", std::vector<double>{-1, 0.1, 0.2});
    file_.write("/fclib_local/vectors/mu", std::vector<double>{0.3});
    file_.close();
  }

 private:
  Hdf5Writer file_;
};

TEST(Fclib, LocalFormInAllStorageSchemes) {
  const TempFolder folder;
  for (const int scheme : {5, -1, -2}) {
    const auto path = folder.path() / ("local" + std::to_string(scheme) + ".hdf5");
    { const LocalFile file(path, scheme); }
    const Problem problem = read_problem(path);
    ASSERT_EQ(problem.contacts.size(), 1);
    EXPECT_EQ(problem.contacts.cone[0].mu1, 0.3);
    const Eigen::MatrixXd j = dense(constraint_rows(problem));
    Eigen::MatrixXd w(3, 3);
    w << 1, 0, 0, 0, 2, 0.5, 0, 0.5, 3;  // t1, t2, n
    EXPECT_LT((j * j.transpose() - w).norm(), 1e-14);
    const Eigen::VectorXd q = j * Eigen::Map<const Eigen::VectorXd>(problem.b.data(), problem.n());
    EXPECT_NEAR(q[0] + problem.contacts.e[0].x(), 0.1, 1e-15);
    EXPECT_NEAR(q[1] + problem.contacts.e[0].y(), 0.2, 1e-15);
    EXPECT_NEAR(q[2] + problem.contacts.e[0].z(), -1, 1e-15);
  }
}

/// One dataset of a valid local file replaced.
void expect_replaced_refused(const std::string& dataset, const std::vector<int>& values, const std::string& element,
                             const std::string& reason) {
  const TempFolder folder;
  const auto path = folder.path() / "local.hdf5";
  { const LocalFile file(path, -2); }
  {
    const Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file, dataset.c_str(), H5P_DEFAULT), 0);
    if (!values.empty()) {
      const hsize_t size = values.size();
      const Hdf5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
      const Hdf5Id data(H5Dcreate2(file, dataset.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        H5Dclose);
      H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
  }
  SCOPED_TRACE(dataset + " " + reason);
  try {
    read_problem(path);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), path.string());
    EXPECT_EQ(error.element(), element) << error.what();
    EXPECT_NE(error.reason().find(reason), std::string::npos) << error.what();
  }
}

TEST(Fclib, RefusesWhatIsWrong) {
  expect_replaced_refused("/fclib_local", {}, "", "neither");
  expect_replaced_refused("/fclib_local/W", {}, "/fclib_local/W/m", "is missing");
  expect_replaced_refused("/fclib_local/spacedim", {2}, "/fclib_local/spacedim", "in space");
  expect_replaced_refused("/fclib_local/spacedim", {3, 3}, "/fclib_local/spacedim", "one number");
  expect_replaced_refused("/fclib_local/W/m", {1000000000}, "/fclib_local/W", "1000000000 x 3");
  expect_replaced_refused("/fclib_local/W/nz", {-3}, "/fclib_local/W/nz", "no storage scheme");
  expect_replaced_refused("/fclib_local/W/nz", {1000000000}, "/fclib_local/W", "too few entries");
  expect_replaced_refused("/fclib_local/W/p", {0, 2, 3}, "/fclib_local/W/p", "pointers");
  expect_replaced_refused("/fclib_local/W/p", {0, 2, 1, 5}, "/fclib_local/W/p", "pointers");
  expect_replaced_refused("/fclib_local/W/p", {0, 2, 3, 2000000000}, "/fclib_local/W/p", "beyond");
  expect_replaced_refused("/fclib_local/W/i", {0, 2, 1, 0, 7}, "/fclib_local/W", "outside of the matrix");
  expect_replaced_refused("/fclib_local/W/i", {0, 2, 1, 0, -1}, "/fclib_local/W", "outside of the matrix");
  expect_replaced_refused("/fclib_local/W/x", {1, 2}, "/fclib_local/W", "too few entries");
  expect_replaced_refused("/fclib_local/W/x", {1, 2, 3, 4, 5}, "W", "not symmetric");
  expect_replaced_refused("/fclib_local/vectors/mu", {1, 1}, "/fclib_local/vectors/mu", "2 entries instead of 1");
  expect_replaced_refused("/fclib_local/vectors/mu", {-1}, "contact constraint 0", "mu must");
  expect_replaced_refused("/fclib_local/vectors/q", {1, 1, 1, 1}, "/fclib_local", "multiple of 3");
}

/// Truncated and damaged files are refused or read, and print nothing, as `uzawa solve` reads them.
TEST(Fclib, DamagedFilesNeverCrash) {
  const TempFolder folder;
  const auto path = folder.path() / "local.hdf5";
  { const LocalFile file(path, -2); }
  const std::string bytes = read_text(path);
  const auto attempt = [&](const std::string& content) {
    try {
      const auto damaged = folder.write("damaged.hdf5", content);
      cli::rehearse(damaged, [&] { read_problem(damaged); });
      read_problem(damaged);
      return true;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return false;
    }
  };
  ::testing::internal::CaptureStderr();
  for (std::size_t length = 0; length < bytes.size(); length += 97) EXPECT_FALSE(attempt(bytes.substr(0, length)));
  EXPECT_FALSE(attempt("garbage"));
  Random random(3);
  int accepted = 0;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k <= i % 4; ++k) {
      damaged[static_cast<std::size_t>(uniform(random, 0, static_cast<double>(bytes.size())))] =
          static_cast<char>(uniform(random, 0, 256));
    }
    accepted += attempt(damaged) ? 1 : 0;
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 500);
}

}  // namespace
}  // namespace uzawa::test
