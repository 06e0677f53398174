/// Legacy VTK files of unstructured grids, with cells in one list (before version 5) or as offsets and connectivity.
/// https://docs.vtk.org, "VTK legacy file format".
#include <algorithm>
#include <bit>
#include <climits>
#include <map>

#include "uzawa/base/at.hpp"
#include "uzawa/io/tet_formats.hpp"

namespace uzawa {

namespace {

const std::map<std::string_view, std::size_t> kTypeBytes = {
    {"unsigned_char", 1}, {"char", 1},          {"unsigned_short", 2}, {"short", 2},        {"unsigned_int", 4},
    {"int", 4},           {"unsigned_long", 8}, {"long", 8},           {"vtktypeint64", 8}, {"vtktypeuint64", 8},
    {"vtkIdType", 4},     {"float", 4},         {"double", 8}};

enum class CellKind { Other, Tet, TetOfHigherOrder };

class VtkReader {
 public:
  explicit VtkReader(MeshCursor& cursor) : cursor_(cursor) {
    cursor.swapped = std::endian::native == std::endian::little;
  }

  RawTets read() {
    read_head();
    while (!cursor_.at_end()) {
      const std::string_view section = cursor_.word();
      if (section == "POINT_DATA" || section == "CELL_DATA") break;
      if (section == "POINTS") {
        read_points();
      } else if (section == "CELLS") {
        read_cells();
      } else if (section == "CELL_TYPES") {
        read_types();
      } else if (section == "FIELD") {
        skip_field();
      } else if (section == "METADATA") {
        skip_metadata();
      } else {
        cursor_.fail("has an unknown section");
      }
    }
    collect();
    return std::move(raw_);
  }

 private:
  void read_head() {
    cursor_.require(cursor_.line().starts_with("# vtk DataFile"), "is not a legacy VTK file");
    cursor_.line();  // title
    const std::string_view format = cursor_.word();
    cursor_.require(format == "ASCII" || format == "BINARY", "is neither ASCII nor BINARY");
    binary_ = format == "BINARY";
    cursor_.require(cursor_.word() == "DATASET", "has no DATASET");
    cursor_.require(cursor_.word() == "UNSTRUCTURED_GRID", "is not an unstructured grid, so it has no tetrahedra");
  }

  /// Calls function() for what may be binary, and comes back to text.
  template <typename Function>
  void data(Function&& function) {
    cursor_.line();
    cursor_.binary = binary_;
    function();
    cursor_.binary = false;
  }
  std::size_t least_bytes(std::size_t values, std::size_t bytes) const { return binary_ ? values * bytes : values; }

  void read_points() {
    const std::int64_t number = cursor_.integer();
    const std::string_view type = cursor_.word();
    cursor_.require(type == "float" || type == "double", "has points that are neither float nor double");
    const bool narrow = type == "float";
    const std::size_t count = cursor_.count(number, least_bytes(3, narrow ? 4 : 8), "points");
    cursor_.require(count < INT_MAX && raw_.mesh.nodes.empty(), "has too many points");
    raw_.mesh.nodes.reserve(count);
    data([&] {
      const auto coordinate = [&] {
        return binary_ && narrow ? static_cast<double>(cursor_.value<float>()) : cursor_.coordinate();
      };
      for (std::size_t i = 0; i < count; ++i) {
        const double x = coordinate(), y = coordinate(), z = coordinate();
        raw_.mesh.nodes.push_back({x, y, z});
      }
    });
  }

  void read_cells() {
    cursor_.require(starts_.empty(), "has CELLS twice");
    const std::int64_t first = cursor_.integer(), second = cursor_.integer();
    const MeshCursor before = cursor_;
    cursor_.line();
    const bool offsets = cursor_.peek_word() == "OFFSETS";
    cursor_ = before;
    if (offsets) {
      cursor_.line();
      read_list("OFFSETS", first, starts_);
      read_list("CONNECTIVITY", second, nodes_);
    } else {
      read_cell_list(first, second);
    }
    check_starts();
  }

  /// A name, a type, and numbers: the layout of version 5.
  void read_list(std::string_view name, std::int64_t number, std::vector<std::int64_t>& list) {
    cursor_.require(cursor_.word() == name, "has no OFFSETS and CONNECTIVITY where they should be");
    const std::string_view type = cursor_.word();
    const bool wide = type == "vtktypeint64" || type == "vtktypeuint64" || type == "long";
    cursor_.require(wide || type == "int" || type == "vtktypeint32", "has cells whose numbers are no integers");
    const std::size_t count = cursor_.count(number, least_bytes(1, wide ? 8 : 4), "numbers of cells");
    list.reserve(count);
    data([&] {
      for (std::size_t i = 0; i < count; ++i) {
        list.push_back(wide ? cursor_.integer_as<std::int64_t>() : cursor_.integer_as<std::int32_t>());
      }
    });
  }

  /// A number of nodes and the nodes, cell by cell: the layout before version 5.
  void read_cell_list(std::int64_t cells, std::int64_t numbers) {
    const std::size_t count = cursor_.count(cells, least_bytes(1, 4), "cells");
    const std::size_t total = cursor_.count(numbers, least_bytes(1, 4), "numbers of cells");
    cursor_.require(total >= count, "has fewer numbers than cells");
    starts_.reserve(count + 1);
    nodes_.reserve(total - count);
    data([&] {
      for (std::size_t i = 0; i < count; ++i) {
        starts_.push_back(static_cast<std::int64_t>(nodes_.size()));
        const std::int64_t corners = cursor_.integer_as<std::int32_t>();
        const std::int64_t left = static_cast<std::int64_t>(total - i - 1 - nodes_.size());
        cursor_.require(corners >= 0 && corners <= left, "has a cell of more nodes than the list holds");
        for (std::int64_t k = 0; k < corners; ++k) nodes_.push_back(cursor_.integer_as<std::int32_t>());
      }
      starts_.push_back(static_cast<std::int64_t>(nodes_.size()));
    });
  }

