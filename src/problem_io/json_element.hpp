#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// A JSON value with its path, so that every error names the file and the place ("constraints[3].J.i[7]"). A view: the
/// document must outlive it.
class JsonElement {
 public:
  JsonElement(const nlohmann::json& value, const std::string& source, std::string path)
      : value_(&value), source_(&source), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& reason) const;
  /// Must be an object, and have no keys but these.
  void require_keys(std::initializer_list<const char*> known) const;
  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  JsonElement operator[](const char* key) const;  ///< throws where the key is missing
  JsonElement operator[](std::size_t index) const;
  std::size_t size() const;  ///< must be an array

  bool is_null() const { return value_->is_null(); }
  bool is_array() const { return value_->is_array(); }
  double number() const;                   ///< finite
  int integer(int first, int last) const;  ///< within [first, last]
  std::string text() const;
  std::vector<double> numbers() const;
  std::vector<double> numbers(std::size_t count) const;
  std::vector<int> integers(int first, int last) const;
  Vec3 vec3() const;
  const std::string& source() const { return *source_; }
  const std::string& path() const { return path_; }

 private:
  const nlohmann::json* value_;
  const std::string* source_;
  std::string path_;
};

/// Parses a document; throws InputError with line and column where it is malformed or has a duplicate key.
nlohmann::json parse_json(std::istream& stream, const std::string& source);

}  // namespace uzawa
