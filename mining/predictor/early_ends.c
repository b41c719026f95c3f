#include "mining/predictor/early_ends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mining/predictor/config_kind.h"
#include "mining/training/run_screen.h"

/* Fewer times cannot tell a unit from an end. */
enum { LEAST_OF_UNIT = 3 };

/* Where nothing ended: what is a tenth of what failed is not thought to fail. */
#define MOST_ROOM 2.302585092994046 /* ln 10 */

static void list_sizes(const struct application *app, struct early_ends *m)
{
	m->n_sizes = 0;
	for (size_t c = 0; c < app->n_columns && m->n_sizes < EARLY_ENDS_SIZES; c++) {
		const enum column_role role = app->column[c].role;

		if (role == COL_PROBLEM || role == COL_WORKLOAD)
			m->column[m->n_sizes++] = c;
	}
}

static struct early_end end_of(const struct early_ends *m, const struct application *app,
			       const double *row)
{
	const size_t nodes = app->i_nodes != SIZE_MAX ? app->i_nodes : app->i_procs;
	struct early_end end = {.packing = config_kind_hash(app, row, SAME_PACKING),
				.nodes = nodes != SIZE_MAX ? row[nodes] : (double)NAN};

	for (size_t k = 0; k < m->n_sizes; k++)
		end.size[k] = row[m->column[k]];
	return end;
}

/* What `big` asks of each node more than `small`, or as much: ln of the product of the sizes. NaN:
 * they cannot be compared, or it asks for less of something. What is not known asks nothing. */
static double asks_more(const struct early_ends *m, const struct application *app,
			const struct early_end *small, const struct early_end *big)
{
	double sum = 0;

	if (small->packing != big->packing || small->nodes < big->nodes ||
	    isnan(small->nodes) != isnan(big->nodes))
		return (double)NAN;
	for (size_t k = 0; k < m->n_sizes; k++) {
		const double a = small->size[k], b = big->size[k];

		if (app->column[m->column[k]].type == COL_TEXT ? a != b : !(b >= a))
			return (double)NAN;
		if (b > a)
			sum += a > 0 ? log(b / a) : (double)INFINITY;
	}
	return sum;
}

/* The same of what ran on as few nodes as `big`, or fewer: there it asked for more. NaN: it did
 * not.
 */
static double room_below(const struct early_ends *m, const struct application *app,
			 const struct early_end *small, const struct early_end *big)
{
	struct early_end there = *small;

	if (small->nodes > big->nodes)
		return (double)NAN;
	there.nodes = big->nodes;
	return asks_more(m, app, &there, big);
}

/* Do times of n early ends go with the work, so that they vary less beside what is expected? */
static bool is_another_unit(double sum_off, double sum_off2, double sum, double sum2, size_t n)
{
	return n >= LEAST_OF_UNIT &&
	       sum_off2 - sum_off * sum_off / (double)n < sum2 - sum * sum / (double)n;
}

/* Sets early->room. Returns whether a run ended that asked as much of a node. */
static bool ended_as_demanding(const struct early_ends *m, const struct application *app,
			       const struct config_table *t, struct early_end *early)
{
	early->room = MOST_ROOM;
	for (size_t i = 0; i < t->n; i++) {
		const struct early_end ended = end_of(m, app, config_table_row(t, i));
		const double room = room_below(m, app, &ended, early);

		if (!isnan(asks_more(m, app, early, &ended)))
			return true;
		early->room = room < early->room ? room : early->room;
	}
	return false;
}

enum err_code early_ends_make(const struct dataset *runs, const struct config_table *t,
			      const double *expected_s, struct early_ends *out, struct err *e)
{
	struct early_ends m = {.item = calloc(EARLY_ENDS_MAX, sizeof *m.item)};
	double sum_off = 0, sum_off2 = 0, sum = 0, sum2 = 0;
	size_t n = 0;

	if (!m.item)
		return err_set(e, ERR_NOMEM, "runs that ended early");
	list_sizes(runs->app, &m);
	for (size_t i = 0; i < runs->n; i++) {
		const double log_s = log(runs->wall_s[i]), off = log_s - log(expected_s[i]);
		struct early_end early;

		if (runs->flagged[i] != FLAG_SCREENED || runs->status[i] != RUN_FAILED ||
		    !(off < 0))
			continue;
		n++;
		sum += log_s;
		sum2 += log_s * log_s;
		sum_off += off;
		sum_off2 += off * off;
		early = end_of(&m, runs->app, dataset_row(runs, i));
		if (m.n < EARLY_ENDS_MAX && !ended_as_demanding(&m, runs->app, t, &early))
			m.item[m.n++] = early;
	}
	if (is_another_unit(sum_off, sum_off2, sum, sum2, n))
		m.n = 0;
	*out = m;
	return ERR_OK;
}

