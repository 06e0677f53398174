#pragma once

#include <iosfwd>
#include <string>

#include "uzawa/problem/problem.hpp"

/// The formats behind problem_file.hpp. `source` names the file in errors. What they read is not validated yet, beyond
/// what it takes to build the Problem.
namespace uzawa {

Problem read_json(std::istream& stream, const std::string& source);
void write_json(const Problem& problem, std::ostream& stream);

Problem read_fclib(const std::string& path);
void write_fclib(const Problem& problem, const std::string& path);

}  // namespace uzawa
