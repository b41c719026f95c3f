#include "cli/data/measurement_text.h"

#include <math.h>

#include <jansson.h>

#include "base/units.h"

/* ---- messages ---- */

static const struct out_column columns[] = {
	{"pairs", NULL, OUT_TEXT},
	{"from_bytes", "from bytes", OUT_REAL},
	{"to_bytes", "to bytes", OUT_REAL},
	{"intercept_s", "constant", OUT_SECONDS},
	{"se_intercept_s", "+-", OUT_SECONDS},
	{"s_per_byte", "s per byte", OUT_REAL},
	{"se_s_per_byte", "+-", OUT_REAL},
};

static void put_segments(struct out_table *t, const char *pairs, const struct message_place *p)
{
	if (p->file.rows.n == 0)
		return;
	for (size_t i = 0; i < p->fit.n_segment; i++) {
		const struct cost_segment *s = &p->fit.segment[i];

		out_text(t, pairs);
		out_real(t, s->from_bytes);
		out_real(t, i + 1 < p->fit.n_segment ? s[1].from_bytes : (double)NAN);
		out_real(t, s->intercept_s);
		out_real(t, s->se_intercept_s);
		out_real(t, s->s_per_byte);
		out_real(t, s->se_s_per_byte);
	}
}

static enum err_code print_segments(const struct context *c, const struct machine_measurement *m,
				    struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the costs of messages");
	put_segments(t, "inside a node", &m->messages.inside);
	put_segments(t, "between nodes", &m->messages.between);
	rc = out_table_print(t, c->format, "segments", c->out, e);
	out_table_free(t);
	return rc;
}

static void print_estimate(const struct context *c, const char *name,
			   const struct overhead_estimate *o)
{
	char value[32], error[32];

	if (o->known)
		fprintf(c->out, "%s %s +- %s", name,
			duration_format(o->value_s, value, sizeof value),
			duration_format(o->std_error_s, error, sizeof error));
	else
		fprintf(c->out, "%s not identifiable", name);
}

static void print_place(const struct context *c, const char *pairs, const struct message_place *p)
{
	const struct overhead_fit *k = &p->calls;

	if (p->file.rows.n == 0) {
		fprintf(c->out, "%s: unknown, as no such pair of processes was measured\n", pairs);
		return;
	}
	fprintf(c->out, "%s: ", pairs);
	print_estimate(c, "L", &k->L);
	print_estimate(c, ", o", &k->o);
	print_estimate(c, " (sending", &k->send);
	print_estimate(c, ", receiving", &k->receive);
	fputs(")\n", c->out);
	if (*k->why_not)
		fprintf(c->out, "  %s\n", k->why_not);
	if (k->blocking_bytes > 0)
		fprintf(c->out, "  sends of %g bytes and more wait for the receiver\n",
			k->blocking_bytes);
	else
		fputs("  no send waits for the receiver\n", c->out);
	fprintf(c->out, "  %zu round trips of %zu sizes, %.2g %% about the lines", p->file.rows.n,
		p->fit.n_size, 100 * p->fit.relative_error);
	if (p->fit.n_disturbed > 0)
		fprintf(c->out, "; %zu disturbed sizes left out", p->fit.n_disturbed);
	fputc('\n', c->out);
}

/* ---- Wg and the node ---- */

static void print_wg(const struct context *c, const struct machine_measurement *m)
{
	const struct block_fit *w = &m->wg;
	const struct block_time *worst;
	const char *separator = "";
	char value[32], error[32];

	if (!m->has_wg) {
		fputs("Wg: unknown, as computation is not simulated\n", c->out);
		return;
	}
	fputs("Wg(it, jt, mk, mmi) = ", c->out);
	for (int t = 0; t < BLOCK_TERMS; t++) {
		if (!w->known[t])
			continue;
		fprintf(c->out, "%s(%s +- %s)%s", separator,
			duration_format(w->value_s[t], value, sizeof value),
			duration_format(w->std_error_s[t], error, sizeof error),
			block_term_divisor((enum block_term)t));
		separator = " + ";
	}
	worst = &m->block[w->i_worst];
	fprintf(c->out,
		"\n  %zu blocks, %.2g %% about it; at most %.2g %%, for it %g, jt %g, mk %g, mmi %g\n",
		w->n, 100 * w->relative_error, 100 * w->worst, worst->it, worst->jt, worst->mk,
		worst->mmi);
	separator = "  not identifiable: ";
	for (int t = 0; t < BLOCK_TERMS; t++) {
		if (w->known[t])
			continue;
		fprintf(c->out, "%sa cost of each %s", separator,
			block_term_name((enum block_term)t));
		separator = ", ";
	}
	if (*separator == ',')
		fputc('\n', c->out);
}

static void print_node(const struct context *c, const struct pingpong_measured *m)
{
	fputs("a node has ", c->out);
	if (m->cores > 0)
		fprintf(c->out, "%lld cores", (long long)m->cores);
	else
		fputs("cores that are not known", c->out);
	if (m->memory_bytes > 0)
		fprintf(c->out, " and %.3g GiB of memory\n",
			m->memory_bytes / size_unit_bytes("GiB"));
	else
		fputs(" and memory that is not known\n", c->out);
}

/* ---- all of it ---- */

static enum err_code print_text(const struct context *c, const struct machine_measurement *m,
				struct err *e)
{
	enum err_code rc;

	context_print(c, "one-way message cost of %s, %s by %s\n\n", m->calibration.machine->name,
		      m->messages.simulated ? "simulated" : "measured", strbuf_text(&m->launch));
	if ((rc = print_segments(c, m, e)))
		return rc;
	fputc('\n', c->out);
	print_place(c, "inside a node", &m->messages.inside);
	print_place(c, "between nodes", &m->messages.between);
	print_wg(c, m);
	print_node(c, &m->messages);
	return ERR_OK;
}

enum err_code measurement_print(const struct context *c, const struct machine_measurement *m,
				struct err *e)
{
	json_t *answer;
	enum err_code rc;

	if (c->format == FORMAT_TABLE)
		return print_text(c, m, e);
	if (c->format == FORMAT_CSV)
		return print_segments(c, m, e);
	answer = machine_measurement_json(m);
	rc = answer ? out_json(answer, c->out, e)
		    : err_set(e, ERR_NOMEM, "the measurement as JSON");
	json_decref(answer);
	return rc;
}
