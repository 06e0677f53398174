#pragma once

#include <iosfwd>
#include <string>

#include "uzawa/problem/problem.hpp"

/// The formats behind problem_file.hpp. `source` names the file in errors. The readers check only as much as is needed
/// to build the Problem; they do not validate it.
namespace uzawa {

/// A file's comment with what was noted while it was read.
inline std::string with_note(const std::string& comment, const std::string& note) {
  return comment.empty() || note.empty() ? comment + note : comment + " (" + note + ")";
}

Problem read_json(std::istream& stream, const std::string& source);
void write_json(const Problem& problem, std::ostream& stream);

Problem read_fclib(const std::string& path);
void write_fclib(const Problem& problem, const std::string& path);

}  // namespace uzawa
