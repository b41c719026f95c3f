#include "cli/answer/predict_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/prediction_cache.h"
#include "base/thread_pool.h"
#include "api/campaign_total.h"
#include "api/fitted_machine.h"
#include "api/predict_answer.h"
#include "cli/frame/fold.h"
#include "cli/frame/output.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/question_options.h"

static const struct out_column first_column = {"machine", NULL, OUT_TEXT};
static const struct out_column last_columns[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"support", NULL, OUT_TEXT},
	{"error", NULL, OUT_TEXT},
};
enum { N_LAST = sizeof last_columns / sizeof last_columns[0] };

struct out_table *prediction_table_new(const struct application *a)
{
	struct out_column *column = calloc(a->n_columns + 1 + N_LAST, sizeof *column);
	struct out_table *t = NULL;
	size_t n = 0;

	if (!column)
		return NULL;
	column[n++] = first_column;
	n += config_cells_columns(a, column + n);
	for (size_t i = 0; i < N_LAST; i++)
		column[n++] = last_columns[i];
	t = out_table_new(column, n);
	free(column);
	return t;
}

void prediction_table_add(struct out_table *t, const struct application *a, const char *machine,
			  const double *row, const struct row_prediction *f, const char *error)
{
	out_text(t, machine);
	config_cells_put(t, a, row);
	out_real(t, f ? f->prediction.time_s : (double)NAN);
	out_real(t, f ? f->lo_s : (double)NAN);
	out_real(t, f ? f->hi_s : (double)NAN);
	out_text(t, f ? support_name(f->prediction.support) : NULL);
	out_text(t, f ? NULL : error);
}

/* ---- what all rows cost together ---- */

static const struct out_column cost_columns[] = {
	{"runs", NULL, OUT_INT},
	{"not_predicted", NULL, OUT_INT},
	{"confidence", NULL, OUT_REAL},
	{"node_hours", NULL, OUT_REAL},
	{"node_hours_lo", NULL, OUT_REAL},
	{"node_hours_hi", NULL, OUT_REAL},
	{"node_hours_enough", NULL, OUT_REAL},
	{"core_hours", NULL, OUT_REAL},
	{"core_hours_lo", NULL, OUT_REAL},
	{"core_hours_hi", NULL, OUT_REAL},
	{"core_hours_enough", NULL, OUT_REAL},
	{"longest_line", NULL, OUT_INT},
	{"longest_s", NULL, OUT_SECONDS},
	{"longest_lo_s", NULL, OUT_SECONDS},
	{"longest_hi_s", NULL, OUT_SECONDS},
	{"longest_enough_s", NULL, OUT_SECONDS},
	{"inside", NULL, OUT_INT},
	{"edge", NULL, OUT_INT},
	{"outside", NULL, OUT_INT},
	{"outside_node_hours", NULL, OUT_REAL},
	{"outside_core_hours", NULL, OUT_REAL},
	{"without_nodes", NULL, OUT_INT},
	{"without_cores", NULL, OUT_INT},
};

static void add_cost(struct out_table *table, const struct campaign_cost *cost)
{
	out_real(table, cost->middle);
	out_real(table, cost->lo);
	out_real(table, cost->hi);
	out_real(table, cost->enough);
}

static enum err_code print_cost_record(const struct context *c, const struct campaign_total *t,
				       struct err *e)
{
	const struct campaign_cost nodes = campaign_node_hours(t), cores = campaign_core_hours(t);
	struct out_table *table =
		out_table_new(cost_columns, sizeof cost_columns / sizeof cost_columns[0]);
	const bool any = t->longest_line > 0;
	enum err_code rc;

