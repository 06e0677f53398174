#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "uzawa/base/error.hpp"
#include "uzawa/base/mixed_bits.hpp"
#include "uzawa/math/quaternion.hpp"

/// Plain data as bytes and back, for pickle: every bit returns. Structs are taken apart field by field without being
/// told their fields, so that a field that is added to a spec is stored, too. Same machine architecture on both sides.
namespace uzawa::python {

// -- number of fields of a plain struct, and the fields themselves

struct AnyField {
  template <typename T>
  operator T() const;  // never defined: for unevaluated expressions
};
template <typename T, std::size_t... I>
constexpr bool has_fields(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyField{})...}; };
}
inline constexpr std::size_t kMostFields = 24;
template <typename T, std::size_t kCount = kMostFields>
constexpr std::size_t field_count() {
  if constexpr (kCount == 0 || has_fields<T>(std::make_index_sequence<kCount>())) {
    return kCount;
  } else {
    return field_count<T, kCount - 1>();
  }
}

/// Calls visit(field) for every field of a plain struct, in their order.
template <typename T, typename Visit>
void for_each_field(T& x, Visit&& visit) {
  constexpr std::size_t kCount = field_count<std::remove_const_t<T>>();
  static_assert(kCount > 0 && kCount < kMostFields, "not a plain struct, or one of more fields than are known here");
  const auto all = [&](auto&... fields) { (visit(fields), ...); };
// clang-format off
#define UZAWA_FIELDS(COUNT, ...) if constexpr (kCount == COUNT) { auto& [__VA_ARGS__] = x; all(__VA_ARGS__); }
  UZAWA_FIELDS(1, a)
  UZAWA_FIELDS(2, a, b)
  UZAWA_FIELDS(3, a, b, c)
  UZAWA_FIELDS(4, a, b, c, d)
  UZAWA_FIELDS(5, a, b, c, d, e)
  UZAWA_FIELDS(6, a, b, c, d, e, f)
  UZAWA_FIELDS(7, a, b, c, d, e, f, g)
  UZAWA_FIELDS(8, a, b, c, d, e, f, g, h)
  UZAWA_FIELDS(9, a, b, c, d, e, f, g, h, i)
  UZAWA_FIELDS(10, a, b, c, d, e, f, g, h, i, j)
  UZAWA_FIELDS(11, a, b, c, d, e, f, g, h, i, j, k)
  UZAWA_FIELDS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  UZAWA_FIELDS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  UZAWA_FIELDS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  UZAWA_FIELDS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  UZAWA_FIELDS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  UZAWA_FIELDS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  UZAWA_FIELDS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  UZAWA_FIELDS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  UZAWA_FIELDS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  UZAWA_FIELDS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  UZAWA_FIELDS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  UZAWA_FIELDS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
#undef UZAWA_FIELDS
  // clang-format on
}

// -- writing and reading

template <typename T>
inline constexpr bool kIsRaw = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  std::string take() { return std::move(bytes_); }

  template <typename T>
  void operator()(const T& x) {
    if constexpr (kIsRaw<T>) {
      raw(&x, sizeof x);
    } else {
      for_each_field(x, *this);
    }
  }
  void operator()(const std::string& x) { size(x.size()), raw(x.data(), x.size()); }
  void operator()(const Vec3& x) { (*this)(x.x()), (*this)(x.y()), (*this)(x.z()); }
  template <typename T, std::size_t N>
  void operator()(const std::array<T, N>& x) {
    for (const T& item : x) (*this)(item);
  }
  template <typename T>
  void operator()(const std::vector<T>& x) {
    size(x.size());
    if constexpr (kIsRaw<T>) {
      raw(x.data(), x.size() * sizeof(T));
    } else {
      for (const T& item : x) (*this)(item);
    }
  }
  template <typename T>
  void operator()(const std::optional<T>& x) {
    (*this)(x.has_value());
    if (x) (*this)(*x);
  }
  template <typename... T>
  void operator()(const std::variant<T...>& x) {
    size(x.index());
    std::visit([&](const auto& item) { (*this)(item); }, x);
  }

 private:
  void size(std::size_t n) { raw(&n, sizeof n); }
  void raw(const void* data, std::size_t n) {
    if (n > 0) bytes_.append(static_cast<const char*>(data), n);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  /// Throws InputError where bytes are left over.
  void finish() const {
    if (!rest_.empty()) fail();
  }

  template <typename T>
  void operator()(T& x) {
    if constexpr (kIsRaw<T>) {
      raw(&x, sizeof x);
    } else {
      for_each_field(x, *this);
    }
  }
  void operator()(std::string& x) {
    x.resize(count(1));
    raw(x.data(), x.size());
  }
  void operator()(Vec3& x) {
    double xyz[3];
    raw(static_cast<double*>(xyz), sizeof xyz);
    x = Vec3::from(static_cast<double*>(xyz));
  }
  template <typename T, std::size_t N>
  void operator()(std::array<T, N>& x) {
    for (T& item : x) (*this)(item);
  }
  template <typename T>
  void operator()(std::vector<T>& x) {
    if constexpr (kIsRaw<T>) {
      x.resize(count(sizeof(T)));
      raw(x.data(), x.size() * sizeof(T));
    } else {
      x.resize(count(1));
      for (T& item : x) (*this)(item);
    }
  }
  template <typename T>
  void operator()(std::optional<T>& x) {
    bool has = false;
    (*this)(has);
    x.reset();
    if (has) (*this)(x.emplace());
  }
  template <typename... T>
  void operator()(std::variant<T...>& x) {
    std::size_t index = 0;
    raw(&index, sizeof index);
    const bool known = read_alternative(x, index, std::index_sequence_for<T...>());
    if (!known) fail();
  }

 private:
  template <typename Variant, std::size_t... I>
  bool read_alternative(Variant& x, std::size_t index, std::index_sequence<I...>) {
    return ((index == I ? ((*this)(x.template emplace<I>()), true) : false) || ...);
  }
  /// A number of items of at least `bytes` each that the rest has room for.
  std::size_t count(std::size_t bytes) {
    std::size_t n = 0;
    raw(&n, sizeof n);
    if (n > rest_.size() / bytes) fail();
    return n;
  }
  void raw(void* data, std::size_t n) {
    if (n > rest_.size()) fail();
    if (n > 0) std::memcpy(data, rest_.data(), n);
    rest_.remove_prefix(n);
  }
  [[noreturn]] static void fail() { throw InputError("", "pickle", "the bytes end too early or too late"); }

  std::string_view rest_;
};

