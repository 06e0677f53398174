#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "uzawa/sim/shared_model.hpp"

namespace uzawa::python {

/// Kinds of elements that have names.
enum class Element { Body, Joint, Geom, Site, Actuator, Tendon, Equality, Keyframe, Sensor };
inline constexpr std::array kElementNames = {"body",   "joint",    "geom",     "site",  "actuator",
                                             "tendon", "equality", "keyframe", "sensor"};

/// A model as Python has it: shared by worlds and batches, immutable, with its names in a table.
class ModelHandle {
 public:
  ModelHandle(Model model, std::vector<std::string> warnings);
  ModelHandle(std::shared_ptr<const SharedModel> shared, std::vector<std::string> warnings);

  const Model& model() const { return shared_->model(); }
  const ModelSpec& spec() const { return model().spec(); }
  const std::shared_ptr<const SharedModel>& shared() const { return shared_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  const std::vector<std::string>& names(Element kind) const { return names_[static_cast<std::size_t>(kind)]; }
  /// Throws InputError with the nearest name where there is none of that name.
  int find(Element kind, const std::string& name) const;

 private:
  void list_names();

  std::shared_ptr<const SharedModel> shared_;
  std::vector<std::string> warnings_;
  std::array<std::vector<std::string>, kElementNames.size()> names_;
  std::array<std::unordered_map<std::string, int>, kElementNames.size()> index_;
};

Element element_kind(const std::string& name);

}  // namespace uzawa::python
