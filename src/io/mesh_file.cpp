#include "uzawa/io/mesh_file.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "uzawa/base/error.hpp"

namespace uzawa::mujoco {

namespace {

constexpr std::size_t kStlHeader = 80, kStlFacet = 50;

bool is_binary_stl(const std::string& content) {
  std::uint32_t facets = 0;
  if (content.size() < kStlHeader + sizeof facets) return false;
  std::memcpy(&facets, content.data() + kStlHeader, sizeof facets);
  return content.size() == kStlHeader + sizeof facets + kStlFacet * facets;
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
  if (extension == ".obj") refuse_broken_obj(path, content);
  if (extension == ".obj" || extension == ".msh" || (extension == ".stl" && is_binary_stl(content))) {
    return {std::move(content), extension};
  }
  Assimp::Importer importer;
  // The node tree holds the unit scale and the up axis of Collada: bake it into the vertices.
  const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr || scene->mNumMeshes == 0) {
    throw InputError(path.string(), "", std::string("not a readable mesh: ") + importer.GetErrorString());
  }
  return {to_binary_stl(*scene), ".stl"};
}

}  // namespace uzawa::mujoco