/// What a type consists of: other fields have another number. Calls itself for the parts of a default-made object.
class Layout {
 public:
  std::uint64_t number() const { return number_; }

  template <typename T>
  void operator()(const T& x) {
    if constexpr (kIsRaw<T>) {
      add(std::is_floating_point_v<T> ? 1 : 2, sizeof x);
    } else {
      add(3, field_count<T>());
      for_each_field(x, *this);
    }
  }
  void operator()(const std::string&) { add(4, 0); }
  void operator()(const Vec3&) { add(5, 0); }
  template <typename T, std::size_t N>
  void operator()(const std::array<T, N>&) {
    add(6, N), (*this)(T());
  }
  template <typename T>
  void operator()(const std::vector<T>&) {
    add(7, 0), (*this)(T());
  }
  template <typename T>
  void operator()(const std::optional<T>&) {
    add(8, 0), (*this)(T());
  }
  template <typename... T>
  void operator()(const std::variant<T...>&) {
    add(9, sizeof...(T)), ((*this)(T()), ...);
  }

 private:
  void add(std::uint64_t kind, std::uint64_t size) { number_ = mixed_bits(number_ ^ (kind << 32 | size)); }

  std::uint64_t number_ = 0;
};

template <typename T>
std::uint64_t layout_of() {
  static const std::uint64_t number = [] {
    Layout layout;
    layout(T());
    return layout.number();
  }();
  return number;
}

/// Any change of a single byte changes it.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    sum = mixed_bits(sum ^ word);
  }
  return sum;
}

inline constexpr std::string_view kMagic = "uzawa\n\x1a";  // no text, and no other program's file

/// With a tag that says what it is and which release wrote it, the layout of its type, and a checksum of all that.
template <typename T>
std::string to_bytes(const std::string& tag, const T& x) {
  Writer writer;
  writer(tag);
  writer(layout_of<T>());
  writer(x);
  const std::string content = writer.take();
  Writer sum;
  sum(checksum(content));
  return std::string(kMagic) + sum.take() + content;
}
template <typename T>
T from_bytes(const std::string& tag, std::string_view bytes) {
  const auto fail = [](const std::string& reason) { throw InputError("", "pickle", reason); };
  if (!bytes.starts_with(kMagic)) fail("these are no bytes of uzawa's");
  Reader sums(bytes.substr(kMagic.size(), sizeof(std::uint64_t)));
  std::uint64_t sum = 0, layout = 0;
  sums(sum);
  const std::string_view content = bytes.substr(kMagic.size() + sizeof sum);
  if (checksum(content) != sum) fail("the bytes are damaged: their checksum is wrong");
  Reader reader(content);
  std::string found;
  reader(found);
  if (found != tag) fail("holds '" + found.substr(0, 40) + "', not '" + tag + "'");
  reader(layout);
  if (layout != layout_of<T>()) fail("was written by another build of " + tag + ", whose fields differ");
  T x;
  reader(x);
  reader.finish();
  return x;
}

}  // namespace uzawa::python
