#include "model_pair.hpp"

#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace uzawa::bench {

ModelPair load_pair(const std::filesystem::path& path) {
  char error[500] = "";
  std::unique_ptr<mjModel, void (*)(mjModel*)> theirs(mj_loadXML(path.c_str(), nullptr, error, sizeof error),
                                                      mj_deleteModel);
  if (!theirs) throw std::runtime_error(error);
  std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(theirs.get()), mj_deleteData);
  return {std::move(theirs), std::move(data), load_model(path)};
}

ModelPair load_pair_from_text(const std::string& xml) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("uzawa-benchmark-" + std::to_string(getpid()) + ".xml");
  std::ofstream(path) << xml;
  ModelPair pair = load_pair(path);
  std::filesystem::remove(path);
  return pair;
}

}  // namespace uzawa::bench
