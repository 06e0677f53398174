#include "uzawa/log/hdf5_table.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace uzawa {

namespace {

// Large enough to compress well, small enough that a reader who wants one row does not read megabytes.
constexpr std::size_t kChunkBytes = 1U << 17U;
constexpr unsigned kDeflateLevel = 1;  // after the shuffle, higher levels take twice the time for a few per cent

Hdf5Id chunked(const std::array<hsize_t, 2>& chunk, int rank) {
  Hdf5Id plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(plan, rank, chunk.data());
  H5Pset_shuffle(plan);
  H5Pset_deflate(plan, kDeflateLevel);
  H5Pset_fletcher32(plan);
  return plan;
}

Hdf5Id string_type(std::size_t size) {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, size);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

bool write_scalar(hid_t owner, const std::string& name, hid_t type, const void* value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.good() && H5Awrite(attribute, type, value) >= 0;
}

/// Of variable length, which h5py shows as str.
bool write_text(hid_t owner, const std::string& name, const std::string& text) {
  const Hdf5Id type = string_type(H5T_VARIABLE);
  const char* pointer = text.c_str();
  return write_scalar(owner, name, type, &pointer);
}

Hdf5Id open_attribute(const Hdf5Reader& file, const std::string& name) {
  if (H5Aexists(file.id(), name.c_str()) <= 0) file.fail(name, "is missing");
  Hdf5Id attribute(H5Aopen(file.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Id space(attribute.good() ? H5Aget_space(attribute) : -1, H5Sclose);
  if (!space.good() || H5Sget_simple_extent_npoints(space) != 1) file.fail(name, "must be one value");
  return attribute;
}

}  // namespace

TableWriter::TableWriter(Hdf5Writer& file, std::string name, hid_t type, std::size_t width, const std::string& about)
    : file_(file),
      name_(std::move(name)),
      type_(type),
      width_(width),
      row_bytes_(std::max<std::size_t>(1, width) * H5Tget_size(type)),
      chunk_rows_(std::max<std::size_t>(1, kChunkBytes / row_bytes_)),
      dataset_(
          [&] {
            const int rank = width == 1 ? 1 : 2;
            const std::array<hsize_t, 2> size = {0, width};
            const std::array<hsize_t, 2> most = {H5S_UNLIMITED, width == 0 ? H5S_UNLIMITED : width};
            const Hdf5Id space(H5Screate_simple(rank, size.data(), most.data()), H5Sclose);
            const Hdf5Id plan = chunked({chunk_rows_, std::max<std::size_t>(1, width)}, rank);
            return H5Dcreate2(file.id(), name_.c_str(), type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
          }(),
          H5Dclose) {
  file_.require(dataset_.good() && write_text(dataset_, "about", about), name_);
}

void TableWriter::append(const void* data, std::size_t bytes) {
  const char* begin = static_cast<const char*>(data);
  waiting_.insert(waiting_.end(), begin, begin + bytes);
  const std::size_t whole = waiting_.size() / row_bytes_ / chunk_rows_ * chunk_rows_;
  if (whole > 0) write(whole);
}

void TableWriter::extend(std::size_t rows) {
  const std::array<hsize_t, 2> size = {rows, width_};
  file_.require(H5Dset_extent(dataset_, size.data()) >= 0, name_);
}

void TableWriter::write(std::size_t rows) {
  const int rank = width_ == 1 ? 1 : 2;
  const std::array<hsize_t, 2> begin = {written_, 0}, count = {rows, width_};
  extend(written_ + rows);
  const Hdf5Id from(H5Screate_simple(rank, count.data(), nullptr), H5Sclose);
  const Hdf5Id to(H5Dget_space(dataset_), H5Sclose);
  const bool done = H5Sselect_hyperslab(to, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr) >= 0 &&
                    H5Dwrite(dataset_, type_, from, to, H5P_DEFAULT, waiting_.data()) >= 0;
  file_.require(done, name_);
  written_ += rows;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(rows * row_bytes_));
}

void TableWriter::flush() {
  if (width_ == 0) {
    extend(empty_rows_);
  } else if (!waiting_.empty()) {
    write(waiting_.size() / row_bytes_);
  }
}

TableReader::TableReader(const Hdf5Reader& file, std::string name, hid_t type)
    : file_(file),
      name_(std::move(name)),
      type_(type),
      dataset_(file.has(name_) ? H5Dopen2(file.id(), name_.c_str(), H5P_DEFAULT) : -1, H5Dclose) {
  if (!dataset_.good()) file.fail(name_, "is missing");
  const Hdf5Id found(H5Dget_type(dataset_), H5Tclose), space(H5Dget_space(dataset_), H5Sclose);
  if (!found.good() || !space.good()) file.fail(name_, "is damaged");
  if (H5Tget_class(found) != H5Tget_class(type)) file.fail(name_, "has the wrong type");
  rank_ = H5Sget_simple_extent_ndims(space);
  if (rank_ != 1 && rank_ != 2) file.fail(name_, "must be a list or a matrix");
  std::array<hsize_t, 2> size = {0, 1};
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  constexpr hsize_t kMost = std::numeric_limits<int>::max();
  if (size[0] > kMost || size[1] > kMost) file.fail(name_, "claims more entries than a log can hold");
  rows_ = size[0];
  width_ = size[1];
}

void TableReader::read(std::size_t first, std::size_t count, void* out) const {
  if (count == 0 || width_ == 0) return;
  const std::array<hsize_t, 2> begin = {first, 0}, size = {count, width_};
  const Hdf5Id to(H5Screate_simple(rank_, size.data(), nullptr), H5Sclose);
  const Hdf5Id from(H5Dget_space(dataset_), H5Sclose);
  const bool done = first + count <= rows_ &&
                    H5Sselect_hyperslab(from, H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr) >= 0 &&
                    H5Dread(dataset_, type_, to, from, H5P_DEFAULT, out) >= 0;
  if (!done) file_.fail(name_, "can't be read (damaged or truncated?)");
}

void write_attribute(Hdf5Writer& file, const std::string& name, hid_t type, const void* value) {
  file.require(write_scalar(file.id(), name, type, value), name);
}
void write_attribute(Hdf5Writer& file, const std::string& name, const std::string& value) {
  file.require(write_text(file.id(), name, value), name);
}

void read_attribute(const Hdf5Reader& file, const std::string& name, hid_t type, void* value) {
  const Hdf5Id attribute = open_attribute(file, name);
  if (H5Aread(attribute, type, value) < 0) file.fail(name, "must be a number");
}

std::string read_string(const Hdf5Reader& file, const std::string& name) {
  const Hdf5Id attribute = open_attribute(file, name);
  const Hdf5Id found(H5Aget_type(attribute), H5Tclose);
  if (!found.good() || H5Tget_class(found) != H5T_STRING || H5Tis_variable_str(found) <= 0) {
    file.fail(name, "must be a text");
  }
  const Hdf5Id type = string_type(H5T_VARIABLE);
  char* text = nullptr;
  if (H5Aread(attribute, type, &text) < 0) file.fail(name, "can't be read (damaged or truncated?)");
  std::string out = text == nullptr ? "" : text;
  H5free_memory(text);
  return out;
}

void write_names(Hdf5Writer& file, const std::string& name, const std::vector<std::string>& values) {
  std::vector<const char*> texts;
  texts.reserve(values.size());
  for (const std::string& value : values) texts.push_back(value.c_str());
  const Hdf5Id type = string_type(H5T_VARIABLE);
  const hsize_t size = values.size();
  const Hdf5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Id dataset(H5Dcreate2(file.id(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  file.require(dataset.good(), name);
  file.require(texts.empty() || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0, name);
}

std::vector<std::string> read_names(const Hdf5Reader& file, const std::string& name) {
  const Hdf5Id dataset(file.has(name) ? H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT) : -1, H5Dclose);
  if (!dataset.good()) file.fail(name, "is missing");
  const Hdf5Id found(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (!found.good() || !space.good() || H5Tget_class(found) != H5T_STRING || H5Tis_variable_str(found) <= 0) {
    file.fail(name, "must be a list of names");
  }
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0 || count > std::numeric_limits<int>::max()) file.fail(name, "is damaged");
  std::vector<char*> texts(static_cast<std::size_t>(count), nullptr);
  const Hdf5Id type = string_type(H5T_VARIABLE);
  if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) < 0) {
    file.fail(name, "can't be read (damaged or truncated?)");
  }
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (const char* text : texts) out.emplace_back(text == nullptr ? "" : text);
  if (count > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
  return out;
}

}  // namespace uzawa
