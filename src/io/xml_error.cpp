#include "uzawa/io/xml_error.hpp"

#include <algorithm>
#include <string_view>

namespace uzawa::mujoco {

namespace {

constexpr const char* kBlanks = " \t\r\n";
constexpr const char* kWhatItIs = "; a model is an XML file, MJCF (<mujoco>) or URDF (<robot>)";
constexpr std::size_t kLook = 4096;  // bytes that show whether a file is text

bool is_text(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 32 && c != '\t' && c != '\r' && c != '\n'; };
  return std::none_of(text.begin(), text.end(), control);
}

/// What the file is instead; empty: it looks like XML.
std::string other_kind(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return "is empty";
  if (text.starts_with("\x89HDF\r\n")) return "is an HDF5 file: `uzawa replay` takes logs, `uzawa solve` problems";
  if (!is_text(std::string_view(text).substr(0, kLook))) return std::string("is no text but binary data") + kWhatItIs;
  if (text[begin] == '<' || text.starts_with("\xEF\xBB\xBF")) return "";
  constexpr std::size_t kShown = 24;
  const std::size_t end = std::min(text.find_first_of("\r\n", begin), begin + kShown);
  return "begins with '" + text.substr(begin, end - begin) + "', not with '<'" + kWhatItIs;
}

/// tinyxml2's "Error=... : XMLElement name=body": the name.
std::string named_element(const tinyxml2::XMLDocument& document) {
  const std::string text = document.ErrorStr() != nullptr ? document.ErrorStr() : "";
  const std::string key = "XMLElement name=";
  const std::size_t at = text.rfind(key);
  return at == std::string::npos ? "" : text.substr(at + key.size());
}

std::string reason(const tinyxml2::XMLDocument& document) {
  const std::string name = named_element(document);
  const std::string element = name.empty() ? "an element" : "<" + name + ">";
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return element + " is not closed by a tag of its own name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: return element + " has an attribute that does not read name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return element + " does not end, or has no name";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment does not end with -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section does not end with ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION: return "the declaration does not end with ?>";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "text stands where an element is expected";
    default: return "is no whole XML: it ends within an element";
  }
}

}  // namespace

InputError xml_error(const std::filesystem::path& path, const std::string& text,
                     const tinyxml2::XMLDocument& document) {
  if (const std::string kind = other_kind(text); !kind.empty()) return {path.string(), "", kind};
  return {path.string(), "line " + std::to_string(document.ErrorLineNum()), reason(document)};
}

}  // namespace uzawa::mujoco
