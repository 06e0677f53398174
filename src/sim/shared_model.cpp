#include "uzawa/sim/shared_model.hpp"

#include <utility>

namespace uzawa {

SharedModel::SharedModel(Model model)
    : model_(std::move(model)),
      shapes_(std::make_shared<const ShapeSet>(model_)),
      plan_(std::make_shared<const AssemblyPlan>(model_)) {}

SharedModel::SharedModel(Model model, const SharedModel& like)
    : model_(std::move(model)), shapes_(like.shapes_), plan_(std::make_shared<const AssemblyPlan>(model_)) {}

std::shared_ptr<const SharedModel> share(Model model) { return std::make_shared<const SharedModel>(std::move(model)); }

}  // namespace uzawa
