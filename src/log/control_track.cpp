#include "uzawa/log/control_track.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <set>
#include <string>

#include "uzawa/base/error.hpp"
#include "uzawa/log/hdf5_table.hpp"

namespace uzawa {

namespace fs = std::filesystem;

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\""), last = text.find_last_not_of(" \t\r\"");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back(trimmed(line.substr(start, comma - start)));
    start = comma + 1;
  }
  return cells;
}

double number(const std::string& cell, const std::string& source, const std::string& where) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (cell.empty() || *end != '\0' || !std::isfinite(value)) {
    throw InputError(source, where, "'" + cell + "' is not a finite number");
  }
  return value;
}

/// The actuators of the columns, each once.
std::vector<int> find_actuators(const std::vector<std::string>& names, const Model& model, const std::string& source,
                                const std::string& where) {
  std::vector<int> found;
  const std::vector<ActuatorSpec>& all = model.spec().actuators;
  for (const std::string& name : names) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const ActuatorSpec& a) { return a.name == name; });
    if (name.empty() || it == all.end()) throw InputError(source, where, "the model has no actuator '" + name + "'");
    found.push_back(static_cast<int>(it - all.begin()));
  }
  if (std::set<int>(found.begin(), found.end()).size() != found.size()) {
    throw InputError(source, where, "an actuator has two columns");
  }
  return found;
}

}  // namespace

ControlTrack::ControlTrack(const fs::path& path, const Model& model) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw InputError(path.string(), "", "no such file of controls");
  const std::string ending = path.extension().string();
  if (ending == ".h5" || ending == ".hdf5") {
    read_hdf5(path, model);
  } else {
    read_csv(path, model);
  }
  check(path);
}

void ControlTrack::read_csv(const fs::path& path, const Model& model) {
  const std::string source = path.string();
  std::ifstream in(path);
  if (!in) throw InputError(source, "", "cannot be opened");
  std::vector<std::string> header;
  std::size_t time_column = 0;
  int count = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string where = "line " + std::to_string(++count);
    if (trimmed(line).empty() || trimmed(line)[0] == '#') continue;
    std::vector<std::string> cells = split(line);
    if (header.empty()) {
      header = cells;
      const auto time = std::find(header.begin(), header.end(), "time");
      if (time == header.end()) throw InputError(source, where, "names the columns, and none of them is 'time'");
      time_column = static_cast<std::size_t>(time - header.begin());
      cells.erase(cells.begin() + (time - header.begin()));
      actuators_ = find_actuators(cells, model, source, where);
      continue;
    }
    if (cells.size() != header.size()) {
      throw InputError(
          source, where,
          "has " + std::to_string(cells.size()) + " columns, the first line " + std::to_string(header.size()));
    }
    for (std::size_t c = 0; c < cells.size(); ++c) {
      (c == time_column ? times_ : values_).push_back(number(cells[c], source, where + ", column '" + header[c] + "'"));
    }
  }
  if (header.empty()) throw InputError(source, "", "has no line of column names");
}

void ControlTrack::read_hdf5(const fs::path& path, const Model& model) {
  const Hdf5Reader file(path.string());
  times_ = file.numbers("time");
  const TableReader table(file, "control", hdf5_type<double>());
  if (file.has("model/actuators")) {
    actuators_ = find_actuators(read_names(file, "model/actuators"), model, path.string(), "model/actuators");
  } else {
    actuators_.resize(static_cast<std::size_t>(model.nu()));
    std::iota(actuators_.begin(), actuators_.end(), 0);
  }
  if (table.rows() != times_.size() || table.width() != actuators_.size()) {
    file.fail("control", "is " + std::to_string(table.rows()) + " x " + std::to_string(table.width()) + ", should be " +
                             std::to_string(times_.size()) + " x " + std::to_string(actuators_.size()));
  }
  table.read(0, table.rows(), values_);
}

void ControlTrack::check(const fs::path& path) const {
  if (times_.empty()) throw InputError(path.string(), "", "has no row of controls");
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const std::string where = "row " + std::to_string(i + 1);
    if (!std::isfinite(times_[i])) throw InputError(path.string(), where, "its time is not a finite number");
    if (i > 0 && times_[i] <= times_[i - 1]) {
      throw InputError(path.string(), where, "its time is not after that of the row before");
    }
  }
  if (!std::all_of(values_.begin(), values_.end(), [](double x) { return std::isfinite(x); })) {
    throw InputError(path.string(), "control", "holds a number that is not finite");
  }
}

void ControlTrack::apply(double time, std::span<double> control) const {
  // A step that starts at a row's time but for rounding has its controls.
  const double late = time + 1e-9 * std::max(1.0, std::abs(time));
  const auto after = std::upper_bound(times_.begin(), times_.end(), late);
  const auto row = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - times_.begin() - 1));
  for (std::size_t c = 0; c < actuators_.size(); ++c) {
    control[static_cast<std::size_t>(actuators_[c])] = values_[row * actuators_.size() + c];
  }
}

}  // namespace uzawa