	if (!table)
		return err_set(e, ERR_NOMEM, "the cost of a campaign");
	out_int(table, (int64_t)t->n);
	out_int(table, (int64_t)t->n_bad);
	out_real(table, t->confidence);
	add_cost(table, &nodes);
	add_cost(table, &cores);
	if (any)
		out_int(table, (int64_t)t->longest_line);
	else
		out_null(table);
	out_real(table, any ? t->longest.prediction.time_s : (double)NAN);
	out_real(table, any ? t->longest.lo_s : (double)NAN);
	out_real(table, any ? t->longest.hi_s : (double)NAN);
	out_real(table, any ? t->longest_enough_s : (double)NAN);
	for (int s = 0; s < 3; s++)
		out_int(table, (int64_t)t->n_of[s]);
	out_real(table, isnan(nodes.middle) ? (double)NAN : t->outside_node_hours);
	out_real(table, isnan(cores.middle) ? (double)NAN : t->outside_core_hours);
	out_int(table, (int64_t)t->n_no_nodes);
	out_int(table, (int64_t)t->n_no_cores);
	rc = out_record_print(table, c->format, "total", c->out, e);
	out_table_free(table);
	return rc;
}

/* Four digits, or all before the point. */
static void put_hours(struct strbuf *s, double hours)
{
	strbuf_printf(s, hours >= 1000 ? "%.0f" : "%.4g", hours);
}

/* Rounded up: who asks for so much asks for no less. */
static void put_hours_up(struct strbuf *s, double hours)
{
	const double unit = hours > 0 ? pow(10, fmin(floor(log10(hours)) - 3, 0)) : 1;

	put_hours(s, ceil(hours / unit - 1e-9) * unit);
}

/* "node-hours: 412 (90 %: 380 to 455); 440 are enough with a probability of 90 %" */
static void put_cost(struct strbuf *s, const struct campaign_total *t,
		     const struct campaign_cost *cost, const char *what)
{
	if (isnan(cost->middle))
		return;
	strbuf_printf(s, "%s: ", what);
	put_hours(s, cost->middle);
	strbuf_printf(s, " (%g %%: ", 100 * t->confidence);
	put_hours(s, cost->lo);
	strbuf_puts(s, " to ");
	put_hours(s, cost->hi);
	strbuf_puts(s, "); ");
	if (isnan(cost->enough)) {
		strbuf_printf(s, "the runs bear no promise above %.3g %%\n",
			      100 * t->max_confidence);
		return;
	}
	put_hours_up(s, cost->enough);
	strbuf_printf(s, " are enough with a probability of %g %%\n", 100 * t->confidence);
}

static void put_longest(struct strbuf *s, const struct campaign_total *t)
{
	if (t->longest_line == 0)
		return;
	strbuf_printf(s, "longest run: line %" PRIu64 ", ", t->longest_line);
	answer_put_duration(s, t->longest.prediction.time_s);
	strbuf_printf(s, " (%g %%: ", 100 * t->confidence);
	answer_put_duration(s, t->longest.lo_s);
	strbuf_puts(s, " to ");
	answer_put_duration(s, t->longest.hi_s);
	strbuf_printf(s, "), support %s\n", support_name(t->longest.prediction.support));
}

static void put_support(struct strbuf *s, const struct campaign_total *t,
			const struct campaign_cost *nodes, const struct campaign_cost *cores)
{
	strbuf_printf(s, "support: %zu inside, %zu edge, %zu outside", t->n_of[SUPPORT_INSIDE],
		      t->n_of[SUPPORT_EDGE], t->n_of[SUPPORT_OUTSIDE]);
	if (t->n_of[SUPPORT_OUTSIDE] > 0 && !isnan(nodes->middle))
		strbuf_printf(s, " (extrapolated: %.0f %% of the node-hours)",
			      100 * t->outside_node_hours / nodes->middle);
	else if (t->n_of[SUPPORT_OUTSIDE] > 0 && !isnan(cores->middle))
		strbuf_printf(s, " (extrapolated: %.0f %% of the core-hours)",
			      100 * t->outside_core_hours / cores->middle);
	strbuf_putc(s, '\n');
}

