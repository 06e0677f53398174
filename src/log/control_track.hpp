#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// Controls over time, from a file: each holds from its time until the next. Before the first the first one holds.
class ControlTrack {
 public:
  /// CSV: a first line with `time` and names of actuators in any order, then numbers, with commas between them; lines
  /// that start with # are skipped. HDF5 (.h5, .hdf5): `time` (N, s), `control` (N x actuators) and, where the columns
  /// are not all actuators of the model in its order, their names in `model/actuators`: what a log has. Throws
  /// InputError that names the line or dataset.
  ControlTrack(const std::filesystem::path& path, const Model& model);

  /// Writes the controls of the file's actuators; others stay.
  void apply(double time, std::span<double> control) const;

  const std::vector<double>& times() const { return times_; }       ///< s, ascending
  const std::vector<int>& actuators() const { return actuators_; }  ///< one a column

 private:
  void read_csv(const std::filesystem::path& path, const Model& model);
  void read_hdf5(const std::filesystem::path& path, const Model& model);
  void check(const std::filesystem::path& path) const;

  std::vector<double> times_;
  std::vector<int> actuators_;
  std::vector<double> values_;  ///< row by row
};

}  // namespace uzawa
