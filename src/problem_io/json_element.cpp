#include "uzawa/problem_io/json_element.hpp"

#include <algorithm>
#include <cmath>
#include <istream>
#include <set>

#include "uzawa/base/error.hpp"

namespace uzawa {

using Json = nlohmann::json;

void JsonElement::fail(const std::string& reason) const { throw InputError(*source_, path_, reason); }

void JsonElement::require_keys(std::initializer_list<const char*> known) const {
  if (!value_->is_object()) fail("must be an object");
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) fail("unknown key \"" + key + "\"");
  }
}

JsonElement JsonElement::operator[](const char* key) const {
  if (!has(key)) fail(std::string("has no \"") + key + "\"");
  return {(*value_)[key], *source_, path_.empty() ? key : path_ + "." + key};
}

JsonElement JsonElement::operator[](std::size_t index) const {
  if (index >= size()) fail("has no element " + std::to_string(index));
  return {(*value_)[index], *source_, path_ + "[" + std::to_string(index) + "]"};
}

std::size_t JsonElement::size() const {
  if (!value_->is_array()) fail("must be a list");
  return value_->size();
}

double JsonElement::number() const {
  if (!value_->is_number()) fail("must be a number");
  const auto number = value_->get<double>();
  if (!std::isfinite(number)) fail("must be finite");
  return number;
}

int JsonElement::integer(int first, int last) const {
  if (!value_->is_number_integer()) fail("must be a whole number");
  const bool fits = value_->is_number_unsigned() ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT_MAX)
                                                 : value_->get<std::int64_t>() >= INT_MIN;
  const int number = fits ? value_->get<int>() : 0;
  if (!fits || number < first || number > last) {
    fail("is " + value_->dump() + ", outside of " + std::to_string(first) + " to " + std::to_string(last));
  }
  return number;
}

std::string JsonElement::text() const {
  if (!value_->is_string()) fail("must be text");
  return value_->get<std::string>();
}

std::vector<double> JsonElement::numbers() const {
  std::vector<double> out(size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Json& value = (*value_)[k];
    // The path of an element is made for complaints only.
    out[k] = value.is_number_float() && std::isfinite(value.get<double>()) ? value.get<double>() : (*this)[k].number();
  }
  return out;
}

std::vector<double> JsonElement::numbers(std::size_t count) const {
  if (size() != count) fail("has " + std::to_string(size()) + " numbers instead of " + std::to_string(count));
  return numbers();
}

std::vector<int> JsonElement::integers(int first, int last) const {
  std::vector<int> out(size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = (*this)[k].integer(first, last);
  return out;
}

Vec3 JsonElement::vec3() const { return Vec3::from(numbers(3).data()); }

Json parse_json(std::istream& stream, const std::string& source) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
      throw InputError(source, "", "says the key \"" + parsed.get<std::string>() + "\" twice in one object");
    }
    return true;
  };
  try {
    return Json::parse(stream, watch);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 7: ..."
    const std::string text = error.what();
    const std::size_t start = text.find("] ");
    throw InputError(source, "", "malformed JSON: " + (start == std::string::npos ? text : text.substr(start + 2)));
  }
}

}  // namespace uzawa