static void put_left_out(struct strbuf *s, const struct campaign_total *t)
{
	if (t->n_bad > 0)
		strbuf_printf(s, "NOT in the sums: %zu of %zu rows, which cannot be predicted\n",
			      t->n_bad, t->n + t->n_bad);
	if (t->n_no_nodes > 0)
		strbuf_printf(s, "NOT in the node-hours: %zu rows, which have no nodes\n",
			      t->n_no_nodes);
	if (t->n_no_cores > 0)
		strbuf_printf(s, "NOT in the core-hours: %zu rows, of which no cores are known\n",
			      t->n_no_cores);
	if (t->cores_of_nodes || t->cores_of_procs)
		strbuf_printf(s, "core-hours: of %s\n",
			      !t->cores_of_procs ? "whole nodes"
			      : t->cores_of_nodes
				      ? "whole nodes, or of the processes where the machine does "
					"not say how many cores a node has"
				      : "the processes; how many cores a node has is not known");
}

static enum err_code print_cost_text(const struct context *c, const struct campaign_total *t,
				     const char *file, struct err *e)
{
	const struct campaign_cost nodes = campaign_node_hours(t), cores = campaign_core_hours(t);
	struct strbuf s = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	text_put_safe(&s, file, false);
	strbuf_printf(&s, ": %zu run%s\n", t->n, t->n == 1 ? "" : "s");
	put_cost(&s, t, &nodes, "node-hours");
	put_cost(&s, t, &cores, "core-hours");
	put_longest(&s, t);
	if (t->n > 0)
		put_support(&s, t, &nodes, &cores);
	put_left_out(&s, t);
	if (t->n > 1)
		strbuf_puts(&s, "intervals: what the predictor does not know is taken to be off "
				"the same way in all rows,\n"
				"noise from run to run as independent\n");
	if (s.failed)
		rc = err_set(e, ERR_NOMEM, "the cost of a campaign");
	else
		fold_print(strbuf_text(&s), c->out);
	strbuf_release(&s);
	return rc;
}

static enum err_code print_cost(const struct context *c, const struct campaign_total *t,
				const char *file, struct err *e)
{
	return c->format == FORMAT_TABLE ? print_cost_text(c, t, file, e)
					 : print_cost_record(c, t, e);
}

/* Some rows of a file on their way through `predict --from`: read one by one, predicted together as
 * a job of the thread pool, which needs nothing but memory, and then printed one by one. */

enum { PREDICTION_BATCH_ROWS = 256 };

/* Texts are places in the batch's, 0 being the empty one. */
struct batch_record {
	const struct fitted_machine *mined; /* NULL: there is none, and it cannot be predicted */
	uint64_t line;			    /* where it begins in the file */
	size_t raw;			    /* as it stands there */
	size_t machine;			    /* the name in its machine column */
	size_t cells;			    /* what comes behind it in a CSV; 0: nothing yet */
	bool is_known;			    /* the cells are, so that nothing is predicted */
	size_t why;			    /* it cannot be predicted; 0: it can */
	bool is_unread;			    /* the reader had that reason */
	struct row_prediction forecast;	    /* unless its cells were known */
};

struct prediction_batch {
	struct thread_pool_job job;
	const struct application *app;
	double confidence;
	char delimiter; /* of cells; 0: they are not made */
	size_t n;
	struct batch_record *record; /* PREDICTION_BATCH_ROWS */
	double *asked, *row; /* PREDICTION_BATCH_ROWS * n_columns: as read, and as completed */
	struct strbuf text;
	struct strbuf why; /* scratch */
};

/* ---- rows, a batch at a time ---- */

static void predict_all(void *arg);

static void prediction_batch_release(struct prediction_batch *l)
{
	free(l->record);
	free(l->asked);
	free(l->row);
	strbuf_release(&l->text);
	strbuf_release(&l->why);
	*l = (struct prediction_batch){0};
}

