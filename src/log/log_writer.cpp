#include "uzawa/log/log_writer.hpp"

#include "uzawa/base/error.hpp"
#include "uzawa/log/hdf5_table.hpp"
#include "uzawa/log/log_fields.hpp"

namespace uzawa {

namespace fs = std::filesystem;

namespace {

void write_attributes(Hdf5Writer& file, const LogInfo& info) {
  write_attribute(file, "format", std::string(kLogFormat));
  write_number(file, "format_version", kLogFormatVersion);
  write_attribute(file, "uzawa_version", info.version);
  write_attribute(file, "model", info.model);
  write_attribute(file, "source", info.source);
  write_attribute(file, "scene", info.scene);
  write_attribute(file, "parameters", info.parameters);
  write_number(file, "seed", info.seed);
  write_attribute(file, "solver", info.solver);
  write_number(file, "dt", info.dt);
  write_number(file, "theta", info.theta);
  write_number(file, "tolerance", info.tolerance);
  write_number(file, "restitution", info.restitution);
  write_number(file, "threads", info.threads);
  write_number(file, "every", info.every);
}

void write_model(Hdf5Writer& file, const LogInfo& info) {
  file.group("model");
  write_names(file, "model/bodies", info.bodies);
  write_names(file, "model/joints", info.joints);
  write_names(file, "model/geoms", info.geoms);
  write_names(file, "model/actuators", info.actuators);
  write_names(file, "model/tendons", info.tendons);
  write_names(file, "model/equalities", info.equalities);
  file.write("model/joint_type", info.joint_type);
  file.write("model/joint_q", info.joint_q);
  file.write("model/joint_v", info.joint_v);
  file.write("model/geom_body", info.geom_body);
  write_names(file, "model/sensors", info.sensors);
  file.write("model/sensor_size", info.sensor_size);
  file.group("start");
  file.write("start/q", info.start.q);
  file.write("start/v", info.start.v);
  file.write("start/activation", info.start.activation);
  file.write("start/mocap", info.start.mocap);
  file.write("start/mocap_velocity", info.start.mocap_v);
  file.write("start/time", std::vector<double>{info.start.time});
}

}  // namespace

struct LogWriter::Tables {
  Tables(const fs::path& path, const LogInfo& info) : file(path.string()) {
    write_attributes(file, info);
    write_model(file, info);
    file.group("contacts");
    file.group("rows");
    visit_fields(packed, [&]<typename T>(const LogField& field, std::vector<T>&) {
      list.push_back(
          std::make_unique<TableWriter>(file, field.name, hdf5_type<T>(), field_width(field, info), field.about));
    });
    const char* about = "frame i has the rows from entry i to entry i + 1";
    contact_offset = std::make_unique<TableWriter>(file, "contacts/offset", hdf5_type<std::int64_t>(), 1, about);
    row_offset = std::make_unique<TableWriter>(file, "rows/offset", hdf5_type<std::int64_t>(), 1, about);
    contact_offset->append(std::vector<std::int64_t>{0});
    row_offset->append(std::vector<std::int64_t>{0});
  }

  void write(const LogFrame& frame) {
    pack(frame, packed);
    auto table = list.begin();
    visit_fields(packed, [&](const LogField& field, const auto& values) {
      (*table)->append(values);
      if (field.group == LogGroup::Frame && values.empty()) (*table)->append_nothing();
      ++table;
    });
    contacts += static_cast<std::int64_t>(frame.contacts.size());
    rows += static_cast<std::int64_t>(frame.rows.size());
    contact_offset->append(std::vector<std::int64_t>{contacts});
    row_offset->append(std::vector<std::int64_t>{rows});
  }

  void close(bool interrupted) {
    write_number(file, "interrupted", interrupted ? 1 : 0);
    for (const auto& table : list) table->flush();
    contact_offset->flush();
    row_offset->flush();
    list.clear();
    contact_offset.reset();
    row_offset.reset();
    file.close();
  }

  Hdf5Writer file;
  std::vector<std::unique_ptr<TableWriter>> list;  ///< in the order of visit_fields
  std::unique_ptr<TableWriter> contact_offset, row_offset;
  std::int64_t contacts = 0, rows = 0;
  PackedFrame packed;
};

LogWriter::LogWriter(fs::path path, const LogInfo& info) : file_(std::move(path), "log") {
  try {
    tables_ = std::make_unique<Tables>(file_.draft(), info);
  } catch (const InputError& error) {
    file_.fail(error.reason());
  }
}

LogWriter::~LogWriter() = default;

void LogWriter::write(const LogFrame& frame) {
  try {
    tables_->write(frame);
  } catch (const InputError& error) {
    throw InputError(file_.path().string(), error.element(), "can't be written: disk full?");
  }
}

void LogWriter::close(bool interrupted) {
  const std::unique_ptr<Tables> tables = std::move(tables_);
  try {
    tables->close(interrupted);
  } catch (const InputError&) {
    file_.fail("can't be written: disk full?");
  }
  file_.commit();
}

}  // namespace uzawa
