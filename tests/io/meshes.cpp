#include "meshes.hpp"

#include <array>
#include <cstdint>
#include <sstream>

namespace uzawa::test {

namespace {

constexpr std::array<std::array<float, 3>, 4> kCorners = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::array<std::array<int, 3>, 4> kFaces = {{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string obj_tetrahedron() {
  std::ostringstream out;
  for (const auto& c : kCorners) out << "v " << c[0] << ' ' << c[1] << ' ' << c[2] << '\n';
  for (const auto& f : kFaces) out << "f " << f[0] + 1 << ' ' << f[1] + 1 << ' ' << f[2] + 1 << '\n';
  return out.str();
}

std::string ascii_stl_tetrahedron() {
  std::ostringstream out;
  out << "solid tetrahedron\n";
  for (const auto& face : kFaces) {
    out << "facet normal 0 0 0\n outer loop\n";
    for (const int v : face) {
      const auto& c = kCorners[static_cast<std::size_t>(v)];
      out << "  vertex " << c[0] << ' ' << c[1] << ' ' << c[2] << '\n';
    }
    out << " endloop\nendfacet\n";
  }
  out << "endsolid tetrahedron\n";
  return out.str();
}

std::string binary_stl_tetrahedron() {
  std::string out(80, ' ');
  append(out, static_cast<std::uint32_t>(kFaces.size()));
  for (const auto& face : kFaces) {
    out.append(12, '\0');
    for (const int v : face) append(out, kCorners[static_cast<std::size_t>(v)]);
    out.append(2, '\0');
  }
  return out;
}

std::string collada_tetrahedron() {
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
        <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
  </library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>)";
}

}  // namespace uzawa::test
