#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/history/explanation.h"
#include "cli/history/job_table.h"
#include "cli/history/reliability_log.h"

static const struct option_spec opt_with_outcome = {
	.name = "with-outcome",
	.help = "only those whose configuration was run since",
	.actions = "list calibration",
};
static const struct option_spec opt_limit = {
	.name = "limit",
	.arg = "N",
	.help = "at most N recommendations, 0 for all (list: 20)",
	.actions = "list calibration",
};

enum { LIST_LIMIT = 20 };

/* ---- which ones ---- */

/* The name that answers have; a class that is gone has no aliases any more. */
static enum err_code read_application(struct context *c, struct application **app,
				      struct reliability_filter *f, struct err *e)
{
	struct err why = {0};
	enum err_code rc;

	f->app = options_get(&c->opt, &opt_app);
	if (!f->app)
		return ERR_OK;
	rc = kb_get_application(c->session.kb, f->app, app, NULL, &why);
	if (!rc)
		f->app = (*app)->name;
	return rc && rc != ERR_NOTFOUND ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code read_log(struct context *c, long long limit, struct reliability_log *log,
			      struct err *e)
{
	struct reliability_filter f = {.machine = options_get(&c->opt, &opt_machine),
				       .with_outcome = options_has(&c->opt, &opt_with_outcome),
				       .limit = limit};
	struct application *app = NULL;
	enum err_code rc;

	if (!(rc = options_integer(&c->opt, &opt_limit, 0, INT64_C(1000000000000), &f.limit, e)) &&
	    !(rc = read_application(c, &app, &f, e)))
		rc = reliability_log_read(c, &f, c->format == FORMAT_TABLE, log, e);
	application_free(app);
	return rc;
}

static void say_if_empty(const struct context *c, const struct reliability_log *log)
{
	bool filtered = options_has(&c->opt, &opt_app) || options_has(&c->opt, &opt_machine) ||
			options_has(&c->opt, &opt_with_outcome);

	if (log->n == 0)
		context_note(c, "%s",
			     filtered ? "no recommendation that was given is of that kind"
				      : "no recommendation was given yet; type lemnos recommend "
					"--problem SIZE --deadline TIME");
}

/* ---- list ---- */

/* "calibration: 11 of 12 promises of being in time were kept (91.7 %, promised 93.1 % with a
 * binomial error of 7.3 %): as promised" */
static void print_last_line(const struct context *c, struct reliability_log *log)
{
	struct calibration k;

	calibration_of(log->in_time, log->n, &k);
	if (k.n == 0) {
		context_print(c, "calibration: no promise of being in time was put to the test "
				 "yet\n");
		return;
	}
	context_print(
		c,
		"calibration: %zu of %zu promises of being in time were kept: %.1f %%, promised "
		"%.1f %% (binomial error %.1f %%): %s\n",
		k.n_kept, k.n, 100 * k.kept, 100 * k.promised, 100 * k.error,
		calibration_verdict_name(k.verdict));
}

static enum err_code list_run(struct context *c, struct err *e)
{
	struct reliability_log log = {0};
	size_t n_shown;
	enum err_code rc = read_log(c, LIST_LIMIT, &log, e);

	if (rc)
		return rc;
	n_shown = out_table_rows(log.table);
	if (!(rc = out_table_print(log.table, c->format, "advice", c->out, e))) {
		if (c->format == FORMAT_TABLE && log.n > 0)
			print_last_line(c, &log);
		if (n_shown < log.n)
			context_note(c, "%zu of %zu recommendations; --limit 0 shows all", n_shown,
				     log.n);
		say_if_empty(c, &log);
	}
	reliability_log_release(&log);
	return rc;
}

/* ---- calibration ---- */

static const struct out_column calibration_columns[] = {
	{"what", NULL, OUT_TEXT},
	{"promises", NULL, OUT_INT},
	{"runs", NULL, OUT_INT},
	{"kept", NULL, OUT_INT},
	{"promised_share", "promised", OUT_PERCENT},
	{"kept_share", "happened", OUT_PERCENT},
	{"error", "error", OUT_PERCENT},
	{"verdict", NULL, OUT_TEXT},
};

static void put_calibration(struct out_table *t, const char *what, struct kept_promise *item,
			    size_t n)
{
	struct calibration k;

	calibration_of(item, n, &k);
	if (k.n == 0)
		return;
	out_text(t, what);
	out_int(t, (int64_t)k.n);
	out_int(t, (int64_t)k.n_runs);
	out_int(t, (int64_t)k.n_kept);
	out_real(t, k.promised);
	out_real(t, k.kept);
	out_real(t, k.error);
	out_text(t, calibration_verdict_name(k.verdict));
}

/* Best efforts promise little, recommendations much: kept apart, both can be wrong. */
static enum err_code put_classes(struct out_table *t, const struct reliability_log *log,
				 struct err *e)
{
	static const struct {
		const char *what;
		double from, below;
	} class[] = {
		{"in time, promised with 0 to 50 %", 0, 0.5},
		{"in time, promised with 50 to 90 %", 0.5, 0.9},
		{"in time, promised with 90 to 99 %", 0.9, 0.99},
		{"in time, promised with 99 % and more", 0.99, INFINITY},
	};
	struct kept_promise *some = calloc(log->n + 1, sizeof *some);

