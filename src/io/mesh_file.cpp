#include "uzawa/io/mesh_file.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "uzawa/base/error.hpp"

namespace uzawa::mujoco {

namespace {

constexpr std::size_t kStlHeader = 80, kStlFacet = 50;

constexpr std::uint32_t kMostStlFacets = 200000;  // that the compiler reads; OBJ files may have more

std::uint32_t stl_facets(const std::string& content) {
  std::uint32_t facets = 0;
  if (content.size() >= kStlHeader + sizeof facets) std::memcpy(&facets, content.data() + kStlHeader, sizeof facets);
  return facets;
}

/// Which the compiler reads as it is.
bool is_binary_stl(const std::string& content) {
  const std::uint32_t facets = stl_facets(content);
  return content.size() == kStlHeader + sizeof facets + kStlFacet * facets && facets <= kMostStlFacets;
}

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string to_binary_stl(const aiScene& scene) {
  std::string out(kStlHeader, ' ');
  std::uint32_t facets = 0;
  append(out, facets);
  for (unsigned i = 0; i < scene.mNumMeshes; ++i) {
    const aiMesh& mesh = *scene.mMeshes[i];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (mesh.mFaces[f].mNumIndices != 3) continue;  // points and lines enclose nothing
      for (int k = 0; k < 3; ++k) append(out, 0.0F);  // normal: readers derive it from the vertices
      for (int k = 0; k < 3; ++k) {
        const aiVector3D& vertex = mesh.mVertices[mesh.mFaces[f].mIndices[k]];
        for (const float x : {vertex.x, vertex.y, vertex.z}) append(out, x);
      }
      append(out, std::uint16_t{0});
      ++facets;
    }
  }
  std::memcpy(out.data() + kStlHeader, &facets, sizeof facets);
  return out;
}

std::string stl_as_obj(const std::string& stl) {
  constexpr std::size_t kNormal = 3 * sizeof(float);
  std::string out;
  char line[96];
  for (std::uint32_t f = 0; f < stl_facets(stl); ++f) {
    float corners[9];
    std::memcpy(corners, stl.data() + kStlHeader + sizeof f + kStlFacet * f + kNormal, sizeof corners);
    for (int k = 0; k < 3; ++k) {
      const float* v = corners + 3 * k;
      out.append(line,
                 static_cast<std::size_t>(std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", v[0], v[1], v[2])));
    }
    const auto first = static_cast<unsigned long>(3) * f + 1;
    out.append(line, static_cast<std::size_t>(
                         std::snprintf(line, sizeof line, "f %lu %lu %lu\n", first, first + 1, first + 2)));
  }
  return out;
}

/// The legacy compiler crashes on vertices without three coordinates and on faces of vertices that are not there.
void refuse_broken_obj(const std::filesystem::path& path, const std::string& content) {
  long vertices = 0, highest = 0, lowest = 0;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      double x, y, z;
      if (!(words >> x >> y >> z)) throw InputError(path.string(), "", "has a vertex without three coordinates");
      ++vertices;
    } else if (word == "f") {
      while (words >> word) {
        const long vertex = std::strtol(word.c_str(), nullptr, 10);  // up to the slash of v/vt/vn
        highest = std::max(highest, vertex);
        lowest = std::min(lowest, vertex);
      }
    }
  }
  if (vertices == 0) throw InputError(path.string(), "", "has no vertices");
  if (highest > vertices || -lowest > vertices) throw InputError(path.string(), "", "has a face of unknown vertices");
}

/// The compiler reads the first object of an OBJ file only: without their names all are one.
std::string as_one_object(const std::string& content) {
  std::string out;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    const std::string word = line.substr(0, line.find_first_of(" \t\r"));
    if (word != "o" && word != "g") out += line + '\n';
  }
  return out;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string(), "", "cannot be opened");
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

MeshFile read_mesh_file(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string content = read_file(path);
  if (extension == ".obj") {
    refuse_broken_obj(path, content);
    content = as_one_object(content);
  }
  if (extension == ".obj" || extension == ".msh" || (extension == ".stl" && is_binary_stl(content))) {
    return {std::move(content), extension};
  }
  Assimp::Importer importer;
  // The node tree holds the unit scale and the up axis of Collada: bake it into the vertices.
  const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr || scene->mNumMeshes == 0) {
    throw InputError(path.string(), "", std::string("not a readable mesh: ") + importer.GetErrorString());
  }
  std::string stl = to_binary_stl(*scene);
  if (stl_facets(stl) <= kMostStlFacets) return {std::move(stl), ".stl"};
  return {stl_as_obj(stl), ".obj"};
}

}  // namespace uzawa::mujoco
