#include "tet_writers.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>

#include "uzawa/base/at.hpp"

namespace uzawa::test {

namespace {

/// Values one after the other, as text or as bytes.
class Writer {
 public:
  explicit Writer(Encoding encoding) : encoding_(encoding) {}

  void text(const std::string& text) { out_ += text; }
  template <typename T>
  void put(T value) {
    if (encoding_ == Encoding::Text) return print(value);
    char bytes[sizeof value];
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, bytes);
    if (encoding_ == Encoding::SwappedBinary) std::reverse(bytes, bytes + sizeof value);
    out_.append(bytes, sizeof value);
  }
  void end_line() {
    if (encoding_ == Encoding::Text) out_ += '\n';
  }
  std::string take() { return std::move(out_); }

 private:
  void print(double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g ", value);
    out_ += digits;
  }
  void print(float value) { print(static_cast<double>(value)); }
  void print(std::int32_t value) { out_ += std::to_string(value) + ' '; }
  void print(std::int64_t value) { out_ += std::to_string(value) + ' '; }
  void print(std::uint64_t value) { out_ += std::to_string(value) + ' '; }

  Encoding encoding_;
  std::string out_;
};

void gmsh_head(Writer& out, const char* version, Encoding encoding) {
  out.text(std::string("$MeshFormat\n") + version + (encoding == Encoding::Text ? " 0 8\n" : " 1 8\n"));
  if (encoding != Encoding::Text) {
    out.put<std::int32_t>(1);
    out.text("\n");
  }
  out.text("$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"jelly\"\n$EndPhysicalNames\n");
}

template <typename T>
void put_element(Writer& out, const std::vector<T>& head, const int* nodes, int count, int first_tag) {
  for (const T value : head) out.put(value);
  for (int k = 0; k < count; ++k) out.put(static_cast<T>(nodes[k] + first_tag));
  out.end_line();
}

}  // namespace

std::string gmsh2_file(const TetMesh& mesh, Encoding encoding, int first_tag) {
  const bool text = encoding == Encoding::Text;
  Writer out(encoding);
  gmsh_head(out, "2.2", encoding);
  out.text("$Nodes\n" + std::to_string(mesh.nodes.size()) + "\n");
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    out.put(static_cast<std::int32_t>(i) + first_tag);
    for (int d = 0; d < 3; ++d) out.put(mesh.nodes[i][d]);
    out.end_line();
  }
  out.text("\n$EndNodes\n$Elements\n" + std::to_string(mesh.tets.size() + 2) + "\n");
  // Binary elements come in blocks: type, number, tags.
  std::int32_t number = 1;
  const auto block = [&](std::int32_t type, std::int32_t count) {
    if (text) return;
    out.put(type);
    out.put(count);
    out.put<std::int32_t>(2);
  };
  const auto element = [&](std::int32_t type, const int* nodes, int count) {
    const std::vector<std::int32_t> head =
        text ? std::vector<std::int32_t>{number++, type, 2, 7, 8} : std::vector<std::int32_t>{number++, 7, 8};
    put_element(out, head, nodes, count, first_tag);
  };
  block(15, 1);
  element(15, mesh.tets[0].data(), 1);
  block(2, 1);
  element(2, mesh.tets[0].data(), 3);
  block(4, static_cast<std::int32_t>(mesh.tets.size()));
  for (const auto& tet : mesh.tets) element(4, tet.data(), 4);
  out.text("\n$EndElements\n");
  return out.take();
}

