#include "model_handle.hpp"

#include <algorithm>

#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"

namespace uzawa::python {

namespace {

struct Named {
  std::string_view name;
};

template <typename List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& element : list) names.push_back(element.name);
  return names;
}

}  // namespace

Element element_kind(const std::string& name) {
  for (std::size_t i = 0; i < kElementNames.size(); ++i) {
    if (name == kElementNames[i]) return static_cast<Element>(i);
  }
  throw InputError("", "kind of element", "there is no '" + name + "'");
}

ModelHandle::ModelHandle(Model model, std::vector<std::string> warnings)
    : ModelHandle(share(std::move(model)), std::move(warnings)) {}

ModelHandle::ModelHandle(std::shared_ptr<const SharedModel> shared, std::vector<std::string> warnings)
    : shared_(std::move(shared)), warnings_(std::move(warnings)) {
  list_names();
}

void ModelHandle::list_names() {
  const ModelSpec& s = spec();
  names_ = {names_of(s.bodies),     names_of(s.joints),    names_of(s.geoms),
            names_of(s.sites),      names_of(s.actuators), names_of(s.tendons),
            names_of(s.equalities), names_of(s.keyframes), names_of(s.sensors)};
  for (std::size_t kind = 0; kind < names_.size(); ++kind) {
    for (std::size_t i = 0; i < names_[kind].size(); ++i) {
      if (!names_[kind][i].empty()) index_[kind].emplace(names_[kind][i], static_cast<int>(i));
    }
  }
}

int ModelHandle::find(Element kind, const std::string& name) const {
  const auto& index = index_[static_cast<std::size_t>(kind)];
  if (const auto found = index.find(name); found != index.end()) return found->second;
  const char* word = kElementNames[static_cast<std::size_t>(kind)];
  std::vector<Named> known;
  for (const std::string& other : names(kind)) {
    if (!other.empty()) known.push_back({other});
  }
  throw InputError(spec().source, std::string(word) + " '" + name + "'",
                   known.empty() ? std::string("the model has none with a name")
                                 : "not in the model; the nearest is '" + std::string(nearest_name(known, name)) + "'");
}

}  // namespace uzawa::python