/* app is borrowed. Errors: NOMEM. */
static enum err_code prediction_batch_init(struct prediction_batch *l,
					   const struct application *app, double confidence,
					   char delimiter, struct err *e)
{
	const size_t n = PREDICTION_BATCH_ROWS * app->n_columns;

	*l = (struct prediction_batch){
		.job = {.run = predict_all, .arg = l},
		.app = app,
		.confidence = confidence,
		.delimiter = delimiter,
		.record = calloc(PREDICTION_BATCH_ROWS, sizeof *l->record),
		.asked = calloc(n + 1, sizeof *l->asked),
		.row = calloc(n + 1, sizeof *l->row),
	};
	if (l->record && l->asked && l->row)
		return ERR_OK;
	prediction_batch_release(l);
	return err_set(e, ERR_NOMEM, "%d configurations", PREDICTION_BATCH_ROWS);
}

/* ---- its rows ---- */

/* Away with the rows. */
static void prediction_batch_clear(struct prediction_batch *l)
{
	l->n = 0;
	strbuf_clear(&l->text);
	strbuf_putc(&l->text, '\0'); /* so that no text is at place 0 */
}

/* The place of a copy. */
static size_t prediction_batch_keep(struct prediction_batch *l, const char *text)
{
	const size_t place = l->text.len;

	strbuf_add(&l->text, text, strlen(text) + 1);
	return place;
}

/* NULL for place 0. */
static const char *prediction_batch_text(const struct prediction_batch *l, size_t place)
{
	return place > 0 ? l->text.buf + place : NULL;
}

static bool prediction_batch_failed(const struct prediction_batch *l)
{
	return l->text.failed || l->why.failed;
}

static double *prediction_batch_row(const struct prediction_batch *l, size_t i)
{
	return l->row + i * l->app->n_columns;
}

/* One more of at most PREDICTION_BATCH_ROWS, to be predicted if the caller sets its machine, and
 * neither why nor is_known. */
static struct batch_record *prediction_batch_add(struct prediction_batch *l, const char *raw,
						 const double *row)
{
	const size_t size = l->app->n_columns * sizeof *row;
	struct batch_record *r = &l->record[l->n];

	*r = (struct batch_record){.raw = prediction_batch_keep(l, raw)};
	memcpy(l->asked + l->n * l->app->n_columns, row, size);
	memcpy(l->row + l->n * l->app->n_columns, row, size);
	l->n++;
	return r;
}

/* ---- the job ---- */

/* The cells of a forecast, with the delimiter before each. */
static size_t put_cells(struct prediction_batch *l, const struct row_prediction *f)
{
	const double value[] = {f->prediction.time_s, f->lo_s, f->hi_s};
	const size_t place = l->text.len;
	char number[REAL_TEXT_SIZE];

	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
		strbuf_putc(&l->text, l->delimiter);
		strbuf_puts(&l->text, real_text(value[i], number));
	}
	strbuf_putc(&l->text, l->delimiter);
	strbuf_puts(&l->text, support_name(f->prediction.support));
	strbuf_putc(&l->text, '\0');
	return place;
}

static void predict_one(struct prediction_batch *l, size_t i)
{
	struct batch_record *r = &l->record[i];
	double *row = prediction_batch_row(l, i);

	strbuf_clear(&l->why);
	predictor_fill_constants(r->mined->predictor, row);
	if (!predict_row_complete(l->app, r->mined->cores_per_node, row, &l->why)) {
		r->why = prediction_batch_keep(l, strbuf_text(&l->why));
		return;
	}
	r->forecast = predict_row(r->mined->predictor, row, l->confidence);
	if (l->delimiter)
		r->cells = put_cells(l, &r->forecast);
}

static void predict_all(void *arg)
{
	struct prediction_batch *l = arg;

	for (size_t i = 0; i < l->n && !prediction_batch_failed(l); i++) {
		if (l->record[i].why == 0 && !l->record[i].is_known)
			predict_one(l, i);
	}
}

/* ---- a file ---- */

/* Rows go round in batches: while helpers predict some, this thread reads more and prints those
 * that are done, in the order of the file. It alone has the base, the file and the output. */

/* Enough that nobody waits for the slowest batch; helpers beyond the third would have nothing to
 * do, as reading and printing take a quarter of all. */
