#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

class Hdf5Reader;

/// Controls over time, from a file: each holds from its time until the next. Before the first the first one holds.
/// Mocap bodies go from the pose of a row to that of the next at constant velocity, and stand before the first and
/// after the last.
class ControlTrack {
 public:
  /// CSV: a first line with `time` and names of actuators in any order, then numbers, with commas between them; lines
  /// that start with # are skipped. Columns of a mocap body are NAME.x, .y, .z (m) and NAME.qw, .qx, .qy, .qz; what is
  /// not there stays as in the model. HDF5 (.h5, .hdf5): `time` (N, s), `control` (N x actuators) and, where the
  /// columns are not all actuators of the model in its order, their names in `model/actuators`; `mocap` (N x 7 a mocap
  /// body): what a log has. Throws InputError that names the line or dataset.
  ControlTrack(const std::filesystem::path& path, const Model& model);

  /// Writes the controls of the file's actuators; others stay.
  void apply(double time, std::span<double> control) const;
  /// Poses of the file's mocap bodies.
  struct Guided {
    int mocap = 0;
    Pose pose;
  };
  std::vector<Guided> mocap(double time) const;

  const std::vector<double>& times() const { return times_; }       ///< s, ascending
  const std::vector<int>& actuators() const { return actuators_; }  ///< one a column

 private:
  void read_csv(const std::filesystem::path& path, const Model& model);
  void read_hdf5(const std::filesystem::path& path, const Model& model);
  void check(const std::filesystem::path& path) const;

  std::vector<double> times_;
  /// Row by row, 7 numbers.
  struct Path {
    int mocap = 0;
    std::vector<double> values;
  };
  /// A column of the file: a number of a path; -1: of an actuator.
  struct Column {
    int path = -1, part = 0;
  };
  void read_columns(const std::vector<std::string>& names, const Model& model, const std::string& source,
                    const std::string& where);
  void read_paths(const Hdf5Reader& file, const Model& model);
  static void add_home(const Model& model, Path& path);

  std::vector<int> actuators_;
  std::vector<double> values_;  ///< row by row
  std::vector<Path> paths_;
  std::vector<Column> columns_;  ///< of a CSV file, `time` left out
};

}  // namespace uzawa
