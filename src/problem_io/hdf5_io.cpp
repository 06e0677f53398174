#include "uzawa/problem_io/hdf5_io.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

// Deflate shrinks by a factor of 1032 at most: a dataset that claims more than that of its file is a damaged header,
// not a reason to allocate.
constexpr double kLargestCompression = 1100;

}  // namespace

Hdf5Silence::Hdf5Silence() {
  // What the library leaks of a file that is only slightly damaged, it complains about when the program ends. All our
  // files are closed by then, so it has nothing left to do there.
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Hdf5Silence::~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Hdf5Reader::Hdf5Reader(const std::string& path)
    : path_(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
  if (!file_.good()) throw InputError(path, "", "is no readable HDF5 file (damaged or truncated?)");
}

void Hdf5Reader::fail(const std::string& name, const std::string& reason) const {
  throw InputError(path_, name, reason);
}

bool Hdf5Reader::has(const std::string& name) const {
  // H5Lexists fails, rather than says no, where a group on the way is missing.
  for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
    if (H5Lexists(file_, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

Hdf5Id Hdf5Reader::open(const std::string& name, bool whole_numbers, std::size_t& count) const {
  if (!has(name)) fail(name, "is missing");
  Hdf5Id dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good()) fail(name, "can't be opened");
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (!type.good() || !space.good()) fail(name, "is damaged");
  const H5T_class_t found = H5Tget_class(type);
  if (found != H5T_INTEGER && (whole_numbers || found != H5T_FLOAT)) fail(name, "has the wrong type");
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  std::error_code error;
  const auto bytes = static_cast<double>(std::filesystem::file_size(path_, error));
  if (points < 0 || points > std::numeric_limits<int>::max() ||
      static_cast<double>(points) * static_cast<double>(H5Tget_size(type)) > kLargestCompression * bytes) {
    fail(name, "claims more entries than the file can hold");
  }
  count = static_cast<std::size_t>(points);
  return dataset;
}

std::vector<int> Hdf5Reader::integers(const std::string& name) const {
  std::size_t count = 0;
  const Hdf5Id dataset = open(name, true, count);
  std::vector<long long> wide(count);
  if (count > 0 && H5Dread(dataset, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, wide.data()) < 0) {
    fail(name, "can't be read (truncated?)");
  }
  std::vector<int> out;
  out.reserve(count);
  for (const long long value : wide) {
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
      fail(name, "has the entry " + std::to_string(value) + ", which is no index");
    }
    out.push_back(static_cast<int>(value));
  }
  return out;
}

int Hdf5Reader::integer(const std::string& name) const {
  const std::vector<int> values = integers(name);
  if (values.size() != 1) fail(name, "must be one number");
  return values.front();
}

std::vector<double> Hdf5Reader::numbers(const std::string& name) const {
  std::size_t count = 0;
  const Hdf5Id dataset = open(name, false, count);
  std::vector<double> out(count);
  if (count > 0 && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) {
    fail(name, "can't be read (truncated?)");
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!std::isfinite(out[k])) fail(name + "[" + std::to_string(k) + "]", "must be finite");
  }
  return out;
}

std::string Hdf5Reader::text(const std::string& name) const {
  constexpr std::size_t kLongest = 1U << 20U;
  if (!has(name)) return {};
  const Hdf5Id dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good()) return {};
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (!type.good() || !space.good() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return {};
  const std::size_t size = H5Tget_size(type);
  if (H5Sget_simple_extent_npoints(space) != 1 || size > kLongest) return {};
  std::string out(size, '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) return {};
  return out.substr(0, out.find('\0'));
}

Hdf5Writer::Hdf5Writer(const std::string& path)
    : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
  require(file_.good(), "");
}

void Hdf5Writer::require(bool holds, const std::string& name) const {
  if (!holds) throw InputError(path_, name, "can't be written");
}

void Hdf5Writer::group(const std::string& name) {
  const Hdf5Id group(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  require(group.good(), name);
}

void Hdf5Writer::write(const std::string& name, hid_t type, std::size_t count, const void* data) {
  const hsize_t size = count;
  const Hdf5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  require(space.good(), name);
  const Hdf5Id dataset(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  require(dataset.good(), name);
  require(count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, name);
}

void Hdf5Writer::write(const std::string& name, const std::vector<int>& values) {
  write(name, H5T_NATIVE_INT, values.size(), values.data());
}
void Hdf5Writer::write(const std::string& name, const std::vector<double>& values) {
  write(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}
void Hdf5Writer::write(const std::string& name, const std::string& text) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(type.good() && H5Tset_size(type, text.size() + 1) >= 0, name);
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id dataset(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  require(dataset.good() && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0, name);
}

void Hdf5Writer::close() {
  require(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "");
  require(file_.close(), "");
}

}  // namespace uzawa
