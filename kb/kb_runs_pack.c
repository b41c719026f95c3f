#include "kb/kb_run_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_table.h"

/* Of the base nothing is touched here: this may be another thread than the one that has it. */

/* The largest whole number up to which doubles hold every integer: 2^53. */
static const double exact_max = 9007199254740992.0;

/* ---- batches ---- */

/* In the order of the table, those of the application between them: then SQLite stores what it is
 * given, and arranges nothing first. */
static const char *const columns_before[] = {"machine_id", "source", "status"};
static const char *const columns_behind[] = {"wall_s", "n_repeats",    "repeat",
					     "line",   "computed",     "flag",
					     "extra",  "content_hash", "row_hash"};
enum {
	N_BEFORE = sizeof columns_before / sizeof columns_before[0],
	N_BEHIND = sizeof columns_behind / sizeof columns_behind[0]
};

void run_batch_put_columns(const struct application *a, struct strbuf *sql)
{
	for (size_t i = 0; i < N_BEFORE; i++)
		strbuf_printf(sql, "%s%s", i ? ", " : "", columns_before[i]);
	run_values_put_names(a, "", sql);
	for (size_t i = 0; i < N_BEHIND; i++)
		strbuf_printf(sql, ", %s", columns_behind[i]);
}

size_t run_batch_n_cells(const struct application *a)
{
	size_t n = N_BEFORE + N_BEHIND;

	for (size_t i = 0; i < a->n_columns; i++)
		n += run_table_stores(a, i);
	return n;
}

/* Of enough rows to make the statement that stores them cheap, and yet at home in the processor's
 * cache. */
struct kb_run_batch *kb_run_batch_new(const struct kb_run_writer *w)
{
	enum { CELLS = 48 * 1024 };
	struct kb_run_batch *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->n_cells = run_batch_n_cells(w->a);
	b->cap_rows = 1 + CELLS / b->n_cells;
	b->last_copy = SIZE_MAX;
	b->cell = calloc(b->cap_rows * b->n_cells, sizeof *b->cell);
	b->group = calloc(b->cap_rows, sizeof *b->group);
	if (!b->cell || !b->group) {
		kb_run_batch_free(b);
		return NULL;
	}
	return b;
}

void kb_run_batch_free(struct kb_run_batch *b)
{
	if (!b)
		return;
	strbuf_release(&b->text);
	free(b->cell);
	free(b->group);
	free(b);
}

bool kb_run_batch_is_full(const struct kb_run_batch *b)
{
	return b->n_rows == b->cap_rows;
}

void run_batch_clear(struct kb_run_batch *b)
{
	b->n_rows = 0;
	b->last_copy = SIZE_MAX;
	strbuf_clear(&b->text);
}

const char *run_batch_text(const struct kb_run_batch *b, const struct run_cell *cell)
{
	return cell->type == CELL_COPY ? b->text.buf + cell->offset : cell->text;
}

/* It stands last but one. */
int64_t run_batch_content_hash(const struct kb_run_batch *b, size_t i_row)
{
	return b->cell[(i_row + 1) * b->n_cells - 2].integer;
}

/* ---- checks ---- */

static enum err_code note_level(struct kb_run_writer *w, size_t i, size_t code, struct err *e)
{
	if (code >= w->n_level_seen[i]) {
		size_t n = w->a->column[i].levels.n;
		bool *grown = realloc(w->level_seen[i], n * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu values of column %s", n,
				       w->a->column[i].name);
		memset(grown + w->n_level_seen[i], 0, (n - w->n_level_seen[i]) * sizeof *grown);
		w->level_seen[i] = grown;
		w->n_level_seen[i] = n;
	}
	w->level_seen[i][code] = true;
	return ERR_OK;
}

static enum err_code take_value(struct kb_run_writer *w, size_t i, const struct kb_run *run,
				struct err *e)
{
	const struct column *c = &w->a->column[i];
	double x = run->row[i];

	w->value[i] = (struct run_value){.number = (double)NAN};
	if (isnan(x))
		return ERR_OK;
	if (c->type == COL_TEXT) {
		assert(x >= 0 && x < (double)c->levels.n);
		w->value[i].text = c->levels.name[(size_t)x];
		return note_level(w, i, (size_t)x, e);
	}
	if (!isfinite(x))
		return err_set(e, ERR_ARG, "%s:%lld: %s = %g is not a finite number", w->file_name,
			       (long long)run->line, c->name, x);
	if (c->type == COL_INT && (x != floor(x) || fabs(x) > exact_max))
		return err_set(e, ERR_ARG, "%s:%lld: %s = %.17g is not an integer up to 2^53",
			       w->file_name, (long long)run->line, c->name, x);
	w->value[i].number = x;
	return ERR_OK;
}

static enum err_code check_time(const struct kb_run_writer *w, const struct kb_run *run,
				struct err *e)
{
	if (isnan(run->wall_s) && run->status == RUN_FAILED)
		return ERR_OK;
	if (!(run->wall_s > 0) || !isfinite(run->wall_s))
		return err_set(e, ERR_ARG, "%s:%lld: a time of %g s is not a finite time > 0",
			       w->file_name, (long long)run->line, run->wall_s);
	if (run->wall_s < KB_WALL_MIN_S || run->wall_s >= KB_WALL_LIMIT_S)
		return err_set(
			e, ERR_ARG,
			"%s:%lld: a time of %g s is no wall time: it must be at least %g s and "
			"less than %g s",
			w->file_name, (long long)run->line, run->wall_s, KB_WALL_MIN_S,
			KB_WALL_LIMIT_S);
	return ERR_OK;
}

