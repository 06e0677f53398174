#include <algorithm>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem_io/file_formats.hpp"
#include "uzawa/problem_io/from_matrices.hpp"
#include "uzawa/problem_io/hdf5_io.hpp"
#include "uzawa/problem_io/triplets.hpp"

/// FCLIB, the collection of frictional contact problems: group and dataset names as its fclib.h writes them. Its global
/// form is M v = H r + G l + f, u = H^T v + w, G^T v + b = 0: our A, J^T, b and e by other names, with the rows of a
/// contact in the order n, t1, t2. Its local form is u = W r + q.
namespace uzawa {

namespace {

constexpr int kContactRow[3] = {2, 0, 1};  // where FCLIB's n, t1, t2 are in ours

/// Our row for FCLIB's.
int our_row(int row) { return row - row % 3 + kContactRow[row % 3]; }

/// Compressed rows or columns: the index that the pointers stand for, once per entry.
std::vector<int> expand_pointers(const Hdf5Reader& file, const std::string& name, int count) {
  const std::vector<int> pointer = file.integers(name + "/p");
  if (pointer.size() != at(count) + 1 || pointer.front() != 0 || !std::is_sorted(pointer.begin(), pointer.end())) {
    file.fail(name + "/p", "is no list of pointers");
  }
  std::vector<int> out;
  // The last pointer must be checked against the entries before anything of that size is made.
  if (at(pointer.back()) > file.integers(name + "/i").size()) file.fail(name + "/p", "points beyond the entries");
  for (int k = 0; k < count; ++k) out.insert(out.end(), at(pointer[at(k) + 1] - pointer[at(k)]), k);
  return out;
}

/// "nz" says how: >= 0 that many triplets, -1 compressed columns, -2 compressed rows. In triplets, i is the row and p
/// the column, as in CSparse and as all files that we have seen; fclib.h says it the other way round.
Triplets read_matrix(const Hdf5Reader& file, const std::string& name, int rows, int columns) {
  Triplets out{file.integer(name + "/m"), file.integer(name + "/n"), {}, {}, {}};
  if ((rows >= 0 && out.rows != rows) || (columns >= 0 && out.columns != columns)) {
    file.fail(name,
              "is " + std::to_string(out.rows) + " x " + std::to_string(out.columns) + " against the other sizes");
  }
  const int nz = file.integer(name + "/nz");
  std::vector<int> index = file.integers(name + "/i");
  out.x = file.numbers(name + "/x");
  if (nz >= 0) {
    out.i = std::move(index);
    out.j = file.integers(name + "/p");
  } else if (nz == -1) {
    out.j = expand_pointers(file, name, out.columns);
    out.i = std::move(index);
  } else if (nz == -2) {
    out.i = expand_pointers(file, name, out.rows);
    out.j = std::move(index);
  } else {
    file.fail(name + "/nz", "is " + std::to_string(nz) + ", which is no storage scheme");
  }
  // Arrays may be longer than what is used of them (nzmax).
  const std::size_t count = nz >= 0 ? at(nz) : (nz == -1 ? out.j.size() : out.i.size());
  if (out.i.size() < count || out.j.size() < count || out.x.size() < count) file.fail(name, "has too few entries");
  out.i.resize(count);
  out.j.resize(count);
  out.x.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (out.i[k] < 0 || out.i[k] >= out.rows || out.j[k] < 0 || out.j[k] >= out.columns) {
      file.fail(name, "entry " + std::to_string(k) + " is outside of the matrix");
    }
  }
  return out;
}

/// The vector that must have `size` entries.
std::vector<double> read_vector(const Hdf5Reader& file, const std::string& name, std::size_t size) {
  std::vector<double> out = file.numbers(name);
  if (out.size() != size) {
    file.fail(name, "has " + std::to_string(out.size()) + " entries instead of " + std::to_string(size));
  }
  return out;
}

void require_3d(const Hdf5Reader& file, const std::string& group, std::size_t rows) {
  if (file.integer(group + "/spacedim") != 3)
    file.fail(group + "/spacedim", "only contacts in space (3) are supported");
  if (rows % 3 != 0) file.fail(group, "the number of contact rows is not a multiple of 3");
}

/// Rows [first, first + count) of a matrix.
SparseRows row_range(const SparseRows& rows, int first, int count) {
  SparseRows out;
  out.columns = rows.columns;
  for (int r = first; r < first + count; ++r) {
    out.column.insert(out.column.end(), rows.column.begin() + rows.start[at(r)],
                      rows.column.begin() + rows.start[at(r) + 1]);
    out.value.insert(out.value.end(), rows.value.begin() + rows.start[at(r)],
                     rows.value.begin() + rows.start[at(r) + 1]);
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

SparseRows transposed(Triplets matrix) {
  std::swap(matrix.i, matrix.j);
  std::swap(matrix.rows, matrix.columns);
  return without_zeros(compress(matrix));
}

Problem read_global(const Hdf5Reader& file) {
  const std::string group = "/fclib_global";
  const std::vector<double> f = file.numbers(group + "/vectors/f"), w = file.numbers(group + "/vectors/w");
  require_3d(file, group, w.size());
  const std::vector<double> mu = read_vector(file, group + "/vectors/mu", w.size() / 3);
  const int n = static_cast<int>(f.size()), rows = static_cast<int>(w.size());
  const SparseRows mass = compress(read_matrix(file, group + "/M", n, n));
  Triplets h = read_matrix(file, group + "/H", n, rows);
  for (int& column : h.j) column = our_row(column);
  const SparseRows j = transposed(std::move(h));

  std::vector<MatrixConstraint> constraints;
  for (int c = 0; c < rows / 3; ++c) {
    MatrixConstraint contact{{}, row_range(j, 3 * c, 3)};
    contact.law.cone = {mu[at(c)], mu[at(c)]};
    for (int d = 0; d < 3; ++d) contact.law.e.set(kContactRow[d], w[at(3 * c + d)]);
    constraints.push_back(std::move(contact));
  }
  if (file.has(group + "/G")) {
    const std::vector<double> e = file.numbers(group + "/vectors/b");
    const SparseRows g = transposed(read_matrix(file, group + "/G", n, static_cast<int>(e.size())));
    for (int r = 0; r < g.rows(); ++r) {
      MatrixConstraint equality{{}, row_range(g, r, 1)};
      equality.law.kind = ConstraintKind::Equality;
      equality.law.e.set(2, e[at(r)]);
      constraints.push_back(std::move(equality));
    }
  }
  return from_matrices(mass, f, constraints, file.path());
}

Problem read_local(const Hdf5Reader& file) {
  const std::string group = "/fclib_local";
  if (file.has(group + "/V") || file.has(group + "/R"))
    file.fail(group, "equalities (V, R) of local problems are not supported");
  const std::vector<double> theirs = file.numbers(group + "/vectors/q");
  require_3d(file, group, theirs.size());
  const std::vector<double> mu = read_vector(file, group + "/vectors/mu", theirs.size() / 3);
  const int size = static_cast<int>(theirs.size());
  Triplets w = read_matrix(file, group + "/W", size, size);
  for (int& row : w.i) row = our_row(row);
  for (int& column : w.j) column = our_row(column);
  std::vector<double> q(theirs.size());
  for (int r = 0; r < size; ++r) q[at(our_row(r))] = theirs[at(r)];
  std::vector<FrictionCone> cones;
  for (const double value : mu) cones.push_back({value, value});
  return from_delassus(compress(w), q, cones, file.path());
}

/// A, entry by entry: each block applied to the unit vectors.
Triplets explicit_matrix(const Problem& problem) {
  Triplets out{problem.n(), problem.n(), {}, {}, {}};
  std::vector<double> x(problem.b.size(), 0.0), y(problem.b.size());
  int widest = 0;
  for (const Block& block : problem.blocks) widest = std::max(widest, block.size);
  // Blocks don't couple: the k-th columns of all of them come from one product.
  for (int k = 0; k < widest; ++k) {
    std::fill(x.begin(), x.end(), 0.0);
    for (const Block& block : problem.blocks) {
      if (k < block.size) x[at(block.offset + k)] = 1;
    }
    multiply(problem, x, y);
    for (const Block& block : problem.blocks) {
      for (int r = block.offset; k < block.size && r < block.offset + block.size; ++r) {
        if (y[at(r)] != 0) out.add(r, block.offset + k, y[at(r)]);
      }
    }
  }
  return out;
}

void write_matrix(Hdf5Writer& file, const std::string& name, const Triplets& matrix) {
  const int count = static_cast<int>(matrix.x.size());
  file.group(name);
  file.write(name + "/nzmax", std::vector<int>{count});
  file.write(name + "/m", std::vector<int>{matrix.rows});
  file.write(name + "/n", std::vector<int>{matrix.columns});
  file.write(name + "/nz", std::vector<int>{count});
  file.write(name + "/p", matrix.j);
  file.write(name + "/i", matrix.i);
  file.write(name + "/x", matrix.x);
}

/// J of the contacts and J of the equalities, transposed, with their offsets and friction.
struct FclibConstraints {
  Triplets h, g;
  std::vector<double> w, b, mu;
};

FclibConstraints split(const Problem& problem, const std::string& path) {
  const SparseRows j = constraint_rows(problem);
  FclibConstraints out;
  out.h.rows = out.g.rows = problem.n();
  const auto add_column = [&](Triplets& matrix, int row) {
    for (std::size_t k = j.begin(row); k < j.end(row); ++k) matrix.add(j.column[k], matrix.columns, j.value[k]);
    ++matrix.columns;
  };
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintLaw law = law_of(problem, static_cast<int>(c));
    const std::string name = std::string(kind_name(law.kind)) + " constraint " + std::to_string(c);
    const int row = problem.constraints[c].row;
    if (law.kind == ConstraintKind::Contact) {
      if (!law.cone.isotropic()) throw InputError(path, name, "FCLIB knows isotropic friction only");
      for (const int ours : kContactRow) {
        add_column(out.h, row + ours);
        out.w.push_back(law.e[ours]);
      }
      out.mu.push_back(law.cone.mu1);
    } else if (law.kind == ConstraintKind::Equality) {
      add_column(out.g, row);
      out.b.push_back(law.e.z());
    } else {
      throw InputError(path, name, "FCLIB knows contacts and equalities only");
    }
  }
  return out;
}

}  // namespace

Problem read_fclib(const std::string& path) {
  const Hdf5Reader file(path);
  const bool global = file.has("/fclib_global");
  if (!global && !file.has("/fclib_local")) file.fail("", "has neither /fclib_global nor /fclib_local");
  Problem problem = global ? read_global(file) : read_local(file);
  const std::string info = global ? "/fclib_global/info" : "/fclib_local/info";
  problem.name = file.text(info + "/title");
  problem.comment = with_note(file.text(info + "/description"), problem.comment);
  return problem;
}

void write_fclib(const Problem& problem, const std::string& path) {
  const FclibConstraints constraints = split(problem, path);
  Hdf5Writer file(path);
  const std::string group = "/fclib_global";
  file.group(group);
  file.write(group + "/spacedim", std::vector<int>{3});
  write_matrix(file, group + "/M", explicit_matrix(problem));
  write_matrix(file, group + "/H", constraints.h);
  if (!constraints.b.empty()) write_matrix(file, group + "/G", constraints.g);
  file.group(group + "/vectors");
  file.write(group + "/vectors/f", problem.b);
  file.write(group + "/vectors/w", constraints.w);
  file.write(group + "/vectors/mu", constraints.mu);
  if (!constraints.b.empty()) file.write(group + "/vectors/b", constraints.b);
  file.group(group + "/info");
  file.write(group + "/info/title", problem.name);
  file.write(group + "/info/description", problem.comment);
  file.write(group + "/info/math_info", std::string());
  file.close();
}

}  // namespace uzawa
