#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace uzawa {

/// Reads a mesh file from its start: words, numbers and, in binary parts, values of either byte order. Complaints are
/// InputErrors with file and line, or byte in binary parts.
class MeshCursor {
 public:
  MeshCursor(std::string file, std::string_view content) : file_(std::move(file)), content_(content) {}

  [[noreturn]] void fail(const std::string& reason) const;
  void require(bool condition, const char* reason) const {
    if (!condition) fail(reason);
  }

  const std::string& file() const { return file_; }
  bool at_end();  ///< nothing but white space is left
  std::size_t remaining() const { return content_.size() - position_; }
  bool binary = false;   ///< of what follows: where complaints are
  bool swapped = false;  ///< the byte order of binary values is not this machine's

  std::string_view line();  ///< the rest of it, its end taken along
  std::string_view word();  ///< empty at the end of the file
  std::string_view peek_word();
  std::int64_t integer();
  double number();

  /// A binary value.
  template <typename T>
  T value() {
    T result;
    take(&result, sizeof result);
    return result;
  }
  /// An integer, in text or as a binary value of type T.
  template <typename T>
  std::int64_t integer_as() {
    if (!binary) return integer();
    const T number = value<T>();
    require(std::in_range<std::int64_t>(number), "a number is too large");
    return static_cast<std::int64_t>(number);
  }
  double coordinate() { return binary ? value<double>() : number(); }
  void skip(std::size_t bytes);

  /// A number of things that take some bytes each at least: more than the file can hold is refused before anything is
  /// allocated.
  std::size_t count(std::int64_t number, std::size_t least_bytes, const char* what) const;

  /// Moves behind the next place where `text` stands; false where it is nowhere.
  bool skip_past(std::string_view text);

 private:
  void skip_space();
  void take(void* target, std::size_t bytes);

  std::string file_;
  std::string_view content_;
  std::size_t position_ = 0;
};

}  // namespace uzawa
