#include "uzawa/problem_io/problem_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/file_formats.hpp"

namespace uzawa {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHdf5Signature{"\x89HDF\r\n\x1a\n", 8};
// A parsed JSON file takes about eight times its size in memory; larger problems belong into HDF5.
constexpr std::uintmax_t kLargestJson = 512U << 20U;

bool named_hdf5(const fs::path& path) { return path.extension() == ".hdf5" || path.extension() == ".h5"; }

void require_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(path.string(), "", "no such file");
  if (!fs::is_regular_file(status)) throw InputError(path.string(), "", "is not a file");
}

/// Its first bytes, as many as it takes to tell what it is.
std::string read_head(std::istream& stream) {
  std::string head(4096, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return head;
}

/// A file of something else is refused by its first bytes, however large it is.
void require_json_object(const std::string& head, const std::string& source) {
  if (head.empty()) throw InputError(source, "", "the file is empty");
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || head[first] != '{')
    throw InputError(source, "", "does not start with a JSON object");
}

/// Does it, with the file's name on whatever it complains about.
template <typename Action>
void naming(const fs::path& path, Action action) {
  try {
    action();
  } catch (const InputError& error) {
    throw InputError(path.string(), error.element(), error.reason());
  }
}

}  // namespace

bool is_hdf5_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;  // a pipe would wait for its writer
  std::ifstream stream(path, std::ios::binary);
  return stream && (named_hdf5(path) || read_head(stream).starts_with(kHdf5Signature));
}

Problem read_problem(const fs::path& path) {
  const std::string source = path.string();
  require_regular_file(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(source, "", "can't be opened");

  Problem problem;
  if (is_hdf5_file(path)) {
    problem = read_fclib(source);
  } else {
    require_json_object(read_head(stream), source);
    if (fs::file_size(path) > kLargestJson)
      throw InputError(source, "", "is larger than a JSON problem may be (512 MiB)");
    stream.clear();
    stream.seekg(0);
    problem = read_json(stream, source);
  }
  naming(path, [&] { validate(problem); });
  return problem;
}

void write_problem(const Problem& problem, const fs::path& path) {
  naming(path, [&] {
    validate(problem);
    DraftFile file(path, "problem");
    if (named_hdf5(path)) {
      write_fclib(problem, file.draft().string());
      file.commit();
    } else {
      std::ostringstream text;
      write_json(problem, text);
      file.write_whole(text.view());
    }
  });
}

}  // namespace uzawa
