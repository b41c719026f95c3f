#include "cli/frame/cmd.h"
#include "cli/history/explanation.h"

static const struct option_spec *const explain_options[] = {&opt_max_memory, &opt_format, NULL};

static const struct action explain_actions[] = {
	{NULL, "[ID]", NULL, 0, 1, NEEDS_KB_READ, explanation_run},
};

const struct cmd cmd_explain = {
	.name = "explain",
	.summary = "everything behind one earlier recommendation",
	.description =
		"Shows a recommendation again as it was given, with the runs behind it and the "
		"whole\n"
		"explanation of the predictor; what happened since (runs of that configuration "
		"that were\n"
		"loaded later); and how the same question would be answered today: if differently, "
		"because\n"
		"of which imports, rules or definitions. ID is what `recommend` printed, or its "
		"first digits\n"
		"(4 or more); without it, the recommendation that was given last.",
	.examples = "  lemnos explain\n"
		    "  lemnos explain 5f1c\n"
		    "  lemnos explain 5f1c --format json",
	.options = explain_options,
	.less_memory = "put the question anew, with less left open (--set NAME=VALUE)",
	.action = explain_actions,
	.n_actions = 1,
};
