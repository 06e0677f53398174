#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

namespace uzawa {

/// Owner of an HDF5 identifier of any class.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  /// Closes it now; false where that fails, as on a full disk.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// Keeps HDF5 from printing its error stack while it lives: our errors are exceptions with one line.
class Hdf5Silence {
 public:
  Hdf5Silence();
  ~Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// A file open for reading. Every error names the file and the dataset.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::string& path);

  bool has(const std::string& name) const;  ///< group or dataset, by its full path
  int integer(const std::string& name) const;
  std::vector<int> integers(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::string text(const std::string& name) const;  ///< empty where it is absent or no text
  [[noreturn]] void fail(const std::string& name, const std::string& reason) const;
  const std::string& path() const { return path_; }
  hid_t id() const { return file_; }

 private:
  Hdf5Id open(const std::string& name, bool whole_numbers, std::size_t& count) const;

  Hdf5Silence silence_;
  std::string path_;
  Hdf5Id file_;
};

/// A new file.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path);

  void group(const std::string& name);
  void write(const std::string& name, const std::vector<int>& values);
  void write(const std::string& name, const std::vector<double>& values);
  void write(const std::string& name, const std::string& text);
  void close();  ///< writes all that is left; throws where the disk is full. Nothing else may be called after it
  /// Throws InputError that names the file and `name` unless `holds`.
  void require(bool holds, const std::string& name) const;
  hid_t id() const { return file_; }

 private:
  void write(const std::string& name, hid_t type, std::size_t count, const void* data);

  Hdf5Silence silence_;
  std::string path_;
  Hdf5Id file_;
};

}  // namespace uzawa