void early_ends_release(struct early_ends *m)
{
	free(m->item);
	*m = (struct early_ends){.n = 0};
}

double early_ends_chance(const struct early_ends *m, const struct application *app,
			 const double *row)
{
	const struct early_end asked = end_of(m, app, row);
	double share = 0;

	for (size_t i = 0; i < m->n; i++) {
		const double room = room_below(m, app, &asked, &m->item[i]);

		if (!isnan(asks_more(m, app, &m->item[i], &asked)))
			return EARLY_ENDS_CHANCE;
		if (!isnan(room))
			share = fmax(share, 1 - room / m->item[i].room);
	}
	return EARLY_ENDS_CHANCE * share;
}

void early_ends_explain(const struct early_ends *m, struct strbuf *out)
{
	if (m->n > 0)
		strbuf_printf(out,
			      " What %zu of them tried, and larger problems on as few nodes, may "
			      "fail: no more than %g is promised of it.",
			      m->n, EARLY_ENDS_CHANCE);
}

/* ---- in the knowledge base ---- */

static enum err_code add(struct kb_fit *fit, const char *part, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[48];

	snprintf(name, sizeof name, "early_%s_%zu", part, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

static enum err_code store_sizes(const struct early_ends *m, const struct application *app,
				 size_t i, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < m->n_sizes && !rc; k++) {
		const struct column *c = &app->column[m->column[k]];
		const double x = m->item[i].size[k];

		rc = add(fit, "size", i * EARLY_ENDS_SIZES + k, x,
			 c->type == COL_TEXT && x >= 0 && x < (double)c->levels.n
				 ? c->levels.name[(size_t)x]
				 : c->name,
			 e);
	}
	return rc;
}

enum err_code early_ends_store(const struct early_ends *m, const struct application *app,
			       struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct early_end *end = &m->item[i];

		if ((rc = add(fit, "high", i, (double)(end->packing >> CONFIG_HASH_HALF), "hash",
			      e)) ||
		    (rc = add(fit, "low", i, (double)(end->packing & UINT32_MAX), "hash", e)) ||
		    (rc = store_sizes(m, app, i, fit, e)))
			return rc;
		if ((rc = add(fit, "room", i, end->room, "ln, over what ended", e)))
			return rc;
		if (!isnan(end->nodes))
			rc = add(fit, "nodes", i, end->nodes, "on which a run ended too early", e);
	}
	return rc;
}

/* Codes of words may be others by now. */
static double load_size(const struct kb_fit *fit, const struct column *c, size_t at)
{
	const struct kb_param *q = kb_fit_find(fit, "early_size_%zu", at);

	if (!q)
		return (double)NAN;
	if (c->type != COL_TEXT)
		return q->value;
	return q->meaning ? (double)levels_find(&c->levels, q->meaning) : (double)NAN;
}

enum err_code early_ends_load(const struct kb_fit *fit, const struct application *app,
			      struct early_ends *out, struct err *e)
{
	struct early_ends m = {.item = calloc(EARLY_ENDS_MAX, sizeof *m.item)};

	if (!m.item)
		return err_set(e, ERR_NOMEM, "runs that ended early");
	list_sizes(app, &m);
	for (; m.n < EARLY_ENDS_MAX; m.n++) {
		const struct kb_param *high = kb_fit_find(fit, "early_high_%zu", m.n),
				      *low = kb_fit_find(fit, "early_low_%zu", m.n),
				      *room = kb_fit_find(fit, "early_room_%zu", m.n),
				      *nodes = kb_fit_find(fit, "early_nodes_%zu", m.n);
		struct early_end *end = &m.item[m.n];

		if (!high || !low || !room || !(room->value > 0) ||
		    !(high->value >= 0 && high->value <= UINT32_MAX) ||
		    !(low->value >= 0 && low->value <= UINT32_MAX))
			break;
		end->packing =
			(uint64_t)(uint32_t)high->value << CONFIG_HASH_HALF | (uint32_t)low->value;
		end->room = room->value;
		end->nodes = nodes ? nodes->value : (double)NAN;
		for (size_t k = 0; k < m.n_sizes; k++)
			end->size[k] = load_size(fit, &app->column[m.column[k]],
						 m.n * EARLY_ENDS_SIZES + k);
	}
	*out = m;
	return ERR_OK;
}
