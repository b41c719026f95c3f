#include "cli/rules/rule_options.h"

#include <stdint.h>

const struct option_spec opt_kind = {
	.name = "kind",
	.arg = "KIND",
	.values = "choice setting time invariant",
	.help = "only rules of this kind: choice, setting, time or invariant",
	.actions = "list review export",
};
const struct option_spec opt_state = {
	.name = "state",
	.arg = "STATE",
	.values = "new accepted refused",
	.help = "only rules in this state: new, accepted or refused",
	.actions = "list review export",
};
const struct option_spec opt_column = {
	.name = "column",
	.arg = "NAME",
	.help = "only rules that use this column: mk, procs, ...",
	.actions = "list review export",
};

enum err_code rule_book_open(struct context *c, struct rule_book *out, struct err *e)
{
	return rule_book_load(&c->session, options_get(&c->opt, &opt_app),
			      options_get(&c->opt, &opt_machine), out, e);
}

void rule_book_warn_stale(const struct context *c, const struct rule_book *b)
{
	if (b->stale)
		context_warn(c,
			     "facts about %s on %s changed since these rules were mined; run "
			     "`lemnos mine`",
			     b->app->name, b->machine->name);
}

enum err_code rule_filter_read(const struct context *c, const struct application *a,
			       struct rule_filter *out, struct err *e)
{
	struct rule_filter f = {.kind = -1, .state = -1, .i_column = SIZE_MAX};
	const char *column = options_get(&c->opt, &opt_column);
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_kind, &f.kind, e)) ||
	    (rc = options_choice(&c->opt, &opt_state, &f.state, e)))
		return rc;
	if (column && (f.i_column = application_column(a, column)) == SIZE_MAX)
		return err_set(e, ERR_USAGE,
			       "--column %s: %s has no such column (`lemnos apps show %s` lists "
			       "them)",
			       column, a->name, a->name);
	*out = f;
	return ERR_OK;
}
