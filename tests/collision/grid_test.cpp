#include <gtest/gtest.h>

#include "sdf_samples.hpp"
#include "support/cpu_time.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/distance/grid_sdf.hpp"
#include "uzawa/collision/distance/mesh_sdf_closed.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"

/// Distances to meshes, exact and sampled.
namespace uzawa::test {
namespace {

TEST(MeshSdf, OfABoxIsTheBoxs) {
  const Vec3 half{0.05, 0.02, 0.03};
  const MeshSdf mesh(closed_mesh(box_mesh(half), "box"));
  const BoxSdf box(half);
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 point = random.in(box.bounds().grown(0.02));
    EXPECT_NEAR(mesh.evaluate(point).distance, box.evaluate(point).distance, 1e-14);
  }
}

/// Near a reentrant edge and its ends the sign of the nearest triangle's normal alone would be wrong.
TEST(MeshSdf, OfAnAngleIsThatOfTwoBoxes) {
  const MeshSdf mesh(closed_mesh(angle_mesh(), "angle"));
  const auto inside = [](const Vec3& p) {
    const bool slab = std::abs(p.z()) < 0.02;
    return slab && p.x() > 0 && p.y() > 0 && ((p.x() < 0.1 && p.y() < 0.04) || (p.x() < 0.04 && p.y() < 0.1));
  };
  Random random(2);
  for (int i = 0; i < 50'000; ++i) {
    const Vec3 point = random.in({{-0.02, -0.02, -0.04}, {0.12, 0.12, 0.04}});
    EXPECT_EQ(mesh.evaluate(point).distance < 0, inside(point));
  }
}

struct Case {
  const char* name;
  Surface mesh;
  double sharp;  ///< error at edges, in cells; the bound is sqrt(3)/2
};
class Grid : public testing::TestWithParam<int> {
 protected:
  static Case make(int which) {
    switch (which) {
      case 0: return {"sphere", sphere_mesh(0.05, 30), 0.1};
      case 1: return {"box", box_mesh({0.05, 0.02, 0.03}), 0.5};
      default: return {"angle", angle_mesh(), 0.5};
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Meshes, Grid, testing::Range(0, 3));

TEST_P(Grid, ErrorIsWithinItsBound) {
  const Case test = make(GetParam());
  const MeshSdf mesh(closed_mesh(test.mesh, test.name));
  for (const double cell : {0.004, 0.001}) {
    const GridSdf grid(sample_on_grid(mesh, cell, 2));
    Random random(3);
    double in_band = 0;
    for (int i = 0; i < 100'000; ++i) {
      const Vec3 point = random.in(mesh.bounds().grown(0.01));
      const double exact = mesh.evaluate(point).distance, value = grid.evaluate(point).distance;
      if (std::abs(exact) < grid.grid().band) in_band = std::max(in_band, std::abs(value - exact));
      if (value > 0) {
        EXPECT_GT(exact, grid.lower_bound(value) - 1e-7) << test.name;
      }
      EXPECT_EQ(value < -grid.max_error(), exact < 0 && value < -grid.max_error());
    }
    EXPECT_LT(in_band, grid.max_error()) << test.name;
    EXPECT_LT(in_band, test.sharp * cell) << test.name;
    EXPECT_LT(grid.grid().measured_error, grid.max_error());
    EXPECT_GT(grid.grid().measured_error, 0.3 * in_band) << test.name;
  }
}

TEST_P(Grid, GradientIsThatOfTheValue) {
  const Case test = make(GetParam());
  const GridSdf grid(sample_on_grid(MeshSdf(closed_mesh(test.mesh, test.name)), 0.002, 1));
  Random random(4);
  int kinks = 0;
  constexpr int kPoints = 20'000;
  for (int i = 0; i < kPoints; ++i) {
    const Vec3 point = random.in(grid.bounds().grown(0.02));
    const SignedDistance::Sample sample = grid.evaluate(point);
    if (norm(numerical_gradient(grid, point, 1e-8) - sample.gradient) > 1e-4) ++kinks;
  }
  EXPECT_LT(kinks, kPoints / 1000);
}

TEST(GridSdf, SphereIsSecondOrder) {
  const MeshSdf mesh(closed_mesh(sphere_mesh(0.05, 60), "sphere"));
  const double coarse = sample_on_grid(mesh, 0.004, 1).measured_error,
               fine = sample_on_grid(mesh, 0.001, 1).measured_error;
  // cell^2 / (4 R), with R at the inner end of the band: 9.5e-5 and 5.2e-6; the mesh's facets add
  // some 3e-6.
  EXPECT_LT(coarse, 1e-4);
  EXPECT_LT(fine, 1e-5);
}

TEST(GridSdf, DoesNotDependOnThreads) {
  const MeshSdf mesh(closed_mesh(angle_mesh(), "angle"));
  const SampledGrid one = sample_on_grid(mesh, 0.003, 1), two = sample_on_grid(mesh, 0.003, 2);
  EXPECT_EQ(one.fine, two.fine);
  EXPECT_EQ(one.coarse, two.coarse);
  EXPECT_EQ(one.fine_block, two.fine_block);
}

// ---- meshes that are not as they should be ----

double volume_of_box() { return 8 * 0.05 * 0.02 * 0.03; }
Surface box() { return box_mesh({0.05, 0.02, 0.03}); }

TEST(ClosedMesh, TurnsWhatIsInsideOut) {
  Surface mesh = box();
  for (auto& face : mesh.faces) std::swap(face[0], face[1]);
  EXPECT_NEAR(signed_volume(closed_mesh(mesh, "box")), volume_of_box(), 1e-15);
}

TEST(ClosedMesh, TurnsSingleFaces) {
  Surface mesh = box();
  std::swap(mesh.faces[3][0], mesh.faces[3][1]);
  std::swap(mesh.faces[7][0], mesh.faces[7][1]);
  EXPECT_NEAR(signed_volume(closed_mesh(mesh, "box")), volume_of_box(), 1e-15);
}

TEST(ClosedMesh, ForgivesDoubledVerticesAndFaces) {
  Surface soup;  // every face with corners of its own, as in an STL file; one of them twice
  const Surface mesh = box();
  for (const auto& face : mesh.faces) {
    for (const int vertex : face) soup.vertices.push_back(mesh.vertices[static_cast<std::size_t>(vertex)]);
    const int n = static_cast<int>(soup.vertices.size());
    soup.faces.push_back({n - 3, n - 2, n - 1});
  }
  soup.faces.push_back(soup.faces[2]);
  soup.faces.push_back({0, 1, 1});
  const Surface closed = closed_mesh(soup, "box");
  EXPECT_EQ(closed.vertices.size(), 8U);
  EXPECT_EQ(closed.faces.size(), 12U);
}

TEST(ClosedMesh, KeepsCavities) {
  Surface mesh = box();
  Surface hole = box_mesh({0.02, 0.01, 0.01});
  for (auto& face : hole.faces) std::swap(face[0], face[1]);
  append(mesh, hole);
  const MeshSdf shape(closed_mesh(mesh, "hollow"));
  EXPECT_NEAR(shape.evaluate({0, 0, 0}).distance, 0.01, 1e-15);
  EXPECT_NEAR(shape.evaluate({0, 0.015, 0}).distance, -0.005, 1e-15);
}

TEST(ClosedMesh, RefusesWithAReason) {
  const auto reason = [](const Surface& mesh) -> std::string {
    try {
      closed_mesh(mesh, "thing");
    } catch (const InputError& error) {
      EXPECT_EQ(error.element(), "mesh 'thing'");
      return error.reason();
    }
    return "";
  };
  Surface open = box();
  open.faces.pop_back();
  EXPECT_NE(reason(open).find("open: 3 edges"), std::string::npos) << reason(open);
  Surface flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  flat.faces = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_NE(reason(flat).find("nothing"), std::string::npos) << reason(flat);
  flat.vertices.emplace_back(1, 1, 0);
  flat.faces = {{0, 1, 2}, {1, 3, 2}, {0, 3, 1}, {0, 2, 3}};  // a tetrahedron without height
  EXPECT_NE(reason(flat).find("volume"), std::string::npos) << reason(flat);
  Surface bad = box();
  bad.vertices[2].set(0, NAN);
  EXPECT_NE(reason(bad).find("finite"), std::string::npos) << reason(bad);
  EXPECT_NE(reason(Surface{}).find("no faces"), std::string::npos);
}

TEST(GridSdf, RefusesCellsThatDoNotFit) {
  const MeshSdf mesh(closed_mesh(box(), "box"));
  EXPECT_THROW(sample_on_grid(mesh, 0, 1), InputError);
  EXPECT_THROW(sample_on_grid(mesh, NAN, 1), InputError);
  EXPECT_THROW(sample_on_grid(mesh, 1e-7, 1), InputError);
}

TEST(GridSdf, AMillionTrianglesTakeSeconds) {
  const Surface mesh = sphere_mesh(0.05, 224);
  ASSERT_GT(mesh.faces.size(), 1'000'000U);
  const double begin = cpu_seconds();
  const GridSdf grid(sample_on_grid(MeshSdf(closed_mesh(mesh, "sphere")), default_cell(mesh), 2));
  const double seconds = cpu_seconds() - begin;
  std::printf("a million triangles: %.1f s\n", seconds);
  EXPECT_LT(seconds, 120);  // 10 s or less on an idle machine; sanitizers take ten times that
  EXPECT_NEAR(grid.evaluate({0.051, 0, 0}).distance, 0.001, 2e-5);
}

}  // namespace
}  // namespace uzawa::test