static uint64_t content_hash(const struct kb_run_writer *w, const struct kb_run *run,
			     uint64_t machine)
{
	uint64_t h =
		hash_run(machine, run_source_name(run->source), run_status_name(run->status),
			 run->wall_s, run->n_repeats ? run->n_repeats : 1, (double)run->repeat);

	for (size_t i = 0; i < w->a->n_columns; i++)
		h += hash_field(w->name_hash[i], &w->value[i]);
	return h;
}

/* ---- one run ---- */

static struct run_cell integer_cell(int64_t value)
{
	return (struct run_cell){.type = CELL_INTEGER, .integer = value};
}

static struct run_cell real_cell(double value)
{
	return isnan(value) ? (struct run_cell){.type = CELL_NULL}
			    : (struct run_cell){.type = CELL_REAL, .real = value};
}

static struct run_cell text_cell(const char *text)
{
	return (struct run_cell){.type = CELL_TEXT, .text = text};
}

/* Of a text that is the caller's. */
static struct run_cell copy_cell(struct kb_run_batch *b, const char *text)
{
	if (!text)
		return (struct run_cell){.type = CELL_NULL};
	if (b->last_copy == SIZE_MAX || strcmp(b->text.buf + b->last_copy, text) != 0) {
		size_t at = b->text.len;

		strbuf_add(&b->text, text, strlen(text) + 1);
		if (b->text.failed)
			return (struct run_cell){.type = CELL_NULL};
		b->last_copy = at;
	}
	return (struct run_cell){.type = CELL_COPY, .offset = b->last_copy};
}

static struct run_cell value_cell(const struct column *c, const struct run_value *v)
{
	if (v->text)
		return text_cell(v->text);
	return c->type == COL_INT && !isnan(v->number) ? integer_cell((int64_t)v->number)
						       : real_cell(v->number);
}

/* In the order of run_batch_put_columns(). */
static void put_cells(const struct kb_run_writer *w, const struct kb_run *run, uint64_t hash,
		      struct kb_run_batch *b)
{
	struct run_cell *cell = &b->cell[b->n_rows * b->n_cells];

	*cell++ = integer_cell(run->machine_id);
	*cell++ = text_cell(run_source_name(run->source));
	*cell++ = text_cell(run_status_name(run->status));
	for (size_t i = 0; i < w->a->n_columns; i++) {
		if (run_table_stores(w->a, i))
			*cell++ = value_cell(&w->a->column[i], &w->value[i]);
	}
	*cell++ = real_cell(run->wall_s);
	*cell++ = integer_cell(run->n_repeats ? run->n_repeats : 1);
	*cell++ = run->repeat ? integer_cell(run->repeat) : real_cell((double)NAN);
	*cell++ = integer_cell(run->line);
	*cell++ = copy_cell(b, run->computed);
	*cell++ = copy_cell(b, run->flag);
	*cell++ = copy_cell(b, run->extra);
	*cell++ = integer_cell((int64_t)hash);
	*cell = integer_cell((int64_t)hash_row(hash, run->line, run->computed, run->extra));
}

struct seen_machine *run_writer_machine(struct kb_run_writer *w, int64_t id)
{
	size_t i = w->last_machine;

	if (i >= w->n_machines || w->machine[i].id != id) {
		for (i = 0; i < w->n_machines && w->machine[i].id != id; i++)
			;
		w->last_machine = i;
	}
	return i < w->n_machines ? &w->machine[i] : NULL;
}

/* 0: it did not end well. */
static uint64_t note_group(struct kb_run_writer *w, const struct kb_run *run)
{
	uint64_t key;

	if (run->status != RUN_OK)
		return 0;
	key = run_groups_key(w->groups, run->machine_id, run_source_name(run->source), w->value);
	run_groups_note(w->groups, key, run->wall_s, true);
	return run_groups_pack(key, run->wall_s);
}

enum err_code kb_run_writer_pack(struct kb_run_writer *w, const struct kb_run *run,
				 struct kb_run_batch *b, struct err *e)
{
	struct seen_machine *machine = run_writer_machine(w, run->machine_id);
	enum err_code rc = check_time(w, run, e);

	assert(machine && !kb_run_batch_is_full(b));
	for (size_t i = 0; !rc && i < w->a->n_columns; i++) {
		if (run_table_stores(w->a, i))
			rc = take_value(w, i, run, e);
	}
	if (rc)
		return rc;
	put_cells(w, run, content_hash(w, run, machine->hash), b);
	if (b->text.failed)
		return err_set(e, ERR_NOMEM, "a batch of runs");
	b->group[b->n_rows++] = note_group(w, run);
	machine->n_runs++;
	w->any_flag |= run->flag != NULL;
	if (!isnan(run->wall_s))
		w->sum_wall_s += run->wall_s;
	return ERR_OK;
}
