#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

/// What the files of this folder share. Each registers one part of the module `uzawa._core`; the package's Python files
/// build the interface of users on it.
namespace uzawa::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_model(nb::module_& m);
void bind_report(nb::module_& m);
void bind_world(nb::module_& m);
void bind_dynamics(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_problem(nb::module_& m);
void bind_scene(nb::module_& m);
void bind_log(nb::module_& m);
void bind_live(nb::module_& m);
void bind_render(nb::module_& m);

using Array = nb::ndarray<nb::numpy, double>;
/// A contiguous array of doubles that a caller gives; others are converted.
using ConstArray = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using ConstIntArray = nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu>;

/// An array object that is kept from call to call; type stubs say what it holds.
template <typename T>
class ArrayObject : public nb::object {
 public:
  static constexpr auto Name = nb::detail::const_name("numpy.typing.NDArray[numpy.") +
                               nb::detail::dtype_traits<T>::name + nb::detail::const_name("]");
  ArrayObject() = default;
  ArrayObject(nb::handle h, nb::detail::borrow_t) : nb::object(h, nb::detail::borrow_t{}) {}
  ArrayObject(nb::handle h, nb::detail::steal_t) : nb::object(h, nb::detail::steal_t{}) {}
  static bool check_(nb::handle h) { return h.is_valid(); }
};

/// Memory whose arrays stay valid as long as one of them is alive, whatever becomes of the object that fills it.
template <typename T>
class SharedBuffer {
 public:
  SharedBuffer() = default;
  explicit SharedBuffer(std::vector<std::size_t> shape) : shape_(std::move(shape)) {
    std::size_t size = 1;
    for (const std::size_t n : shape_) size *= n;
    data_ = std::make_shared<std::vector<T>>(size);
  }

  std::span<T> span() { return {data_->data(), data_->size()}; }
  std::span<const T> span() const { return {data_->data(), data_->size()}; }
  /// Row i of the first dimension.
  std::span<T> row(std::size_t i) {
    const std::size_t width = shape_[0] == 0 ? 0 : data_->size() / shape_[0];
    return span().subspan(i * width, width);
  }

  /// The same array object in every call: making one takes most of a microsecond.
  const ArrayObject<T>& array() {
    if (!array_.is_valid()) array_ = make(data_->data(), false);
    return array_;
  }
  /// The same for memory that only the engine writes.
  const ArrayObject<T>& constant_array() {
    if (!array_.is_valid()) array_ = make(data_->data(), true);
    return array_;
  }
  bool is_exported() const { return array_.is_valid(); }

 private:
  ArrayObject<T> make(T* data, bool constant) {
    nb::capsule owner(new std::shared_ptr<std::vector<T>>(data_),
                      [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<T>>*>(p); });
    const nb::object made = constant
                                ? nb::cast(nb::ndarray<nb::numpy, const T>(data, shape_.size(), shape_.data(), owner))
                                : nb::cast(nb::ndarray<nb::numpy, T>(data, shape_.size(), shape_.data(), owner));
    return nb::borrow<ArrayObject<T>>(made);
  }

  std::vector<std::size_t> shape_{0};
  std::shared_ptr<std::vector<T>> data_ = std::make_shared<std::vector<T>>();
  ArrayObject<T> array_;
};

/// A new array with these numbers.
template <typename T>
nb::ndarray<nb::numpy, T> new_array(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* data = new std::vector<T>(std::move(values));
  nb::capsule owner(data, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(data->data(), shape.size(), shape.data(), owner);
}
template <typename T>
nb::ndarray<nb::numpy, T> new_array(std::vector<T> values) {
  const std::size_t n = values.size();
  return new_array(std::move(values), {n});
}

/// Calls work(first, number) for pieces of 0 ... count - 1, without the interpreter's lock. Between pieces, which take
/// some 20 ms where work is quicker than that, Ctrl-C ends it.
template <typename Work>
void in_pieces(int count, Work&& work) {
  constexpr std::chrono::milliseconds kPatience(20);
  for (int done = 0, piece = 8; done < count;) {
    const int number = std::min(piece, count - done);
    const auto start = std::chrono::steady_clock::now();
    {
      const nb::gil_scoped_release release;
      work(done, number);
    }
    done += number;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const bool was_quick = std::chrono::steady_clock::now() - start < kPatience / 2;
    piece = was_quick ? std::max(piece, std::min(2 * piece, count)) : std::max(1, piece / 2);
  }
}

/// work() in a thread of its own, without the interpreter's lock. Ctrl-C raises `stop`, which it has to look at, and is
/// thrown when it has returned.
template <typename Work>
auto until_interrupted(std::atomic<bool>& stop, Work&& work) {
  auto result = std::async(std::launch::async, work);
  const auto wait = [&](std::chrono::milliseconds most) {
    const nb::gil_scoped_release release;
    return result.wait_for(most) == std::future_status::ready;
  };
  while (!wait(std::chrono::milliseconds(20))) {
    if (PyErr_CheckSignals() == 0) continue;
    stop = true;
    while (!wait(std::chrono::milliseconds(100))) {
    }
    throw nb::python_error();
  }
  return result.get();
}

}  // namespace uzawa::python
