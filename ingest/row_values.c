#include "ingest/row_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "domain/configuration.h"
#include "ingest/cell_number.h"

enum {
	LEVELS_MAX = 10000, /* different words in one column: more are no categories */
	LEVEL_LENGTH_MAX = 255
};

/* Beyond this the knowledge base refuses a number: no quantity of a run is so large. */
static const double number_max = 9e99;
static const double whole_max = 9007199254740992.0; /* 2^53 */

enum err_code row_values_init(struct row_values *v, const struct column_mapping *m,
			      struct application *growing, struct err *e)
{
	size_t n = m->app->n_columns + 1;

	*v = (struct row_values){.m = m,
				 .app = m->app,
				 .growing = growing,
				 .style = text_table_number_style(m->table)};
	v->row = calloc(n, sizeof *v->row);
	v->computed = calloc(n, sizeof *v->computed);
	v->local = calloc(m->app->n_local + 1, sizeof *v->local);
	v->last_level = calloc(n, sizeof *v->last_level);
	if (!v->row || !v->computed || !v->local || !v->last_level) {
		row_values_release(v);
		return err_set(e, ERR_NOMEM, "a row of %zu columns", n - 1);
	}
	return ERR_OK;
}

void row_values_release(struct row_values *v)
{
	free(v->row);
	free(v->computed);
	free(v->local);
	free(v->last_level);
	*v = (struct row_values){0};
}

/* ---- cells ---- */

static bool refuse_number(const char *column, const char *text, enum number_fault fault,
			  struct reject *why)
{
	reject_begin(why, column, text, number_fault_kind(fault));
	number_fault_explain(fault, text, &why->reason);
	why->ends_import = fault == NUMBER_POINTS;
	return false;
}

static bool refuse_range(const struct column *c, const char *column, const char *text,
			 struct reject *why)
{
	reject_begin(why, column, text, "out of range");
	strbuf_printf(&why->reason, "'%.60s' is out of range: ", text);
	if (isfinite(c->min) && isfinite(c->max)) {
		strbuf_put_number(&why->reason, c->min);
		strbuf_puts(&why->reason, " to ");
		strbuf_put_number(&why->reason, c->max);
	} else {
		strbuf_puts(&why->reason, isfinite(c->min) ? "at least " : "at most ");
		strbuf_put_number(&why->reason, isfinite(c->min)   ? c->min
						: isfinite(c->max) ? c->max
								   : number_max);
	}
	return false;
}

/* A number in the unit it is stored in; NaN where NA or the like stands for none. */
static bool read_number(const struct row_values *v, const struct column *c, struct cell_unit unit,
			const char *column, const char *text, double *out, struct reject *why)
{
	bool whole = c->type == COL_INT;
	bool same_unit = unit.multiplier == 1 && unit.divisor == 1;
	enum number_fault fault = whole && same_unit ? cell_integer_in(v->style, text, out)
						     : cell_number_in(v->style, text, out);

	if (fault != NUMBER_OK && cell_is_missing(text)) {
		*out = (double)NAN;
		return true;
	}
	if (fault != NUMBER_OK && c->unit && cell_unit_bytes(c->unit) > 0 &&
	    size_in_table(text, out)) {
		*out /= cell_unit_bytes(c->unit); /* its own unit, whatever the header says */
		fault = NUMBER_OK;
		same_unit = true;
	}
	if (fault != NUMBER_OK)
		return refuse_number(column, text, fault, why);
	if (!same_unit)
		*out = cell_unit_apply(unit, *out);
	if (whole && (trunc(*out) != *out || fabs(*out) > whole_max))
		return refuse_number(column, text, NUMBER_NOT_WHOLE, why);
	if (*out < c->min || *out > c->max || !(fabs(*out) < number_max))
		return refuse_range(c, column, text, why);
	return true;
}

static void list_levels(const struct levels *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->n && out->len < 300; i++)
		strbuf_printf(out, "%s%.60s", i ? ", " : "", l->name[i]);
}

static bool read_level(struct row_values *v, size_t i, const char *column, const char *text,
		       struct reject *why)
{
	const struct levels *l = &v->app->column[i].levels;
	size_t code = v->last_level[i];

	if (code >= l->n || strcmp(l->name[code], text) != 0)
		code = levels_find(l, text);
	if (code == SIZE_MAX && !v->growing) {
		reject_begin(why, column, text, "a word that no run has");
		strbuf_printf(&why->reason, "no run has '%.60s'; there are ", text);
		list_levels(l, &why->reason);
		return false;
	}
	if (code == SIZE_MAX && (l->n >= LEVELS_MAX || strlen(text) > LEVEL_LENGTH_MAX)) {
		reject_begin(why, column, text, "not a category");
		strbuf_printf(&why->reason,
			      "'%.60s' is no category: at most %d different words of %d characters "
			      "are taken",
			      text, LEVELS_MAX, LEVEL_LENGTH_MAX);
		return false;
	}
	if (code == SIZE_MAX)
		code = levels_add(&v->growing->column[i].levels, text);
	if (code == SIZE_MAX) {
		strbuf_fail(&why->reason); /* out of memory: the caller checks */
		return false;
	}
	v->last_level[i] = code;
	v->row[i] = (double)code;
	return true;
}