enum { BATCHES = 12, HELPERS = 3 };

/* Rows that cannot be predicted are named up to here, then counted. */
enum { COMPLAINTS = 20 };

struct predict_walk {
	struct context *c;
	const struct application *app;
	struct fitted_machines machines;
	struct thread_pool *pool;
	const char *name; /* of the file, in messages */
	struct prediction_batch batch[BATCHES];
	size_t n_batches; /* that were made */
	/* A ring: n_lent that are predicted, from the first on in the order of rows, and behind
	 * them the one that is filled. */
	size_t first, n_lent;
	double confidence;
	double *row;
	struct strbuf text; /* a line of CSV, or the reason against a row */
	char delimiter;	    /* of CSV; 0: a table */
	bool on_terminal;
	/* Files repeat configurations. What comes behind rows as they are read; only for CSV, as
	 * tables show rows completed. */
	struct prediction_cache *memo;
	struct out_table *table;      /* NULL: CSV */
	struct campaign_total *total; /* only that is printed; NULL: the rows are */
	int64_t n_done, n_bad;
};

/* ---- what was predicted ---- */

static void put_csv(struct predict_walk *w, const char *raw, const char *cells)
{
	strbuf_clear(&w->text);
	strbuf_puts(&w->text, raw);
	if (cells)
		strbuf_puts(&w->text, cells);
	for (int i = 0; i < 4 && !cells; i++)
		strbuf_putc(&w->text, w->delimiter);
	strbuf_putc(&w->text, '\n');
	if (w->on_terminal)
		out_exact(strbuf_text(&w->text), w->c->out);
	else
		fputs(strbuf_text(&w->text), w->c->out);
}

static void complain(struct predict_walk *w, const struct batch_record *r, const char *why)
{
	if (++w->n_bad > COMPLAINTS)
		return;
	if (r->is_unread)
		context_warn(w->c, "%s", why);
	else
		context_warn(w->c, "%s:%" PRIu64 ": %s", w->name, r->line, why);
}

static void put_answer(struct predict_walk *w, const struct prediction_batch *l, size_t i)
{
	const struct batch_record *r = &l->record[i];
	const char *cells = prediction_batch_text(l, r->cells),
		   *why = prediction_batch_text(l, r->why);

	w->n_done++;
	if (why)
		complain(w, r, why);
	if (w->total && why)
		campaign_total_add_bad(w->total);
	else if (w->total)
		campaign_total_add(w->total, r->mined, prediction_batch_row(l, i), &r->forecast,
				   r->line);
	else if (w->table)
		prediction_table_add(w->table, w->app,
				     r->mined ? r->mined->machine->name
					      : prediction_batch_text(l, r->machine),
				     r->is_unread ? NULL : prediction_batch_row(l, i),
				     why ? NULL : &r->forecast, why ? why : "");
	else
		put_csv(w, prediction_batch_text(l, r->raw), cells);
	if (r->mined && cells && !r->is_known)
		prediction_cache_put(w->memo, l->asked + i * l->app->n_columns, r->mined->predictor,
				     cells);
}

static enum err_code out_of_memory(const struct predict_walk *w, struct err *e)
{
	return err_set(e, ERR_NOMEM, "row %" PRId64, w->n_done);
}

/* Print the first of those that are lent to the pool. */
static enum err_code take_back(struct predict_walk *w, struct err *e)
{
	struct prediction_batch *l = &w->batch[w->first];

	thread_pool_wait(w->pool, &l->job);
	w->first = (w->first + 1) % BATCHES;
	w->n_lent--;
	if (prediction_batch_failed(l))
		return out_of_memory(w, e);
	for (size_t i = 0; i < l->n; i++) {
		put_answer(w, l, i);
		if (w->text.failed)
			return out_of_memory(w, e);
	}
	return ERR_OK;
}

static enum err_code take_all_back(struct predict_walk *w, struct err *e)
{
	enum err_code rc = ERR_OK;