std::string gmsh4_file(const TetMesh& mesh, Encoding encoding, int first_tag) {
  using Size = std::uint64_t;
  Writer out(encoding);
  const auto line = [&](std::initializer_list<Size> sizes) {
    for (const Size size : sizes) out.put(size);
    out.end_line();
  };
  const auto head = [&](std::int32_t a, std::int32_t b, std::int32_t c, Size count) {
    out.put(a);
    out.put(b);
    out.put(c);
    line({count});
  };
  gmsh_head(out, "4.1", encoding);
  const Size nodes = mesh.nodes.size(), tets = mesh.tets.size(), first = static_cast<Size>(first_tag);
  out.text("$Nodes\n");
  line({2, nodes, first, first + nodes - 1});
  // The first node belongs to a surface and has two parameters.
  const auto node_block = [&](std::int32_t dimension, std::size_t begin, std::size_t end) {
    head(dimension, 5, dimension == 2 ? 1 : 0, end - begin);
    for (std::size_t i = begin; i < end; ++i) line({first + i});
    for (std::size_t i = begin; i < end; ++i) {
      for (int d = 0; d < 3; ++d) out.put(mesh.nodes[i][d]);
      for (std::int32_t d = 0; dimension == 2 && d < 2; ++d) out.put(0.25);
      out.end_line();
    }
  };
  node_block(2, 0, 1);
  node_block(3, 1, mesh.nodes.size());
  out.text("\n$EndNodes\n$Elements\n");
  line({2, tets + 1, 1, tets + 1});
  head(2, 5, 2, 1);
  put_element<Size>(out, {1}, mesh.tets[0].data(), 3, first_tag);
  head(3, 6, 4, tets);
  for (Size i = 0; i < tets; ++i) put_element<Size>(out, {i + 2}, mesh.tets[i].data(), 4, first_tag);
  out.text("\n$EndElements\n");
  return out.take();
}

std::string vtk_file(const TetMesh& mesh, bool binary, int version, const std::string& point_type) {
  const bool little = std::endian::native == std::endian::little;
  const Encoding encoding = !binary ? Encoding::Text : little ? Encoding::SwappedBinary : Encoding::Binary;
  Writer out(encoding);
  out.text("# vtk DataFile Version " + std::to_string(version) + ".0\na jelly\n" + (binary ? "BINARY" : "ASCII"));
  out.text("\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 double\n");
  out.put(0.5);
  out.text("\nPOINTS " + std::to_string(mesh.nodes.size()) + ' ' + point_type + '\n');
  for (const Vec3& node : mesh.nodes) {
    for (int d = 0; d < 3; ++d) point_type == "float" ? out.put(static_cast<float>(node[d])) : out.put(node[d]);
    out.end_line();
  }
  out.text("\nMETADATA\nINFORMATION 0\n\n");
  const std::string cells = std::to_string(mesh.tets.size() + 1);
  if (version >= 5) {
    const std::int64_t numbers = 3 + 4 * static_cast<std::int64_t>(mesh.tets.size());
    out.text("CELLS " + std::to_string(mesh.tets.size() + 2) + ' ' + std::to_string(numbers));
    out.text("\nOFFSETS vtktypeint64\n");
    out.put<std::int64_t>(0);
    for (std::int64_t offset = 3; offset <= numbers; offset += 4) out.put(offset);
    out.text("\nCONNECTIVITY vtktypeint64\n");
    for (std::size_t k = 0; k < 3; ++k) out.put<std::int64_t>(mesh.tets[0][k]);
    for (const auto& tet : mesh.tets) {
      for (const int node : tet) out.put<std::int64_t>(node);
    }
  } else {
    out.text("CELLS " + cells + ' ' + std::to_string(4 + 5 * mesh.tets.size()) + '\n');
    put_element<std::int32_t>(out, {3}, mesh.tets[0].data(), 3, 0);
    for (const auto& tet : mesh.tets) put_element<std::int32_t>(out, {4}, tet.data(), 4, 0);
  }
  out.text("\nCELL_TYPES " + cells + '\n');
  out.put<std::int32_t>(5);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) out.put<std::int32_t>(10);
  out.text("\nCELL_DATA " + cells + "\nSCALARS material int 1\nLOOKUP_TABLE default\n");
  return out.take();
}

}  // namespace uzawa::test
