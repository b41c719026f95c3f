#include <math.h>

#include "api/scaling_answer.h"
#include "cli/frame/fold.h"
#include "cli/rules/rules_actions.h"
#include "domain/configuration.h"

/* What time does with each parameter, in one readable table a machine. */

#define CONFIDENCE 0.9

static const struct out_column columns[] = {
	{"machine", NULL, OUT_TEXT}, {"parameter", NULL, OUT_TEXT}, {"from", NULL, OUT_REAL},
	{"to", NULL, OUT_REAL},	     {"factor", NULL, OUT_REAL},    {"effect", NULL, OUT_REAL},
	{"lo", NULL, OUT_REAL},	     {"hi", NULL, OUT_REAL},	    {"steps", NULL, OUT_INT},
	{"pairs", NULL, OUT_INT},    {"observed", NULL, OUT_REAL},  {"unknown", NULL, OUT_TEXT},
};

static void put_names(struct strbuf *s, const struct application *a, const size_t *column, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_printf(s, "%s%s",
			      i == 0	  ? ""
			      : i + 1 < n ? ", "
					  : " and ",
			      a->column[column[i]].name);
}

/* Why an effect is not known. */
static void put_unknown(struct strbuf *s, const struct application *a,
			const struct doubling_effect *x)
{
	switch (x->state) {
	case DOUBLING_KNOWN:
		break;
	case DOUBLING_CONSTANT:
		strbuf_puts(s, "never varied");
		if (!isnan(x->constant))
			strbuf_printf(s, ": %.10g in all runs", x->constant);
		break;
	case DOUBLING_TOGETHER:
		strbuf_puts(s, "varied only together with ");
		put_names(s, a, x->with, x->n_with);
		break;
	case DOUBLING_UNSUPPORTED:
		strbuf_puts(s, "no change of it alone lies inside the runs");
		break;
	}
}

/* ---- for scripts ---- */

static void add_piece(struct out_table *t, const char *machine, const char *parameter,
		      const struct doubling_effect *x, const struct doubling_piece *p,
		      const char *unknown)
{
	out_text(t, machine);
	out_text(t, parameter);
	out_real(t, p ? p->from : (double)NAN);
	out_real(t, p ? p->to : (double)NAN);
	out_real(t, p ? x->factor : (double)NAN);
	out_real(t, p ? p->effect : (double)NAN);
	out_real(t, p ? p->lo : (double)NAN);
	out_real(t, p ? p->hi : (double)NAN);
	out_int(t, p ? (int64_t)p->n_steps : 0);
	out_int(t, p ? (int64_t)p->n_pairs : 0);
	out_real(t, p ? p->observed : (double)NAN);
	out_text(t, p ? NULL : unknown);
}

static void add_machine(struct out_table *t, const struct application *a,
			const struct scaling_rules_of *of, struct strbuf *name, struct strbuf *why)
{
	if (of->unanswered)
		add_piece(t, of->machine, NULL, NULL, NULL, of->unanswered);
	for (size_t i = 0; i < of->effects.n; i++) {
		const struct doubling_effect *x = &of->effects.item[i];

		strbuf_clear(name);
		strbuf_clear(why);
		put_names(name, a, x->column, x->n_columns);
		put_unknown(why, a, x);
		if (x->n_pieces == 0)
			add_piece(t, of->machine, strbuf_text(name), x, NULL, strbuf_text(why));
		for (size_t k = 0; k < x->n_pieces; k++)
			add_piece(t, of->machine, strbuf_text(name), x, &x->piece[k], NULL);
	}
}

static enum err_code print_table(const struct context *c, const struct application *a,
				 const struct scaling_rules *s, struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	struct strbuf name = STRBUF_INIT, why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; t && i < s->n; i++)
		add_machine(t, a, &s->item[i], &name, &why);
	if (!t || name.failed || why.failed)
		rc = err_set(e, ERR_NOMEM, "the effects");
	else
		rc = out_table_print(t, c->format, "scaling", c->out, e);
	strbuf_release(&name);
	strbuf_release(&why);
	out_table_free(t);
	return rc;
}

/* ---- for people ---- */

/* "x0.56 (0.53-0.60) up to 64": two digits behind the point, three below a tenth. */
static void put_ratio(struct strbuf *s, double ratio)
{
	strbuf_printf(s, ratio < 0.0995 ? "%.3f" : ratio < 99.5 ? "%.2f" : "%.0f", ratio);
}

static void put_piece(struct strbuf *s, const struct doubling_piece *p)
{
	strbuf_puts(s, " x");
	put_ratio(s, p->effect);
	strbuf_puts(s, " (");
	put_ratio(s, p->lo);
	strbuf_putc(s, '-');
	put_ratio(s, p->hi);
	strbuf_printf(s, ") from %.10g to %.10g", p->from, p->to);
}