/* Processors and processes per node: counts without a column of their own in the application. */
static const struct column count_column = {.type = COL_INT, .min = 1, .max = INFINITY};

static bool read_cell(struct row_values *v, const struct mapped_field *f, const char *column,
		      const char *text, struct reject *why)
{
	const struct application *a = v->app;

	switch (f->kind) {
	case FIELD_COLUMN:
		if (a->column[f->index].type == COL_TEXT)
			return read_level(v, f->index, column, text, why);
		return read_number(v, &a->column[f->index], f->unit, column, text,
				   &v->row[f->index], why);
	case FIELD_LOCAL:
		return read_number(v, &count_column, f->unit, column, text, &v->local[f->index],
				   why);
	case FIELD_PROCS:
		return read_number(v, &count_column, f->unit, column, text, &v->procs, why);
	case FIELD_PPN:
		return read_number(v, &count_column, f->unit, column, text, &v->ppn, why);
	default:
		return true; /* not of the configuration */
	}
}

static bool read_cells(struct row_values *v, const struct table_record *rec, struct reject *why)
{
	const struct column_mapping *m = v->m;

	configuration_clear(v->app, v->row);
	memset(v->computed, 0, v->app->n_columns * sizeof *v->computed);
	for (size_t k = 0; k < v->app->n_local; k++)
		v->local[k] = (double)NAN;
	v->procs = v->ppn = (double)NAN;
	for (size_t i = 0; i < rec->n_fields; i++) {
		/* An empty cell is a missing one, which may be obtainable otherwise. */
		if (rec->field[i][0] &&
		    !read_cell(v, &m->field[i], text_table_column(m->table, i), rec->field[i], why))
			return false;
	}
	return true;
}

/* ---- what the cells imply ---- */

static void compute(struct row_values *v, size_t i, double value)
{
	v->row[i] = value;
	v->computed[i] = true;
}

static void default_workload(struct row_values *v)
{
	for (size_t i = 0; i < v->app->n_columns; i++) {
		const struct column *c = &v->app->column[i];

		if (c->role == COL_WORKLOAD && isnan(v->row[i]) && !isnan(c->dflt))
			compute(v, i, c->dflt);
	}
}

/* global = local * by; where both are given they must agree. */
static bool join_local_sizes(struct row_values *v, struct reject *why)
{
	const struct application *a = v->app;

	for (size_t k = 0; k < a->n_local; k++) {
		const struct local_size *l = &a->local[k];
		double by = v->row[l->by];
		double global = v->row[l->global];
		const char *global_name = a->column[l->global].name;
		const char *by_name = a->column[l->by].name;

		if (isnan(v->local[k]) || isnan(by))
			continue;
		if (isnan(global)) {
			const struct column *c = &a->column[l->global];

			global = v->local[k] * by;
			if (global > whole_max || global < c->min || global > c->max) {
				reject_begin(why, l->name, "", "out of range");
				strbuf_printf(&why->reason, "%s = %s * %s = %.0f is out of range",
					      global_name, l->name, by_name, global);
				return false;
			}
			compute(v, l->global, global);
		} else if (ceil(global / by) != v->local[k]) {
			reject_begin(why, l->name, "", NULL);
			strbuf_printf(&why->kind, "%s: does not fit %s and %s", l->name,
				      global_name, by_name);
			strbuf_printf(&why->reason,
				      "%s = %.0f does not fit %s = %.0f on %s = %.0f, which give "
				      "%.0f",
				      l->name, v->local[k], global_name, global, by_name, by,
				      ceil(global / by));
			return false;
		}
	}
	return true;
}

static bool check_procs(const struct row_values *v, struct reject *why)
{
	double computed;

	if (isnan(v->procs))
		return true;
	computed = v->row[v->app->i_procs];
	if (isnan(computed) || computed == v->procs)
		return true;
	reject_begin(why, v->app->column[v->app->i_procs].name, "",
		     "not the product of the processor grid");
	strbuf_printf(&why->reason, "%.0f processors given, the processor grid has %.0f", v->procs,
		      computed);
	return false;
}

static double value_at(const struct row_values *v, size_t i)
{
	return i == SIZE_MAX ? (double)NAN : v->row[i];
}

