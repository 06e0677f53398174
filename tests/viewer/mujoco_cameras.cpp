/// Where MuJoCo has the cameras of a model: mujoco_cameras MODEL Q... prints, as JSON, position and viewing direction
/// by name.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  char error[500] = "";
  mjModel* m = argc > 1 ? mj_loadXML(argv[1], nullptr, error, sizeof error) : nullptr;
  if (m == nullptr || argc != 2 + m->nq) {
    std::fprintf(stderr, "mujoco_cameras MODEL Q...: %s\n", error);
    return 2;
  }
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; ++i) d->qpos[i] = std::atof(argv[2 + i]);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);
  nlohmann::json out = nlohmann::json::object();
  for (int c = 0; c < m->ncam; ++c) {
    const mjtNum *at = d->cam_xpos + 3 * c, *turn = d->cam_xmat + 9 * c;
    out[mj_id2name(m, mjOBJ_CAMERA, c)] = {
        {"position", {at[0], at[1], at[2]}}, {"ahead", {-turn[2], -turn[5], -turn[8]}}, {"fovy", m->cam_fovy[c]}};
  }
  std::printf("%s\n", out.dump().c_str());
  mj_deleteData(d);
  mj_deleteModel(m);
}
