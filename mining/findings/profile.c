#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "mining/findings/profile_parts.h"
#include "mining/numerics/group_by.h"
#include "mining/cases/rule_miners.h"

/* Fewer problems are said to be few: a choice. */
enum { FEW_PROBLEMS = 5 };

static void count_runs(const struct dataset *d, const struct slowdown_table *t,
		       struct data_profile *p)
{
	p->n_runs = (int64_t)d->n;
	p->n_configurations = (int64_t)t->n;
	p->n_problems = (int64_t)t->n_problems;
	p->n_cases = (int64_t)t->n_strata;
	for (size_t i = 0; i < d->n; i++) {
		p->n_failed += d->status[i] == RUN_FAILED;
		p->n_timeout += d->status[i] == RUN_TIMEOUT;
		p->n_flagged += d->flagged[i] != 0;
		p->n_aggregates += d->n_repeats[i] > 1;
	}
}

/* Of all combinations of problem, resources (with machine and source) and each tunable. A value
 * that is missing is a value; values too many to tell apart in bins count as bins. */
static enum err_code design_coverage(const struct slowdown_table *t, double *out, struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	uint32_t *group = calloc(t->n + 1, sizeof *group);
	struct row_key key = {
		.x = t->runs->x,
		.n_columns = t->n_columns,
		.column = column,
		.machine = t->runs->machine_id,
		.source = t->runs->source,
	};
	double product = (double)t->n_problems;
	size_t n_resources = 0;
	enum err_code rc;

	if (!column || !group) {
		rc = err_set(e, ERR_NOMEM, "coverage of %zu configurations", t->n);
		goto done;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_RESOURCE)
			column[key.n_key++] = c;
	}
	if ((rc = group_by(&key, t->first_run, t->n, group, NULL, &n_resources, e)))
		goto done;
	product *= (double)n_resources;
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_TUNABLE) {
			bool seen[256] = {false};
			double n_seen = 0;

			for (size_t i = 0; i < t->n; i++)
				seen[slowdown_codes(t, c)[i]] = true;
			for (size_t k = 0; k < 256; k++)
				n_seen += seen[k];
			product *= n_seen;
		}
	}
	*out = fmin(1, (double)t->n / product);
done:
	free(column);
	free(group);
	return rc;
}

/* "one run was", "3 runs were". */
static void put_count(int64_t n, const char *one, const char *many, struct strbuf *out)
{
	if (n == 1)
		strbuf_printf(out, "one %s", one);
	else
		strbuf_printf(out, "%lld %s", (long long)n, many);
}

static bool times_are_constant(const struct slowdown_table *t)
{
	double first = t->runs->wall_s[t->first_run[0]];

	for (size_t i = 0; i < t->runs->n; i++) {
		if (t->config_of_run[i] != SLOWDOWN_NONE && t->runs->wall_s[i] != first)
			return false;
	}
	return true;
}

static void remark_on_target(const struct slowdown_table *t, struct strbuf *out)
{
	char time[32];

	if (t->n == 1 && t->n_runs[0] == 1) {
		strbuf_puts(out, "only one run counts: there is nothing to compare\n");
	} else if (times_are_constant(t)) {
		duration_format(t->runs->wall_s[t->first_run[0]], time, sizeof time);
		strbuf_printf(out, "every run took %s: there is nothing to learn from\n", time);
	} else if (t->n == 1) {
		strbuf_puts(out, "only one configuration was run: its repeats show noise, and "
				 "there is nothing to compare\n");
	}
}

/* Each pair once: by the column that says how large the problem is; of a product by its first. */
static void remark_on_twins(const struct slowdown_table *t, const struct collinear_column *twin,
			    struct strbuf *out)
{
	bool product_told = false;

	for (size_t c = 0; c < t->n_columns; c++) {
		enum column_role role = t->app->column[c].role;
		bool is_size = role == COL_PROBLEM || role == COL_WORKLOAD;

		if (twin[c].column == SIZE_MAX || !is_size || (twin[c].of_product && product_told))
			continue;
		product_told = product_told || twin[c].of_product;
		collinear_column_put_text(t->app, c, &twin[c], out);
		strbuf_putc(out, '\n');
	}
}

