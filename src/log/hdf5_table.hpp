#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "uzawa/problem_io/hdf5_io.hpp"

/// Tables of numbers in HDF5 files: rows of a fixed width that are appended, and read again by the row.
namespace uzawa {

template <typename T>
hid_t hdf5_type();
template <>
inline hid_t hdf5_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t hdf5_type<int>() {
  return H5T_NATIVE_INT;
}
template <>
inline hid_t hdf5_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t hdf5_type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

/// A dataset that grows: chunked, shuffled and deflated, with a checksum a chunk. Width 1 makes a list, any other a
/// matrix. Whole chunks go to the file, the rest waits in memory.
class TableWriter {
 public:
  /// `about`: unit and meaning, an attribute of the dataset.
  TableWriter(Hdf5Writer& file, std::string name, hid_t type, std::size_t width, const std::string& about);

  template <typename T>
  void append(const std::vector<T>& rows) {
    append(rows.data(), sizeof(T) * rows.size());
  }
  /// Rows written so far, those in memory included.
  std::size_t rows() const { return width_ == 0 ? 0 : written_ + waiting_.size() / row_bytes_; }
  /// An empty row, for a table of width 0.
  void append_nothing() { ++empty_rows_; }
  /// Writes the rows that are still in memory.
  void flush();

 private:
  void append(const void* data, std::size_t bytes);
  void write(std::size_t rows);
  void extend(std::size_t rows);

  Hdf5Writer& file_;
  std::string name_;
  hid_t type_;
  std::size_t width_, row_bytes_, chunk_rows_;
  Hdf5Id dataset_;
  std::vector<char> waiting_;
  std::size_t written_ = 0, empty_rows_ = 0;
};

/// A dataset of a file that is read; checked when it is opened.
class TableReader {
 public:
  TableReader(const Hdf5Reader& file, std::string name, hid_t type);

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }
  /// Rows [first, first + count), which must be there.
  template <typename T>
  void read(std::size_t first, std::size_t count, std::vector<T>& out) const {
    out.resize(count * width_);
    read(first, count, out.data());
  }

 private:
  void read(std::size_t first, std::size_t count, void* out) const;

  const Hdf5Reader& file_;
  std::string name_;
  hid_t type_;
  Hdf5Id dataset_;
  int rank_ = 1;
  std::size_t rows_ = 0, width_ = 1;
};

// Attributes of the file.
void write_attribute(Hdf5Writer& file, const std::string& name, hid_t type, const void* value);
void write_attribute(Hdf5Writer& file, const std::string& name, const std::string& value);
template <typename T>
void write_number(Hdf5Writer& file, const std::string& name, T value) {
  write_attribute(file, name, hdf5_type<T>(), &value);
}
void read_attribute(const Hdf5Reader& file, const std::string& name, hid_t type, void* value);
std::string read_string(const Hdf5Reader& file, const std::string& name);
template <typename T>
T read_number(const Hdf5Reader& file, const std::string& name) {
  T value{};
  read_attribute(file, name, hdf5_type<T>(), &value);
  return value;
}

// A list of names: a dataset of variable-length UTF-8 strings.
void write_names(Hdf5Writer& file, const std::string& name, const std::vector<std::string>& values);
std::vector<std::string> read_names(const Hdf5Reader& file, const std::string& name);

}  // namespace uzawa
