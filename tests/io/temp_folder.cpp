#include "temp_folder.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace uzawa::test {

namespace fs = std::filesystem;

fs::path TempFolder::write(const fs::path& name, const std::string& content) const {
  fs::path file = path() / name;
  fs::create_directories(file.parent_path());
  write_file(file, content);
  return file;
}

void write_file(const fs::path& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  std::size_t place = text.find(from);
  if (place == std::string::npos) throw std::runtime_error("nothing to replace: " + from);
  for (; place != std::string::npos; place = text.find(from, place + to.size())) text.replace(place, from.size(), to);
  return text;
}

}  // namespace uzawa::test
