#include "uzawa/io/mesh_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\v'; }

/// What a message can quote of a damaged file.
std::string quoted(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, 20)) text += c >= ' ' && c <= '~' ? c : '?';
  return "'" + text + "'";
}

template <typename Number>
bool parse(std::string_view word, Number& number) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

void MeshCursor::fail(const std::string& reason) const {
  const auto lines = std::count(content_.begin(), content_.begin() + static_cast<std::ptrdiff_t>(position_), '\n') + 1;
  throw InputError(file_, binary ? "byte " + std::to_string(position_) : "line " + std::to_string(lines), reason);
}

void MeshCursor::skip_space() {
  while (position_ < content_.size() && is_space(content_[position_])) ++position_;
}

bool MeshCursor::at_end() {
  skip_space();
  return position_ == content_.size();
}

std::string_view MeshCursor::line() {
  const std::size_t end = std::min(content_.find('\n', position_), content_.size());
  std::string_view text = content_.substr(position_, end - position_);
  position_ = std::min(end + 1, content_.size());
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view MeshCursor::peek_word() {
  skip_space();
  std::size_t end = position_;
  while (end < content_.size() && !is_space(content_[end])) ++end;
  return content_.substr(position_, end - position_);
}

std::string_view MeshCursor::word() {
  const std::string_view text = peek_word();
  position_ += text.size();
  return text;
}

std::int64_t MeshCursor::integer() {
  const std::string_view text = peek_word();
  std::int64_t number = 0;
  if (text.empty()) fail("ends where a number should be");
  if (!parse(text, number)) fail(quoted(text) + " is not a whole number");
  position_ += text.size();
  return number;
}

double MeshCursor::number() {
  const std::string_view text = peek_word();
  double number = 0;
  if (text.empty()) fail("ends where a number should be");
  if (!parse(text, number)) fail(quoted(text) + " is not a number");
  position_ += text.size();
  return number;
}

void MeshCursor::take(void* target, std::size_t bytes) {
  require(remaining() >= bytes, "ends too early");
  std::memcpy(target, content_.data() + position_, bytes);
  position_ += bytes;
  if (swapped) std::reverse(static_cast<char*>(target), static_cast<char*>(target) + bytes);
}

void MeshCursor::skip(std::size_t bytes) {
  require(remaining() >= bytes, "ends too early");
  position_ += bytes;
}

std::size_t MeshCursor::count(std::int64_t number, std::size_t least_bytes, const char* what) const {
  const bool fits = number >= 0 && static_cast<std::uint64_t>(number) <= remaining() / least_bytes;
  if (!fits) fail("has " + std::to_string(number) + ' ' + what + ", which the rest of the file cannot hold");
  return static_cast<std::size_t>(number);
}

bool MeshCursor::skip_past(std::string_view text) {
  const std::size_t place = content_.find(text, position_);
  if (place == std::string_view::npos) return false;
  position_ = place + text.size();
  return true;
}

}  // namespace uzawa
