#include "cli/frame/cmd.h"
#include "cli/model/compare_output.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

const struct option_spec opt_held_out = {
	.name = "held-out",
	.arg = "WHICH",
	.values = "configurations problems processors sizes",
	.help = "compare: what is held out in turn (default problems)",
};
const struct option_spec opt_model_plot = {
	.name = "plot",
	.arg = "FILE",
	.values = "FILE",
	.help = "compare: draw predicted over measured times of each model;\n"
		"project: time, speed-up and where the time goes, of a formula its\n"
		"speed-up; latency: times over processors; message, ranking: what is\n"
		"printed (.svg, .png, .pdf by gnuplot; .gp is the script)",
};

static enum err_code compare_and_print(struct context *c, const struct mine_target *on,
				       struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct model_comparison found = {0};
	int held_out = HOLDOUT_PROBLEMS;
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_held_out, &held_out, e)) ||
	    (plot && (rc = gnuplot_check(plot, e))) ||
	    (rc = model_comparison_make(&c->session, on, (enum holdout)held_out, &found, e)))
		return rc;
	progress_bar_clear(&c->bar);
	rc = compare_print(c, on, (enum holdout)held_out, &found, e);
	if (!rc && plot)
		rc = compare_draw(plot, on, &found, e);
	model_comparison_release(&found);
	return rc;
}

/* What is for one configuration would be passed over here: say so. */
static enum err_code refuse_options(const struct context *c, struct err *e)
{
	static const struct option_spec *const other[] = {&opt_wg,    &opt_wg_fixup,   &opt_tile,
							  &opt_store, &opt_model_from, &opt_problem,
							  &opt_set};
	const char *name = c->opt.n_flags > 0 ? c->opt.flag[0].name : NULL;

	for (size_t i = 0; i < sizeof other / sizeof *other && !name; i++)
		name = options_has(&c->opt, other[i]) ? other[i]->name : NULL;
	if (name)
		return err_set(e, ERR_USAGE,
			       "compare asks about all runs of a machine, and calibrates Wg by "
			       "them: leave out --%s",
			       name);
	return ERR_OK;
}

enum err_code model_compare_run(struct context *c, struct err *e)
{
	struct application *app = NULL;
	struct machine *machine = NULL;
	struct mine_target on = {0};
	enum err_code rc;

	if (!(rc = refuse_options(c, e)) && !(rc = context_application(c, &app, &on.app_id, e)) &&
	    !(rc = context_machine(c, on.app_id, &machine, &on.machine_id, e))) {
		on.app = app;
		on.machine = machine;
		rc = compare_and_print(c, &on, e);
	}
	machine_free(machine);
	application_free(app);
	return rc;
}
