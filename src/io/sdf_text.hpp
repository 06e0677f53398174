#pragma once

#include <string>

#include "uzawa/model/spec.hpp"

namespace uzawa::mujoco {

/// Reads the description of a signed distance, as in "thread kind=bolt diameter=0.048 pitch=0.005 length=0.1": the
/// grammar of docs/sdf-shapes.md. Throws InputError with the given source and element.
SdfSpec parse_sdf(const std::string& text, const std::string& source, const std::string& element);

}  // namespace uzawa::mujoco
