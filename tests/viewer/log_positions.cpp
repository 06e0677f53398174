// Where a log says that the links are, for the tests of the page: log_positions LOG.h5 prints JSON, one entry a frame.
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "log_model.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/log/log_reader.hpp"

namespace {

nlohmann::json positions(const uzawa::Model& model, const uzawa::State& state, uzawa::DynamicsData& data) {
  uzawa::forward_kinematics(model, state.q, data);
  nlohmann::json out = nlohmann::json::array();
  for (const uzawa::Pose& pose : data.link_pose) {
    out.push_back({pose.position.x(), pose.position.y(), pose.position.z()});
  }
  return out;
}

int print_positions(const char* path) {
  uzawa::LogReader log(path);
  const uzawa::Model model = uzawa::cli::model_of_log(path, log.info());
  uzawa::DynamicsData data(model);
  nlohmann::json times = {log.info().start.time}, places = {positions(model, log.info().start, data)};
  uzawa::LogFrame frame;
  for (std::size_t i = 0; i < log.frames(); ++i) {
    log.read(i, frame);
    times.push_back(frame.state.time);
    places.push_back(positions(model, frame.state, data));
  }
  const std::string text = nlohmann::json({{"times", times}, {"positions", places}}).dump();
  std::puts(text.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 2 ? print_positions(argv[1]) : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
