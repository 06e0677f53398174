#include "uzawa/log/log_reader.hpp"

#include <string_view>

#include "uzawa/base/error.hpp"
#include "uzawa/log/hdf5_table.hpp"
#include "uzawa/log/log_fields.hpp"

namespace uzawa {

namespace fs = std::filesystem;

namespace {

/// Logs of earlier releases have none.
bool has_sensors(const Hdf5Reader& file) { return file.has("sensors"); }

/// Datasets that logs of earlier releases lack.
bool is_newer(std::string_view field) { return field == "sensors" || field.starts_with("mocap"); }

LogInfo read_info(const Hdf5Reader& file) {
  if (H5Aexists(file.id(), "format") <= 0 || read_string(file, "format") != kLogFormat) {
    file.fail("", "is no log of a run");
  }
  if (const int version = read_number<int>(file, "format_version"); version != kLogFormatVersion) {
    file.fail("format_version",
              "is " + std::to_string(version) + ", this program reads " + std::to_string(kLogFormatVersion));
  }
  LogInfo info;
  info.version = read_string(file, "uzawa_version");
  info.model = read_string(file, "model");
  info.source = read_string(file, "source");
  info.scene = read_string(file, "scene");
  info.parameters = read_string(file, "parameters");
  info.seed = read_number<std::uint64_t>(file, "seed");
  info.solver = read_string(file, "solver");
  info.dt = read_number<double>(file, "dt");
  info.theta = read_number<double>(file, "theta");
  info.tolerance = read_number<double>(file, "tolerance");
  info.restitution = read_number<double>(file, "restitution");
  info.threads = read_number<int>(file, "threads");
  info.every = read_number<int>(file, "every");
  info.interrupted = read_number<int>(file, "interrupted") != 0;
  info.bodies = read_names(file, "model/bodies");
  info.joints = read_names(file, "model/joints");
  info.geoms = read_names(file, "model/geoms");
  info.actuators = read_names(file, "model/actuators");
  info.tendons = read_names(file, "model/tendons");
  info.equalities = read_names(file, "model/equalities");
  info.joint_type = file.integers("model/joint_type");
  info.joint_q = file.integers("model/joint_q");
  info.joint_v = file.integers("model/joint_v");
  info.geom_body = file.integers("model/geom_body");
  if (has_sensors(file)) {
    info.sensors = read_names(file, "model/sensors");
    info.sensor_size = file.integers("model/sensor_size");
  }
  info.start.q = file.numbers("start/q");
  info.start.v = file.numbers("start/v");
  info.start.activation = file.numbers("start/activation");
  if (file.has("start/mocap")) {  // absent in logs of earlier releases
    info.start.mocap = file.numbers("start/mocap");
    info.start.mocap_v = file.numbers("start/mocap_velocity");
  }
  const std::vector<double> time = file.numbers("start/time");
  if (time.size() != 1) file.fail("start/time", "must be one number");
  info.start.time = time[0];
  return info;
}

std::vector<std::int64_t> read_offsets(const Hdf5Reader& file, const std::string& name, std::size_t frames) {
  const TableReader table(file, name, hdf5_type<std::int64_t>());
  if (table.rows() != frames + 1 || table.width() != 1)
    file.fail(name, "must have an entry more than there are frames");
  std::vector<std::int64_t> offsets;
  table.read(0, table.rows(), offsets);
  if (offsets[0] != 0) file.fail(name, "must begin with 0");
  for (std::size_t i = 0; i < frames; ++i) {
    if (offsets[i + 1] < offsets[i]) file.fail(name + "[" + std::to_string(i + 1) + "]", "is less than the one before");
  }
  return offsets;
}

}  // namespace

struct LogReader::Tables {
  explicit Tables(const fs::path& path) : file(path.string()) {}

  /// Opens the datasets and checks that they fit together.
  void open(const LogInfo& info) {
    frames = TableReader(file, "time", hdf5_type<double>()).rows();
    contact_offset = read_offsets(file, "contacts/offset", frames);
    row_offset = read_offsets(file, "rows/offset", frames);
    visit_fields(packed, [&]<typename T>(const LogField& field, std::vector<T>&) {
      if (is_newer(field.name) && !file.has(field.name)) {
        list.push_back(nullptr);
        return;
      }
      list.push_back(std::make_unique<TableReader>(file, field.name, hdf5_type<T>()));
      const TableReader& table = *list.back();
      const auto rows = field.group == LogGroup::Frame     ? static_cast<std::int64_t>(frames)
                        : field.group == LogGroup::Contact ? contact_offset.back()
                                                           : row_offset.back();
      if (static_cast<std::int64_t>(table.rows()) != rows) {
        file.fail(field.name, "has " + std::to_string(table.rows()) + " rows, should have " + std::to_string(rows));
      }
      const std::size_t width = field_width(field, info);
      if (table.width() != width) {
        file.fail(field.name,
                  "has rows of " + std::to_string(table.width()) + ", should have " + std::to_string(width));
      }
    });
  }

  void read(std::size_t frame, LogFrame& out) {
    const auto begin_and_count = [&](LogGroup group) -> std::pair<std::size_t, std::size_t> {
      if (group == LogGroup::Frame) return {frame, 1};
      const std::vector<std::int64_t>& offset = group == LogGroup::Contact ? contact_offset : row_offset;
      return {static_cast<std::size_t>(offset[frame]), static_cast<std::size_t>(offset[frame + 1] - offset[frame])};
    };
    auto table = list.begin();
    visit_fields(packed, [&](const LogField& field, auto& values) {
      const auto [begin, count] = begin_and_count(field.group);
      if (*table != nullptr) (*table)->read(begin, count, values);
      ++table;
    });
    unpack(packed, out);
  }

  Hdf5Reader file;
  std::size_t frames = 0;
  std::vector<std::int64_t> contact_offset, row_offset;
  std::vector<std::unique_ptr<TableReader>> list;  ///< in the order of visit_fields; null: not in the file
  PackedFrame packed;
};

LogReader::LogReader(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(path.string(), "", "no such file");
  if (!fs::is_regular_file(path, error)) throw InputError(path.string(), "", "is not a file");
  tables_ = std::make_unique<Tables>(path);
  info_ = read_info(tables_->file);
  tables_->open(info_);
  TableReader(tables_->file, "time", hdf5_type<double>()).read(0, tables_->frames, times_);
}

LogReader::~LogReader() = default;

void LogReader::read(std::size_t frame, LogFrame& out) {
  if (frame >= frames()) {
    throw InputError(tables_->file.path(), "frame " + std::to_string(frame), "the log has " + std::to_string(frames()));
  }
  tables_->read(frame, out);
}

}  // namespace uzawa
