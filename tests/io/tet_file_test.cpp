#include "uzawa/io/tet_file.hpp"

#include <gtest/gtest.h>

#include "mutate.hpp"
#include "temp_folder.hpp"
#include "tet_writers.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/meshing/grids.hpp"

namespace uzawa::test {
namespace {

TetMesh sample() { return box_mesh({0.3, 0.2, 0.1}, {3, 2, 1}); }

TetFile parse(const std::string& content) { return parse_tet_file(content, "mesh.txt"); }

struct Format {
  const char* name;
  std::string content;
};

std::vector<Format> all_formats(const TetMesh& mesh) {
  return {{"Gmsh 2.2 text", gmsh2_file(mesh, Encoding::Text)},
          {"Gmsh 2.2 binary", gmsh2_file(mesh, Encoding::Binary)},
          {"Gmsh 2.2 other byte order", gmsh2_file(mesh, Encoding::SwappedBinary)},
          {"Gmsh 2.2 sparse tags", gmsh2_file(mesh, Encoding::Text, 1000000)},
          {"Gmsh 4.1 text", gmsh4_file(mesh, Encoding::Text)},
          {"Gmsh 4.1 binary", gmsh4_file(mesh, Encoding::Binary)},
          {"Gmsh 4.1 other byte order", gmsh4_file(mesh, Encoding::SwappedBinary, 17)},
          {"VTK 3 text", vtk_file(mesh, false, 3)},
          {"VTK 3 binary", vtk_file(mesh, true, 3)},
          {"VTK 5 text", vtk_file(mesh, false, 5)},
          {"VTK 5 binary", vtk_file(mesh, true, 5)}};
}

TEST(TetFile, RoundTripOfAllFormats) {
  const TetMesh mesh = sample();
  for (const Format& format : all_formats(mesh)) {
    const TempFolder folder;
    const TetFile file = read_tet_file(folder.write("mesh.msh", format.content));
    EXPECT_EQ(file.mesh.tets, mesh.tets) << format.name;
    ASSERT_EQ(file.mesh.nodes.size(), mesh.nodes.size()) << format.name;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
      EXPECT_EQ(norm(file.mesh.nodes[i] - mesh.nodes[i]), 0) << format.name;
    }
    EXPECT_TRUE(file.notes.empty()) << format.name;
  }
}

TEST(TetFile, VtkFloats) {
  for (const bool binary : {false, true}) {
    const TetFile file = parse(vtk_file(sample(), binary, 3, "float"));
    for (std::size_t i = 0; i < file.mesh.nodes.size(); ++i) {
      EXPECT_LT(norm(file.mesh.nodes[i] - sample().nodes[i]), 1e-7);  // a float has 24 bits
    }
  }
}

/// Lines end as on another system, and numbers as other programs print them.
TEST(TetFile, ToleratesOtherPrograms) {
  const std::string text = replaced(gmsh2_file(sample(), Encoding::Text), "\n", "\r\n");
  EXPECT_EQ(parse(text).mesh.tets, sample().tets);
  EXPECT_EQ(parse(replaced(vtk_file(sample(), false, 3), " 0.10000000000000001 ", " +1.0E-001 ")).mesh.tets,
            sample().tets);
}

constexpr const char* kQuadratic =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n11\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n"
    "7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n11 5 5 5\n$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 4 3 5 6 7 8 9 10\n"
    "$EndElements\n";

TEST(TetFile, NotesWhatItLeavesOutOrRepairs) {
  const TetFile file = parse(kQuadratic);
  EXPECT_EQ(file.mesh.nodes.size(), 4U);
  ASSERT_EQ(file.mesh.tets.size(), 1U);
  EXPECT_GT(signed_volume(file.mesh, file.mesh.tets[0]), 0);
  EXPECT_EQ(file.notes,
            (std::vector<std::string>{"1 tetrahedra of higher order: their corners are taken",
                                      "1 tetrahedron inside out: turned", "7 nodes of no tetrahedron: dropped"}));
}

void expect_refused(const std::string& content, const std::string& element, const std::string& reason) {
  try {
    parse(content);
    FAIL() << "accepted: " << reason;
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), "mesh.txt");
    EXPECT_EQ(error.element(), element) << error.what();
    EXPECT_NE(error.reason().find(reason), std::string::npos) << error.what();
  }
}

TEST(TetFile, RefusesWithPlaceAndReason) {
  const std::string text = gmsh2_file(sample(), Encoding::Text);
  expect_refused("solid ball\n", "", "neither");
  expect_refused(replaced(kQuadratic, "2.2 0 8", "4.0 0 8"), "line 2", "other than 2.2 and 4.1");
  expect_refused(replaced(kQuadratic, "1 11 2 0", "1 5 2 0"), "line 20", "has a hexahedron");
  expect_refused(replaced(kQuadratic, "1 11 2 0", "1 99 2 0"), "line 20", "type 99");
  expect_refused(replaced(kQuadratic, "1 2 4 3 5", "1 2 77 3 5"), "line 20", "node 77, which is not there");
  expect_refused(replaced(kQuadratic, "2 1 0 0", "1 1 0 0"), "line 7", "node 1 twice");
  expect_refused(replaced(kQuadratic, "2 1 0 0", "2 x 0 0"), "line 7", "'x' is not a number");
  expect_refused(replaced(kQuadratic, "\n11\n", "\n2000000000\n"), "line 5", "cannot hold");
  expect_refused(replaced(kQuadratic, "\n11\n", "\n-1\n"), "line 5", "cannot hold");
  expect_refused(replaced(kQuadratic, "4 0 0 1", "4 0 0 0"), "tetrahedron 0", "degenerate");
  expect_refused(replaced(kQuadratic, "4 0 0 1", "4 0 0 nan"), "node 3", "not finite");
  const std::string vtk = vtk_file(sample(), false, 3);
  expect_refused(replaced(vtk, "UNSTRUCTURED_GRID", "POLYDATA"), "line 4", "not an unstructured grid");
  expect_refused(replaced(vtk, "CELLS 37 184", "CELLS 4000000000 184"), "line 37", "cannot hold");
  expect_refused(replaced(vtk, "POINTS 24 double", "POINTS 24 int"), "line 8", "neither float nor double");
  EXPECT_THROW(read_tet_file("there/is/no/such.msh"), InputError);
}

/// Every beginning of a file is refused, or is the whole mesh but for what comes after it.
TEST(TetFile, Truncated) {
  const TetMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1});
  for (const Format& format : all_formats(mesh)) {
    for (std::size_t size = 0; size < format.content.size(); ++size) {
      try {
        EXPECT_EQ(parse(format.content.substr(0, size)).mesh.tets.size(), mesh.tets.size())
            << format.name << ' ' << size;
      } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
  }
}

/// Damage ends in a mesh or an InputError of one line, never in another exception or a crash.
TEST(TetFile, Fuzz) {
  for (const Format& format : all_formats(sample())) {
    int loaded = 0, refused = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
      try {
        const TetFile file = parse(mutate(format.content, seed));
        for (const auto& tet : file.mesh.tets) ASSERT_GT(signed_volume(file.mesh, tet), 0);
        ++loaded;
      } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        ++refused;
      }
    }
    EXPECT_GT(loaded, 10) << format.name;
    EXPECT_GT(refused, 10) << format.name;
  }
}

}  // namespace
}  // namespace uzawa::test
