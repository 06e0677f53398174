#include "uzawa/problem_io/lcp_file.hpp"

#include <fstream>

#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/json_matrix.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa {

namespace {

namespace fs = std::filesystem;

nlohmann::json parse_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path.string(), "", "can't be opened");
  return parse_json(stream, path.string());
}

}  // namespace

bool is_lcp_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || is_hdf5_file(path)) return false;
  // Files of problems are large: the format has to stand near the beginning.
  std::ifstream stream(path, std::ios::binary);
  std::string head(4096, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return head.find("\"uzawa-lcp/1\"") != std::string::npos;
}

LcpData read_lcp(const fs::path& path) {
  const std::string source = path.string();
  const nlohmann::json document = parse_file(path);
  const JsonElement root(document, source, "");
  root.require_keys({"format", "name", "comment", "M", "q"});
  if (root["format"].text() != "uzawa-lcp/1") root["format"].fail("is not \"uzawa-lcp/1\"");
  LcpData out;
  if (root.has("name")) out.name = root["name"].text();
  if (root.has("comment")) out.comment = root["comment"].text();
  out.q = root["q"].numbers();
  const std::size_t n = out.q.size();
  const SparseRows m = read_matrix(root["M"], static_cast<int>(n), static_cast<int>(n));
  out.m.assign(n * n, 0.0);
  for (int i = 0; i < static_cast<int>(n); ++i) {
    for (std::size_t k = m.begin(i); k < m.end(i); ++k) {
      out.m[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(m.column[k])] = m.value[k];
    }
  }
  return out;
}

void write_lcp(const LcpData& lcp, const fs::path& path) {
  const std::size_t n = lcp.q.size();
  if (lcp.m.size() != n * n) throw InputError(path.string(), "M", "is not square, or of another size than q");
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back(std::vector<double>(lcp.m.begin() + static_cast<std::ptrdiff_t>(i * n),
                                       lcp.m.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)));
  }
  nlohmann::ordered_json out = {{"format", "uzawa-lcp/1"}};  // first: is_lcp_file looks for it near the beginning
  if (!lcp.name.empty()) out["name"] = lcp.name;
  if (!lcp.comment.empty()) out["comment"] = lcp.comment;
  out["M"] = {{"dense", rows}};
  out["q"] = lcp.q;
  DraftFile file(path, "problem");
  file.write_whole(out.dump());
}

}  // namespace uzawa
