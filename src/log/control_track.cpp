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

constexpr const char* kParts[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

/// Index of the mocap body with that name; -1: there is none.
int find_mocap(const Model& model, const std::string& name) {
  const std::span<const int> bodies = model.mocap_bodies();
  const auto it = std::find_if(bodies.begin(), bodies.end(),
                               [&](int b) { return model.spec().bodies[static_cast<std::size_t>(b)].name == name; });
  return it == bodies.end() ? -1 : static_cast<int>(it - bodies.begin());
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
      read_columns(cells, model, source, where);
      continue;
    }
    if (cells.size() != header.size()) {
      throw InputError(
          source, where,
          "has " + std::to_string(cells.size()) + " columns, the first line " + std::to_string(header.size()));
    }
    for (Path& guided : paths_) add_home(model, guided);
    std::size_t next = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const double value = number(cells[c], source, where + ", column '" + header[c] + "'");
      if (c == time_column) {
        times_.push_back(value);
      } else if (const Column& column = columns_[next++]; column.path < 0) {
        values_.push_back(value);
      } else {
        std::vector<double>& values = paths_[static_cast<std::size_t>(column.path)].values;
        values[values.size() - 7 + static_cast<std::size_t>(column.part)] = value;
      }
    }
  }
  if (header.empty()) throw InputError(source, "", "has no line of column names");
}

void ControlTrack::add_home(const Model& model, Path& path) {
  const Pose home = model.mocap_home(path.mocap);
  path.values.resize(path.values.size() + 7);
  double* row = path.values.data() + path.values.size() - 7;
  home.position.store(row);
  to_quaternion(home.rotation).store(row + 3);
}

/// NAME.x and so on of a mocap body; else an actuator.
void ControlTrack::read_columns(const std::vector<std::string>& names, const Model& model, const std::string& source,
                                const std::string& where) {
  std::vector<std::string> actuators;
  std::set<std::pair<int, int>> seen;
  for (const std::string& name : names) {
    const std::size_t dot = name.rfind('.');
    const auto part = dot == std::string::npos ? std::end(kParts)
                                               : std::find(std::begin(kParts), std::end(kParts), name.substr(dot + 1));
    const int mocap = part == std::end(kParts) ? -1 : find_mocap(model, name.substr(0, dot));
    Column column;
    if (mocap < 0) {
      actuators.push_back(name);
    } else {
      const auto known = std::find_if(paths_.begin(), paths_.end(), [&](const Path& p) { return p.mocap == mocap; });
      column = {static_cast<int>(known - paths_.begin()), static_cast<int>(part - std::begin(kParts))};
      if (known == paths_.end()) paths_.push_back({mocap, {}});
      if (!seen.insert({mocap, column.part}).second) {
        throw InputError(source, where, "'" + name + "' has two columns");
      }
    }
    columns_.push_back(column);
  }
  actuators_ = find_actuators(actuators, model, source, where);
  for (const Path& path : paths_) {
    int turns = 0;
    for (int part = 3; part < 7; ++part) turns += seen.contains({path.mocap, part}) ? 1 : 0;
    if (turns == 0 || turns == 4) continue;
    throw InputError(source, where, "a mocap body has some of .qw, .qx, .qy, .qz, but a quaternion has four numbers");
  }
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
  if (!model.mocap_bodies().empty() && file.has("mocap")) read_paths(file, model);
}

void ControlTrack::read_paths(const Hdf5Reader& file, const Model& model) {
  const TableReader table(file, "mocap", hdf5_type<double>());
  const std::size_t count = model.mocap_bodies().size();
  if (table.rows() != times_.size() || table.width() != 7 * count) {
    file.fail("mocap", "is " + std::to_string(table.rows()) + " x " + std::to_string(table.width()) + ", should be " +
                           std::to_string(times_.size()) + " x " + std::to_string(7 * count));
  }
  std::vector<double> all;
  table.read(0, table.rows(), all);
  for (std::size_t m = 0; m < count; ++m) {
    Path& path = paths_.emplace_back();
    path.mocap = static_cast<int>(m);
    for (std::size_t row = 0; row < times_.size(); ++row) {
      const double* from = &all[7 * (row * count + m)];
      path.values.insert(path.values.end(), from, from + 7);
    }
  }
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
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  if (!finite(values_)) throw InputError(path.string(), "control", "holds a number that is not finite");
  for (const Path& p : paths_) {
    if (!finite(p.values)) throw InputError(path.string(), "mocap", "holds a number that is not finite");
    for (std::size_t row = 0; row < times_.size(); ++row) {
      const double* turn = &p.values[7 * row + 3];
      if (std::inner_product(turn, turn + 4, turn, 0.0) > 1e-12) continue;
      throw InputError(path.string(), "row " + std::to_string(row + 1), "has a quaternion of length zero");
    }
  }
}

std::vector<ControlTrack::Guided> ControlTrack::mocap(double time) const {
  const auto after = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  const std::size_t to = std::min(after, times_.size() - 1), from = after == 0 ? 0 : after - 1;
  const double share = to > from ? (time - times_[from]) / (times_[to] - times_[from]) : 0;
  std::vector<Guided> guided;
  for (const Path& path : paths_) {
    const auto pose = [&](std::size_t row) {
      return Pose::from(Vec3::from(&path.values[7 * row]), normalized(Quat::from(&path.values[7 * row + 3])));
    };
    const Pose start = pose(from), end = pose(to);
    const Vec3 turn = log_rotation(to_quaternion(end.rotation * transpose(start.rotation)));
    guided.push_back({path.mocap,
                      {to_matrix(exp_rotation(turn * share)) * start.rotation,
                       start.position + (end.position - start.position) * share}});
  }
  return guided;
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