	while (!rc && w->n_lent > 0)
		rc = take_back(w, e);
	return rc;
}

/* ---- what is to be predicted ---- */

static enum err_code next_batch(struct predict_walk *w, struct prediction_batch **out,
				struct err *e)
{
	const size_t at = (w->first + w->n_lent) % BATCHES;
	enum err_code rc;

	if (at == w->n_batches) {
		if ((rc = prediction_batch_init(&w->batch[at], w->app, w->confidence, w->delimiter,
						e)))
			return rc;
		w->n_batches++;
	}
	prediction_batch_clear(&w->batch[at]);
	*out = &w->batch[at];
	return ERR_OK;
}

/* One record as config_reader_next() tells it. */
struct config_record {
	const char *raw, *machine, *bad;
	uint64_t line;
};

/* Why a record cannot be predicted. */
static enum err_code refuse(struct predict_walk *w, struct prediction_batch *l,
			    const struct config_record *given, struct batch_record *r,
			    struct err *e)
{
	r->is_unread = given->bad != NULL;
	strbuf_clear(&w->text);
	if (given->bad)
		strbuf_puts(&w->text, given->bad);
	else
		strbuf_printf(&w->text, "machine: %s", w->machines.why.msg);
	r->why = prediction_batch_keep(l, strbuf_text(&w->text));
	return w->text.failed ? out_of_memory(w, e) : ERR_OK;
}

static enum err_code add_record(struct predict_walk *w, struct prediction_batch *l,
				const struct config_record *given, struct err *e)
{
	const struct fitted_machine *mined = NULL;
	const char *name = given->machine ? given->machine : "", *cells;
	struct batch_record *r;
	enum err_code rc;

	if (!given->bad && (rc = fitted_machines_find(&w->machines, name, &mined, e)))
		return rc;
	r = prediction_batch_add(l, given->raw, w->row);
	r->mined = mined;
	r->line = given->line;
	if (given->machine)
		r->machine = prediction_batch_keep(l, given->machine);
	if (!mined)
		return refuse(w, l, given, r, e);
	cells = w->memo ? prediction_cache_find(w->memo, w->row, mined->predictor) : NULL;
	if (cells) {
		r->is_known = true;
		r->cells = prediction_batch_keep(l, cells);
	}
	return ERR_OK;
}

static bool is_full(const struct predict_walk *w, const struct prediction_batch *l)
{
	/* who waits at a terminal gets each answer at once */
	return l->n == (w->on_terminal ? 1 : PREDICTION_BATCH_ROWS);
}

/* *more is false at the end of the file. */
static enum err_code fill(struct predict_walk *w, struct config_reader *reader,
			  struct prediction_batch *l, bool *more, struct err *e)
{
	struct config_record r;
	enum err_code rc = ERR_OK;

	while (!rc && *more && !is_full(w, l)) {
		rc = config_reader_next(reader, &r.raw, w->row, &r.machine, &r.bad, e);
		*more = r.raw != NULL;
		if (w->machines.asked.name)
			r.machine = NULL; /* what the command line says holds for all rows */
		r.line = config_reader_line(reader);
		if (!rc && *more)
			rc = add_record(w, l, &r, e);
	}
	return rc;
}

/* One batch more. What was read is answered, even if an error follows it. */
static enum err_code go_on(struct predict_walk *w, struct config_reader *reader, bool *more,
			   struct err *e)
{
	struct prediction_batch *l;
	enum err_code rc = next_batch(w, &l, e);

	if (rc)
		return rc;
	rc = fill(w, reader, l, more, e);
	thread_pool_submit(w->pool, &l->job);
	w->n_lent++;
	if (!rc && (w->n_lent == BATCHES || w->on_terminal))
		rc = take_back(w, e);
	return rc;
}

static enum err_code walk_records(struct predict_walk *w, struct config_reader *reader,
				  struct err *e)
{
	bool more = true;
	enum err_code rc = machine_request_read(w->c, &w->machines.asked, e), rest;

