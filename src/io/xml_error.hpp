#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa::mujoco {

/// Why a file is no XML, in words for who has perhaps named the wrong file. `document`: after the attempt to parse
/// `text`, the file's content.
InputError xml_error(const std::filesystem::path& path, const std::string& text, const tinyxml2::XMLDocument& document);

}  // namespace uzawa::mujoco