  void check_starts() const {
    cursor_.require(!starts_.empty() && starts_.front() == 0, "has cells whose offsets do not start at 0");
    for (std::size_t i = 1; i < starts_.size(); ++i) {
      cursor_.require(starts_[i] >= starts_[i - 1], "has cells whose offsets fall");
    }
    cursor_.require(starts_.back() <= static_cast<std::int64_t>(nodes_.size()),
                    "has a cell of nodes that are not there");
  }

  void read_types() {
    const std::size_t count = cursor_.count(cursor_.integer(), least_bytes(1, 4), "cell types");
    types_.reserve(count);
    data([&] {
      for (std::size_t i = 0; i < count; ++i) types_.push_back(cursor_.integer_as<std::int32_t>());
    });
  }

  void skip_field() {
    cursor_.word();  // its name
    const std::size_t arrays = cursor_.count(cursor_.integer(), 8, "arrays");
    for (std::size_t i = 0; i < arrays; ++i) {
      if (cursor_.peek_word() == "METADATA") skip_metadata();
      cursor_.word();  // its name
      const std::size_t width = cursor_.count(cursor_.integer(), 1, "components");
      const std::int64_t rows = cursor_.integer();
      const auto type = kTypeBytes.find(cursor_.word());
      cursor_.require(type != kTypeBytes.end(), "has a field of an unknown type");
      const std::size_t row_bytes = std::max(least_bytes(width, type->second), std::size_t{1});
      const std::size_t values = width * cursor_.count(rows, row_bytes, "rows of a field");
      data([&] {
        if (binary_) return cursor_.skip(values * type->second);
        for (std::size_t k = 0; k < values; ++k) cursor_.word();
      });
    }
  }
  /// Lines until an empty one.
  void skip_metadata() {
    cursor_.line();
    while (cursor_.remaining() > 0 && !cursor_.line().empty()) continue;
  }

  CellKind kind_of(std::int64_t type) const {
    if (type == 10) return CellKind::Tet;
    if (type == 24 || type == 71 || type == 78) return CellKind::TetOfHigherOrder;  // quadratic, Lagrange, Bezier
    static const std::map<std::int64_t, const char*> kSolids = {
        {11, "voxel"},      {12, "hexahedron"}, {13, "wedge"},   {14, "pyramid"},
        {25, "hexahedron"}, {26, "wedge"},      {27, "pyramid"}, {29, "hexahedron"},
        {42, "polyhedron"}, {72, "hexahedron"}, {73, "wedge"},   {74, "pyramid"}};
    const auto solid = kSolids.find(type);
    if (solid != kSolids.end()) cursor_.fail(std::string("has a ") + solid->second + "; only tetrahedra are supported");
    const bool flat = (type >= 0 && type <= 9) || (type >= 21 && type <= 23) || type == 28 || type == 30 ||
                      (type >= 34 && type <= 36) || (type >= 68 && type <= 70);
    if (!flat) cursor_.fail("has cells of type " + std::to_string(type) + ", which is unknown");
    return CellKind::Other;
  }

  /// Cells that are left out still have the nodes that their type says: else the types are those of other cells.
  void check_flat_cell(std::size_t index, std::int64_t size) const {
    static const std::map<std::int64_t, std::int64_t> kSizes = {{1, 1}, {3, 2}, {5, 3}, {8, 4}, {9, 4}};
    const auto expected = kSizes.find(types_[index]);
    if (expected == kSizes.end() || expected->second == size) return;
    cursor_.fail("cell " + std::to_string(index) + " of type " + std::to_string(types_[index]) + " has " +
                 std::to_string(size) + " nodes");
  }

  void collect() {
    cursor_.require(!starts_.empty() && types_.size() + 1 == starts_.size(), "has not as many cell types as cells");
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const CellKind kind = kind_of(types_[i]);
      const std::int64_t size = starts_[i + 1] - starts_[i];
      check_flat_cell(i, size);
      if (kind == CellKind::Other) continue;
      const std::string name = "cell " + std::to_string(i);
      const bool higher = kind == CellKind::TetOfHigherOrder;
      if (higher ? size < 4 : size != 4) cursor_.fail(name + " is a tetrahedron of " + std::to_string(size) + " nodes");
      std::array<int, 4> tet{};
      for (std::size_t k = 0; k < 4; ++k) {
        const std::int64_t node = nodes_[static_cast<std::size_t>(starts_[i]) + k];
        if (node < 0 || node >= static_cast<std::int64_t>(raw_.mesh.nodes.size())) {
          cursor_.fail(name + " has node " + std::to_string(node) + ", which is not there");
        }
        tet[k] = static_cast<int>(node);
      }
      raw_.mesh.tets.push_back(tet);
      raw_.higher_order += higher ? 1 : 0;
    }
  }

  MeshCursor& cursor_;
  bool binary_ = false;
  std::vector<std::int64_t> starts_, nodes_;  ///< cell i has nodes_[starts_[i]] to nodes_[starts_[i + 1] - 1]
  std::vector<std::int64_t> types_;
  RawTets raw_;
};

}  // namespace

RawTets read_vtk(MeshCursor& cursor) { return VtkReader(cursor).read(); }

}  // namespace uzawa
