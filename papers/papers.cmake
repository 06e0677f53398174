# The papers' tables and figures: a room above the scenes.
uzawa_add_room(papers
  SOURCES al_budget.cpp al_fig11.cpp al_fig14.cpp al_fig7.cpp al_fig9.cpp al_table2.cpp al_table3.cpp bench.cpp cases.cpp contender.cpp
          dish_cases.cpp handle_sweep.cpp joint_fig2.cpp joint_fig3.cpp joint_fig4.cpp legend.cpp published_loop.cpp report.cpp scene_figures.cpp
          scene_study.cpp scenes.cpp single_step.cpp system_solve.cpp
  DEPENDS scenarios plot
  LIBRARIES Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)