	if (!rc && w->machines.asked.name && config_reader_has_machine(reader))
		context_note(w->c, "--machine %s holds for all rows, whatever their column says",
			     w->machines.asked.name);

	while (!rc && more) {
		rc = go_on(w, reader, &more, e);
		if (ferror(w->c->out))
			return rc; /* main says so, unless the reader of the output left */
		if (!progress_step(w->c->session.progress, "rows", (uint64_t)w->n_done, 0))
			return err_set(e, ERR_INTERRUPTED, "interrupted after %" PRId64 " rows",
				       w->n_done);
	}
	rest = take_all_back(w, rc ? NULL : e);
	return rc ? rc : rest;
}

/* ---- the file ---- */

static void put_csv_header(struct predict_walk *w, const char *header)
{
	char d = w->delimiter;

	out_exact(header, w->c->out);
	fprintf(w->c->out, "%cpredicted_s%clo_s%chi_s%csupport\n", d, d, d, d);
}

static enum err_code predict_records(struct predict_walk *w, struct config_reader *reader,
				     struct err *e)
{
	enum out_format format = context_format_or(w->c, FORMAT_CSV);
	enum err_code rc;

	w->name = config_reader_name(reader);
	if (w->total) {
		format = context_format_or(w->c, FORMAT_TABLE);
	} else if (format == FORMAT_CSV) {
		if ((rc = prediction_cache_new(w->app->n_columns, &w->memo, e)))
			return rc;
		w->on_terminal = isatty(fileno(w->c->out));
		w->delimiter = config_reader_delimiter(reader);
		put_csv_header(w, config_reader_header(reader));
	} else if (!(w->table = prediction_table_new(w->app))) {
		return err_set(e, ERR_NOMEM, "the predictions");
	}
	rc = walk_records(w, reader, e);
	progress_bar_clear(&w->c->bar);
	if (!rc && w->table)
		rc = out_table_print(w->table, format, "predictions", w->c->out, e);
	if (!rc && w->total)
		rc = print_cost(w->c, w->total, w->name, e);
	if (!rc && w->n_bad > COMPLAINTS)
		context_warn(w->c, "and %" PRId64 " rows more%s", w->n_bad - COMPLAINTS,
			     w->total		    ? ""
			     : format == FORMAT_CSV ? "; --format json gives the reason of each"
						    : "");
	if (!rc && w->n_bad > 0)
		rc = err_set(
			e, ERR_PARSE, "%" PRId64 " of %" PRId64 " rows could not be predicted; %s",
			w->n_bad, w->n_done,
			w->total ? "what they cost is not in the sums" : "their cells are empty");
	return rc;
}

static void walk_release(struct predict_walk *w)
{
	thread_pool_free(w->pool); /* before what its jobs look at */
	for (size_t i = 0; i < w->n_batches; i++)
		prediction_batch_release(&w->batch[i]);
	fitted_machines_release(&w->machines);
	out_table_free(w->table);
	strbuf_release(&w->text);
	prediction_cache_free(w->memo);
	free(w->row);
}

enum err_code predict_file(struct context *c, const struct application *app, int64_t app_id,
			   const char *path, double confidence, bool only_total, struct err *e)
{
	struct campaign_total total;
	struct predict_walk w = {
		.c = c,
		.app = app,
		.confidence = confidence,
		.machines = {.session = &c->session, .app = app, .app_id = app_id},
		.row = calloc(app->n_columns, sizeof *w.row),
	};
	struct config_reader *reader = NULL;
	enum err_code rc;

	campaign_total_init(&total, app, confidence);
	w.total = only_total ? &total : NULL;
	if (!w.row)
		rc = err_set(e, ERR_NOMEM, "a configuration");
	else if (!(rc = thread_pool_new(HELPERS, &w.pool, e)) &&
		 !(rc = config_reader_open(path, app, &reader, e)))
		rc = predict_records(&w, reader, e);
	walk_release(&w);
	config_reader_close(reader);
	return rc;
}
