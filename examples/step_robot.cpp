#include <cstdio>
#include <string>
#include <uzawa/uzawa.hpp>

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "models/quadruped_scene.xml";
  uzawa::World world(uzawa::load_model(file).model);
  const uzawa::Model& model = world.model();  // never changes; the world has the state
  world.set_state(model.keyframe_state(0));
  for (int i = 0; i < 500; ++i) {
    if (world.step(model.keyframe_control(0)).status == uzawa::StepStatus::Failed) return 1;
  }
  const std::vector<uzawa::GeomSpec>& geoms = model.spec().geoms;
  std::printf("%.2f s, residual %.0e\n", world.state().time, world.report().residual);
  for (const uzawa::Contact& contact : world.contacts()) {
    std::printf("%s touches %s at %.3f %.3f %.3f m, gap %.1e m\n", geoms[contact.geom1].name.c_str(),
                geoms[contact.geom2].name.c_str(), contact.position.x(), contact.position.y(), contact.position.z(),
                contact.gap);
  }
}
