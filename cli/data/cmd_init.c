#include <stdlib.h>
#include <unistd.h>

#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "api/shipped.h"

static OPTION(opt_with_data, "with-data", NULL,
	      .help = "load the machines and runs that ship with lemnos");

/* What the shipped data are asked about when nobody says otherwise; a choice people made stays. */
static enum err_code set_default_if_unset(struct kb *kb, const char *what, const char *value,
					  struct err *e)
{
	char *is = NULL;
	enum err_code rc = kb_get_default(kb, what, &is, e);

	if (rc || is) {
		free(is);
		return rc;
	}
	/* Once more under the lock: people may have chosen meanwhile. */
	if ((rc = kb_begin(kb, e)))
		return rc;
	if ((rc = kb_get_default(kb, what, &is, e)) ||
	    (!is && (rc = kb_set_default(kb, what, value, e))) || (rc = kb_commit(kb, e)))
		kb_rollback(kb);
	free(is);
	return rc;
}

static enum err_code load(struct context *c, struct shipped_count *n, struct err *e)
{
	enum err_code rc;

	if (!options_has(&c->opt, &opt_with_data))
		return shipped_load_applications(&c->session, n, e);
	if ((rc = shipped_load_all(&c->session, n, e)) ||
	    (rc = set_default_if_unset(c->session.kb, "application", "sweep3d", e)))
		return rc;
	return set_default_if_unset(c->session.kb, "machine", "sp2like", e);
}

static void print_summary(const struct context *c, const struct shipped_count *n, bool existed)
{
	bool nothing = !n->n_applications && !n->n_machines && !n->n_runs && !n->n_pingpong;

	context_print(c, "%s knowledge base %s\n", existed ? "existing" : "new", c->kb_path);
	if (nothing)
		fputs("nothing to add: it has everything already\n", c->out);
	else
		fprintf(c->out,
			"added: applications %lld, machines %lld, runs %lld, ping-pong rows %lld\n",
			(long long)n->n_applications, (long long)n->n_machines,
			(long long)n->n_runs, (long long)n->n_pingpong);
	if (n->n_runs > 0)
		fputs("default machine: sp2like (invented and simulated; "
		      "`lemnos machines default NAME` changes it)\n"
		      "next: lemnos mine\n",
		      c->out);
	else if (!nothing)
		fputs("next: lemnos ingest FILE.csv, or lemnos init --with-data for the shipped "
		      "runs\n",
		      c->out);
}

static enum err_code init_run(struct context *c, struct err *e)
{
	struct shipped_count n = {0};
	bool existed = access(c->kb_path, F_OK) == 0;
	enum err_code rc;

	if ((rc = context_open_kb(c, NEEDS_KB_CREATE, e)) || (rc = load(c, &n, e)))
		return rc;
	progress_bar_clear(&c->bar);
	print_summary(c, &n, existed);
	return ERR_OK;
}

static const struct option_spec *const init_options[] = {&opt_with_data, NULL};

/* Opens the base itself: it has to see first whether there is one. */
static const struct action init_actions[] = {
	{NULL, "[--with-data] [--kb FILE]", NULL, 0, 0, NEEDS_NOTHING, init_run},
};

const struct cmd cmd_init = {
	.name = "init",
	.summary = "make a knowledge base",
	.description =
		"Makes an empty knowledge base that knows the applications which ship with\n"
		"lemnos. With --with-data it also loads the machines, runs and ping-pong measurements\n"
		"that ship, and makes the simulated machine sp2like the default. On a base that\n"
		"exists, what is missing is added and nothing else is touched.",
	.examples = "  lemnos init --with-data\n"
		    "  lemnos init --kb project.kb",
	.options = init_options,
	.action = init_actions,
	.n_actions = 1,
};