/* Of nodes, processors and processes per node, two give the third. True if anything was found. */
static bool complete_resources(struct row_values *v, int64_t cores_per_node)
{
	const struct application *a = v->app;
	double nodes = value_at(v, a->i_nodes);
	double procs = value_at(v, a->i_procs);
	double threads = value_at(v, a->i_threads);
	double ppn = isnan(v->ppn) ? value_at(v, a->i_ppn) : v->ppn;
	bool found = false;

	if (a->i_procs != SIZE_MAX && isnan(procs) && a->column[a->i_procs].role != COL_DERIVED &&
	    !isnan(nodes) && !isnan(ppn)) {
		procs = nodes * ppn;
		compute(v, a->i_procs, procs);
		found = true;
	}
	if (a->i_nodes != SIZE_MAX && isnan(nodes) && !isnan(procs)) {
		if (!isnan(ppn))
			nodes = ceil(procs / ppn);
		else if (cores_per_node > 0)
			nodes = ceil(procs * (isnan(threads) ? 1 : threads) /
				     (double)cores_per_node);
		if (!isnan(nodes)) {
			compute(v, a->i_nodes, nodes);
			found = true;
		}
	}
	if (a->i_ppn != SIZE_MAX && isnan(v->row[a->i_ppn]) && !isnan(nodes) && !isnan(procs)) {
		compute(v, a->i_ppn, ceil(procs / nodes));
		found = true;
	}
	return found;
}

static const char *name_of(const struct row_values *v, size_t i, enum field_kind kind)
{
	const struct column_mapping *m = v->m;
	size_t i_table = i != SIZE_MAX ? m->of_column[i] : SIZE_MAX;

	if (i_table == SIZE_MAX)
		i_table = m->of_kind[kind];
	return i_table == SIZE_MAX ? field_kind_name(kind) : text_table_column(m->table, i_table);
}

/* Nodes, processes and processes per node are one too many: 32 processes on 2 nodes are 16 a node.
 * All nodes are full but the last, or the processes are spread evenly. */
static bool check_ppn(const struct row_values *v, struct reject *why)
{
	const struct application *a = v->app;
	double nodes = value_at(v, a->i_nodes);
	double procs = value_at(v, a->i_procs);
	double ppn = isnan(v->ppn) ? value_at(v, a->i_ppn) : v->ppn;
	const char *header;

	if (isnan(nodes) || isnan(procs) || isnan(ppn) || ppn == ceil(procs / nodes) ||
	    (nodes > 1 && ppn * (nodes - 1) < procs && procs <= ppn * nodes))
		return true;
	header = name_of(v, a->i_ppn, FIELD_PPN);
	reject_begin(why, header, "", "nodes, processes and processes per node contradict");
	strbuf_printf(&why->reason,
		      "%s = %.0f on %s = %.0f are %.0f a node, and %s says %.0f: leave out what "
		      "means something else",
		      name_of(v, a->i_procs, FIELD_PROCS), procs,
		      name_of(v, a->i_nodes, FIELD_DROP), nodes, ceil(procs / nodes), header, ppn);
	return false;
}

/* ---- judgement ---- */

static bool refuse_missing(const struct row_values *v, size_t i, struct reject *why)
{
	size_t i_table = v->m->of_column[i];
	const char *name = v->app->column[i].name;

	if (i_table != SIZE_MAX)
		name = text_table_column(v->m->table, i_table);
	reject_begin(why, name, "", "empty");
	strbuf_puts(&why->reason, "empty");
	if (i == v->app->i_nodes && i_table == SIZE_MAX) {
		reject_begin(why, name, "",
			     "not given, and the machine's cores per node are not known");
		strbuf_puts(&why->reason,
			    "the number of nodes is not given, and cannot be worked out: map a "
			    "column to nodes or ppn, or add the machine's definition with its "
			    "cores_per_node (lemnos machines add FILE)");
	}
	return false;
}

static bool check_complete(const struct row_values *v, struct reject *why)
{
	const struct application *a = v->app;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_DERIVED || !isnan(v->row[i]))
			continue;
		if (i != a->i_nodes || v->nodes_required)
			return refuse_missing(v, i, why);
	}
	return true;
}

static bool check_legal(const struct row_values *v, struct reject *why)
{
	const struct application *a = v->app;
	struct strbuf text = STRBUF_INIT;

	if (configuration_legal(a, v->row, NULL))
		return true;
	reject_begin(why, "", "", NULL);
	strbuf_printf(&why->kind, "illegal: %s", configuration_broken_rule(a, v->row));
	configuration_legal(a, v->row, &text);
	strbuf_puts(&why->reason, strbuf_text(&text));
	why->reason.failed |= text.failed;
	strbuf_release(&text);
	return false;
}

bool row_values_read(struct row_values *v, const struct table_record *rec, int64_t cores_per_node,
		     struct reject *why)
{
	if (!read_cells(v, rec, why))
		return false;
	default_workload(v);
	if (!join_local_sizes(v, why))
		return false;
	configuration_derive(v->app, v->row);
	if (!check_procs(v, why))
		return false;
	if (complete_resources(v, cores_per_node))
		configuration_derive(v->app, v->row); /* what depends on them is known now */
	if (!check_complete(v, why) || !check_legal(v, why))
		return false;
	return check_ppn(v, why);
}