	if (!some)
		return err_set(e, ERR_NOMEM, "%zu promises", log->n);
	for (size_t k = 0; k < sizeof class / sizeof class[0]; k++) {
		size_t n = 0;

		for (size_t i = 0; i < log->n; i++) {
			double p = log->in_time[i].probability;

			if (p >= class[k].from && p < class[k].below)
				some[n++] = log->in_time[i];
		}
		put_calibration(t, class[k].what, some, n);
	}
	free(some);
	return ERR_OK;
}

static enum err_code print_calibration_json(const struct context *c, const struct out_table *t,
					    double ratio, size_t n, struct err *e)
{
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (json_object_set_new(answer, "calibration", out_table_json(t)) |
	    json_object_set_new(answer, "time_over_predicted", out_json_real(ratio)) |
	    json_object_set_new(answer, "time_over_predicted_runs", json_integer((json_int_t)n)))
		rc = err_set(e, ERR_NOMEM, "the calibration as JSON");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static enum err_code print_calibration(const struct context *c, const struct out_table *t,
				       struct reliability_log *log, struct err *e)
{
	double ratio = promise_median(log->ratio, log->n_ratio);
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_calibration_json(c, t, ratio, log->n_ratio, e);
	rc = out_table_print(t, c->format, "calibration", c->out, e);
	if (!rc && c->format == FORMAT_TABLE && log->n_ratio > 0)
		fprintf(c->out, "time over predicted: median %.3f in %zu run%s\n", ratio,
			log->n_ratio, log->n_ratio == 1 ? "" : "s");
	if (!rc && out_table_rows(t) == 0 && log->n > 0)
		context_note(c, "nothing that was recommended was run since; import its runs "
				"(`lemnos ingest`)");
	return rc;
}

static enum err_code calibration_run(struct context *c, struct err *e)
{
	struct reliability_log log = {0};
	struct out_table *t = NULL;
	enum err_code rc = read_log(c, 0, &log, e);

	if (rc)
		return rc;
	t = out_table_new(calibration_columns,
			  sizeof calibration_columns / sizeof calibration_columns[0]);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the calibration");
		goto done;
	}
	put_calibration(t, "in time", log.in_time, log.n);
	if ((rc = put_classes(t, &log, e)))
		goto done;
	put_calibration(t, "inside the interval", log.inside, log.n);
	if (!(rc = print_calibration(c, t, &log, e)))
		say_if_empty(c, &log);
done:
	out_table_free(t);
	reliability_log_release(&log);
	return rc;
}

/* ---- the command ---- */

static const struct option_spec *const advice_options[] = {
	&opt_app, &opt_machine, &opt_with_outcome, &opt_limit, &opt_format, NULL};

static const struct action advice_actions[] = {
	{"list", "[--with-outcome] [--limit N]",
	 "what was promised and what happened, latest first (the default)", 0, 0, NEEDS_KB_READ,
	 list_run},
	{"show", "ID", "one of them, all of it: the same as `lemnos explain`", 1, 1, NEEDS_KB_READ,
	 explanation_run},
	{"calibration", "", "were promises kept as often as they said?", 0, 0, NEEDS_KB_READ,
	 calibration_run},
	{"sync", "[ID]...", "ask Slurm what became of submitted jobs, and import it", 0,
	 OPERANDS_ANY, NEEDS_KB_WRITE, job_sync_run},
};

const struct cmd cmd_advice = {
	.name = "advice",
	.summary = "what was recommended, and what happened then",
	.description =
		"Every recommendation is remembered. Runs that are loaded later and have the "
		"machine,\n"
		"problem, workload, tunables and resources of what was recommended are its "
		"outcome; they\n"
		"are looked up, so undoing an import or excluding a run takes them back. Failed "
		"runs, and\n"
		"files that had been loaded before, tell nothing; a run that hit its time limit "
		"is late if\n"
		"that was no shorter than the deadline.\n"
		"\n"
		"A promise is about the next run: `calibration` looks at the first one of each "
		"outcome, and\n"
		"counts promises that one run answers as one. Fewer than ten are not judged.\n"
		"\n"
		"Jobs of `lemnos recommend --submit` are asked about by `sync` (sacct, squeue): what became of\n"
		"them is imported as runs, once, and shown beside what was promised.",
	.examples = "  lemnos advice --with-outcome\n"
		    "  lemnos advice show 5f1c\n"
		    "  lemnos advice sync\n"
		    "  lemnos advice calibration --app sweep3d",
	.options = advice_options,
	.action = advice_actions,
	.n_actions = sizeof advice_actions / sizeof advice_actions[0],
};
