#pragma once

#include "uzawa/papers/bench.hpp"

/// One function a table or figure, each in the file of its name. A new one is declared here and listed in bench.cpp.
namespace uzawa::papers {

Bench al_budget();
Bench al_fig11();
Bench al_fig14();
Bench al_fig7();
Bench al_fig9();
Bench al_table2();
Bench al_table3();
Bench cond_fig11();
Bench cond_fig13();
Bench cond_fig14();
Bench cond_table1();
Bench cond_table2();
Bench cond_table3();
Bench cond_table4();
Bench cond_table5();
Bench cond_table6();
Bench cond_table7();
Bench cond_table8();
Bench cond_table9();
Bench joint_fig2();
Bench joint_fig3();
Bench joint_fig4();
Bench lcp_table1();
Bench lcp_table2();
Bench lcp_table3();
Bench scenes();
Bench sub_fig2();
Bench sub_table1();

}  // namespace uzawa::papers