/* "; 126 pairs of runs: x0.56, x0.61" */
static void put_pairs(struct strbuf *s, const struct doubling_effect *x)
{
	size_t n = 0;

	for (size_t k = 0; k < x->n_pieces; k++)
		n += x->piece[k].n_pairs;
	if (n == 0) {
		strbuf_puts(s, "; no runs differ in it alone");
		return;
	}
	strbuf_printf(s, "; %zu pair%s of runs:", n, n == 1 ? "" : "s");
	for (size_t k = 0; k < x->n_pieces; k++) {
		strbuf_puts(s, k ? ", " : " ");
		if (isnan(x->piece[k].observed)) {
			strbuf_puts(s, "none");
			continue;
		}
		strbuf_putc(s, 'x');
		put_ratio(s, x->piece[k].observed);
	}
}

static void put_effect(struct strbuf *s, const struct application *a,
		       const struct doubling_effect *x)
{
	if (x->factor < 2)
		strbuf_printf(s, "  %.3g times ", x->factor);
	else
		strbuf_puts(s, "  doubling ");
	put_names(s, a, x->column, x->n_columns);
	strbuf_putc(s, ':');
	for (size_t k = 0; k < x->n_pieces; k++) {
		strbuf_puts(s, k ? "," : "");
		put_piece(s, &x->piece[k]);
	}
	put_pairs(s, x);
	strbuf_putc(s, '\n');
}

static void put_not_known(struct strbuf *s, const struct application *a,
			  const struct scaling_rules_of *of)
{
	size_t n = 0;

	for (size_t i = 0; i < of->effects.n; i++) {
		const struct doubling_effect *x = &of->effects.item[i];

		if (x->n_pieces > 0 || x->state == DOUBLING_CONSTANT)
			continue;
		strbuf_puts(s, "  NOT known: ");
		put_names(s, a, x->column, x->n_columns);
		strbuf_puts(s, ": ");
		put_unknown(s, a, x);
		strbuf_putc(s, '\n');
	}
	for (size_t i = 0; i < of->effects.n; i++) {
		const struct doubling_effect *x = &of->effects.item[i];

		if (x->state != DOUBLING_CONSTANT)
			continue;
		strbuf_puts(s, n++ ? ", " : "  NOT known, as they never varied: ");
		put_names(s, a, x->column, 1);
		if (!isnan(x->constant))
			strbuf_printf(s, " %.10g", x->constant);
	}
	if (n > 0)
		strbuf_putc(s, '\n');
	n = 0;
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED && a->column[i].type == COL_TEXT)
			strbuf_printf(s, "%s%s", n++ ? ", " : "  words, which cannot be doubled: ",
				      a->column[i].name);
	}
	if (n > 0)
		strbuf_putc(s, '\n');
}

static void put_machine(struct strbuf *s, const struct application *a,
			const struct scaling_rules_of *of)
{
	text_put_safe(s, of->machine, false);
	if (of->unanswered) {
		strbuf_puts(s, ": ");
		text_put_safe(s, of->unanswered, false);
		strbuf_putc(s, '\n');
		return;
	}
	strbuf_printf(s, ": what predicted time does, all else equal, by %zu run%s of ", of->n_runs,
		      of->n_runs == 1 ? "" : "s");
	text_put_safe(s, a->name, false);
	strbuf_putc(s, '\n');
	for (size_t i = 0; i < of->effects.n; i++) {
		if (of->effects.item[i].n_pieces > 0)
			put_effect(s, a, &of->effects.item[i]);
	}
	put_not_known(s, a, of);
}

static enum err_code print_text(const struct context *c, const struct application *a,
				const struct scaling_rules *s, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < s->n; i++)
		put_machine(&text, a, &s->item[i]);
	strbuf_printf(&text,
		      "(from-to): %g %% of such steps; not known beyond the values told; `lemnos "
		      "predict` for a single case\n",
		      100 * CONFIDENCE);
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "the effects");
	else
		fold_print(strbuf_text(&text), c->out);
	strbuf_release(&text);
	return rc;
}

/* ---- the action ---- */

enum err_code rules_scaling_run(struct context *c, struct err *e)
{
	struct application *app = NULL;
	struct scaling_rules s = {0};
	int64_t app_id;
	enum err_code rc;

	if ((rc = rules_table_format(c, e)) || (rc = context_application(c, &app, &app_id, e)))
		return rc;
	rc = scaling_rules_find(&c->session, app, app_id, options_get(&c->opt, &opt_machine),
				CONFIDENCE, &s, e);
	progress_bar_clear(&c->bar);
	for (size_t i = 0; i < s.n && !rc; i++) {
		if (s.item[i].stale)
			context_warn(c,
				     "facts about %s on %s changed since this was mined; run "
				     "`lemnos mine`",
				     app->name, s.item[i].machine);
	}
	if (!rc)
		rc = c->format == FORMAT_TABLE ? print_text(c, app, &s, e)
					       : print_table(c, app, &s, e);
	scaling_rules_release(&s);
	application_free(app);
	return rc;
}
