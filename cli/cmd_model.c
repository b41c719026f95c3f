#include "cli/frame/cmd.h"

#include "cli/compose/compose_options.h"
#include "cli/graph/graph_options.h"
#include "cli/model/cmd_model_project.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"
#include "cli/model/model_options.h"

static const struct option_spec *const model_options[] = {&opt_problem,
							  &opt_machine,
							  &opt_app,
							  &opt_set,
							  &opt_wg,
							  &opt_wg_fixup,
							  &opt_wg_pre,
							  &opt_allow_run,
							  &opt_nonwavefront,
							  &opt_w_before,
							  &opt_w_after,
							  &opt_tile,
							  &opt_model_from,
							  &opt_store,
							  &opt_smpi_program,
							  &opt_smpi_args,
							  &opt_smpi_cpu_scale,
							  &opt_smpi_keep,
							  &opt_model_max_procs,
							  &opt_project_procs,
							  &opt_project_per_proc,
							  &opt_project_efficiency,
							  &opt_formula_sizes,
							  &opt_units,
							  &opt_latency_factors,
							  &opt_latency_model_only,
							  &opt_held_out,
							  &opt_model_plot,
							  &opt_ideal_share,
							  &opt_message_bytes,
							  &opt_ranking_first,
							  &opt_network,
							  &opt_cpu,
							  &opt_choose,
							  &opt_paradigm,
							  &opt_components,
							  &opt_graph_processors,
							  &opt_graph_schedule,
							  &opt_graph_contention,
							  &opt_graph_octants,
							  &opt_graph_static,
							  &opt_graph_write,
							  &opt_graph_dot,
							  &opt_format,
							  NULL};

static const struct action model_actions[] = {
	{"list", "", "the models, with their sources (the default)", 0, 0, NEEDS_NOTHING,
	 model_list_run},
	{"run", "NAME", "the time of one configuration and where it goes", 1, 1, NEEDS_NOTHING,
	 model_run_run},
	{"project", "NAME", "time and speed-up on 1, 2, 4, ... processors", 1, 1, NEEDS_NOTHING,
	 model_project_run},
	{"compare", "", "every wavefront model beside the runs of a machine", 0, 0, NEEDS_KB_READ,
	 model_compare_run},
	{"task", "FILE...", "the computation time per cell and angle, from task descriptions", 1,
	 OPERANDS_ANY, NEEDS_NOTHING, model_task_run},
	{"latency", "", "run time at several times the latency, simulated and by models", 0, 0,
	 NEEDS_NOTHING, model_latency_run},
	{"message", "[FILE]", "Send, Receive and Total_Comm over size, beside a measured ping-pong",
	 0, 1, NEEDS_NOTHING, model_message_run},
	{"transfer", "FILE", "transfer states of a network, from a ping-pong", 1, 1, NEEDS_NOTHING,
	 model_transfer_run},
	{"ranking", "FILE", "what predicts the order of a list of systems", 1, 1, NEEDS_NOTHING,
	 model_ranking_run},
	{"collective", "FILE", "start-up and bandwidth of a collective operation, from its times",
	 1, 1, NEEDS_NOTHING, model_collective_run},
	{"compose", "", "a model composed of components, and why of these", 0, 0, NEEDS_NOTHING,
	 model_compose_run},
	{"components", "", "the components there are", 0, 0, NEEDS_NOTHING, model_components_run},
	{"graph", "[FILE]", "the task graph of a configuration or file, and its time", 0, 1,
	 NEEDS_NOTHING, model_graph_run},
};

const struct cmd cmd_model = {
	.name = "model",
	.summary = "the models by themselves: list, run, simulate, project, task times, transfer "
		   "states, task graphs",
	.description =
		"The models alone, without anything mined. A wavefront model takes the computation time per\n"
		"cell and angle (--wg) and a machine with message costs. No knowledge base is needed; without\n"
		"one, the definitions that ship are used. The other models are formulas: they take numbers by\n"
		"name (--set), which list shows. A projection takes the most nearly square processor grid of\n"
		"each count. A composition puts an application, a model of messages, a machine and a source of\n"
		"computation times together, and says why these. The model smpi executes an MPI program on a\n"
		"simulated machine (SimGrid).\n"
		"A task graph, of a configuration or from a file that people can write, is run on given\n"
		"processors and a shared network.",
	.put_more = model_list_put_help,
	.examples =
		"  lemnos model\n"
		"  lemnos model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 "
		"--mmi 3 --wg 0.35us\n"
		"  lemnos model project loggp --machine sp2 --problem 1000x1000x1000 --mk 10 --mmi 3 --wg 0.35us\n"
		"  lemnos model run smpi --machine sp2 --problem 50x50x50 --grid 2x4 --mk 10 --mmi 3 --wg 0.2us\n"
		"  lemnos model latency --machine sp2 --problem 50x50x50 --mk 10 --mmi 3 --wg 0.2us\n"
		"  lemnos model run kredel-linpack --set n=10000,p=1300\n"
		"  lemnos model task sweep-measure --it 20 --jt 20 --kt 10 --mk 10 --mmi 3 --mm 6\n"
		"  lemnos model transfer pingpong.csv\n"
		"  lemnos model compose --app sweep3d --machine sp2 --network loggp,pipeline --cpu "
		"given --wg 0.35us\n"
		"      --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3\n"
		"  lemnos model graph graph.txt --processors 4 --dot graph.dot",
	.options = model_options,
	.action = model_actions,
	.n_actions = sizeof model_actions / sizeof model_actions[0],
	.app_flags = true,
};
