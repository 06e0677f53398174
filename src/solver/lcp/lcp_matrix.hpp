#pragma once

#include <span>
#include <vector>

/// The linear complementarity problem, [LCP] eq. 1-2:
///
///     w = M z + q,   w >= 0,   z >= 0,   w^T z = 0
///
/// and two forms of M: dense, and the structure of contact ([LCP] eq. 25), which is a few numbers a variable and a
/// Delassus matrix.
namespace uzawa {

/// M as pivoting needs it: by entries and by products with a few columns. Products use scratch memory: one thread at a
/// time.
class LcpMatrix {
 public:
  virtual ~LcpMatrix() = default;
  virtual int size() const = 0;
  /// At most so many z can be basic at once.
  virtual int largest_basis() const = 0;
  virtual double entry(int i, int j) const = 0;
  /// w += sum over k of M_{columns[k]} z[k]
  virtual void add_product(std::span<const int> columns, std::span<const double> z, std::span<double> w) const = 0;
};

class DenseLcpMatrix : public LcpMatrix {
 public:
  /// Row-major.
  void assign(std::span<const double> entries, int size);

  int size() const override { return size_; }
  int largest_basis() const override { return size_; }
  double entry(int i, int j) const override {
    return columns_[static_cast<std::size_t>(j) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(i)];
  }
  void add_product(std::span<const int> columns, std::span<const double> z, std::span<double> w) const override;

 private:
  int size_ = 0;
  std::vector<double> columns_;  ///< column-major
};

/// M = G^T W G + P ([LCP] eq. 25). G has one column a variable: the impulse on one constraint (up to three rows) that
/// the variable stands for; W is the Delassus matrix; P couples the slip variables lambda with their contact.
class ContactLcpMatrix : public LcpMatrix {
 public:
  struct Generator {
    int row = 0, dims = 0;   ///< dims 0: a slip variable
    double impulse[3] = {};  ///< on rows row, row + 1, ...
    double compliance = 0;   ///< added to M's diagonal
    int slip = -1;           ///< sides: the slip variable of the same contact
  };
  /// w_slip = mu a - sum b ([LCP] eq. 22), or a bound in q instead of mu a; w_side = ... + slip (eq. 23).
  struct Slip {
    int variable = 0;
    int normal = -1;  ///< variable a; -1: the bound is in q
    double mu = 0;
    int first_side = 0, sides = 0;  ///< variables b
  };

  /// Forgets all variables and keeps their memory. W, symmetric, row-major, must outlive the use.
  void reset(std::span<const double> delassus, int rows);
  int add_variable(const Generator& generator);
  /// After its normal and before its sides; returns the variable.
  int add_slip(int normal, double mu);
  /// A side of the last slip variable.
  int add_side(const Generator& generator);

  int size() const override { return static_cast<int>(generators_.size()); }
  int largest_basis() const override { return largest_basis_; }
  double entry(int i, int j) const override;
  void add_product(std::span<const int> columns, std::span<const double> z, std::span<double> w) const override;

  std::span<const Generator> generators() const { return generators_; }
  std::span<const Slip> slips() const { return slips_; }
  bool is_slip(int variable) const { return generators_[static_cast<std::size_t>(variable)].dims == 0; }
  /// lambda = G z, rows.
  void impulses(std::span<const double> z, std::span<double> lambda) const;
  /// W lambda, rows.
  void apply_delassus(std::span<const double> lambda, std::span<double> u) const;

 private:
  std::span<const double> delassus_;
  int rows_ = 0, largest_basis_ = 0;
  std::vector<Generator> generators_;
  std::vector<Slip> slips_;
  std::vector<int> slip_of_;  ///< by variable: place in slips_, -1: is no slip variable
  mutable std::vector<double> impulse_, velocity_;
};

}  // namespace uzawa