/* Of stored columns only: what a derived one equals follows from its definition. */
static void remark_on_copies(const struct slowdown_table *t, const struct collinear_column *twin,
			     struct strbuf *out)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		size_t other = t->copy_of[c];
		const char *name = t->app->column[c].name;

		if (other == SIZE_MAX || twin[c].column == other ||
		    t->app->column[c].role == COL_DERIVED ||
		    t->app->column[other].role == COL_DERIVED)
			continue;
		if (column_is_equal(t, c, other))
			strbuf_printf(out, "%s is a copy of %s\n", name,
				      t->app->column[other].name);
		else
			strbuf_printf(out,
				      "%s rises and falls with %s: what either does to time "
				      "cannot be told apart\n",
				      name, t->app->column[other].name);
	}
}

static void remark_on_design(const struct slowdown_table *t, struct strbuf *out)
{
	if (t->n > 1 && t->n_problems < FEW_PROBLEMS) {
		strbuf_puts(out, "only ");
		put_count((int64_t)t->n_problems, "problem was run", "problems were run", out);
		strbuf_puts(out, ": what is found may not hold for others\n");
	}
	if (t->n > 1 && t->n_strata == t->n)
		strbuf_puts(out, "no problem was run in two ways on the same resources: choices "
				 "cannot be compared\n");
}

static void remark_on_runs(const struct data_profile *p, const struct repeat_summary *r,
			   struct strbuf *out)
{
	if (p->n_timeout > 0) {
		put_count(p->n_timeout, "run was", "runs were", out);
		strbuf_puts(out, " cut off by a time limit: how long they take is not known, and "
				 "they do not count\n");
	}
	if (p->n_flagged > 0) {
		put_count(p->n_flagged, "run is", "runs are", out);
		strbuf_puts(out, " flagged as suspicious: kept, but not counted\n");
	}
	if (p->n_repeated == 0)
		strbuf_puts(out, "no configuration was run twice: how much times vary by "
				 "themselves is not known\n");
	if (p->n_outliers > 0) {
		put_count(p->n_outliers, "repeat took", "repeats took", out);
		strbuf_puts(out, " far longer than the others of the same configuration\n");
	}
	if (p->n_regimes > 1) {
		strbuf_printf(out, "times changed along the way: from run %lld on they are ",
			      (long long)r->shift_run_id);
		strbuf_put_number(out, round(exp(r->shift) * 100) / 100);
		strbuf_printf(out, " times those before (%lld stretches in all)\n",
			      (long long)p->n_regimes);
	}
}

static enum err_code put_remarks(const struct slowdown_table *t,
				 const struct collinear_column *twin,
				 const struct repeat_summary *r, struct data_profile *p,
				 struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	remark_on_target(t, &text);
	remark_on_twins(t, twin, &text);
	remark_on_copies(t, twin, &text);
	remark_on_design(t, &text);
	remark_on_runs(p, r, &text);
	/* One a line, the last one without its end. */
	if (!text.failed && text.len > 0)
		text.buf[text.len - 1] = '\0';
	p->remarks = text.failed ? NULL : strdup(strbuf_text(&text));
	strbuf_release(&text);
	return p->remarks ? ERR_OK : err_set(e, ERR_NOMEM, "remarks on the runs");
}

enum err_code mine_profile(const struct dataset *runs, const struct slowdown_table *t,
			   struct findings *out, struct err *e)
{
	struct collinear_column *twin = calloc(t->n_columns + 1, sizeof *twin);
	struct data_profile *p = &out->profile;
	struct repeat_summary repeats;
	enum err_code rc = ERR_OK;

	if (!twin)
		return err_set(e, ERR_NOMEM, "profile of %zu columns", t->n_columns);
	if ((rc = collinear_columns(t, twin, e)) || (rc = repeat_summary(t, &repeats, e)) ||
	    (rc = design_coverage(t, &p->design_coverage, e)))
		goto done;
	count_runs(runs, t, p);
	p->n_repeated = repeats.n_repeated;
	p->noise = repeats.n_repeated > 0 ? t->noise : (double)NAN;
	p->noise_p90 = repeats.noise_p90;
	p->n_outliers = repeats.n_outliers;
	p->n_regimes = repeats.n_regimes;
	p->regime_shift = exp(fabs(repeats.shift));
	if (!(rc = put_remarks(t, twin, &repeats, p, e)))
		rc = profile_columns(t, twin, out, e);
done:
	free(twin);
	return rc;
}
