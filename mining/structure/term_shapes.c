#include "mining/structure/term_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"

/* Columns that never varied are in no shape: no run tells how time goes with them, and the
 * predictor has priors for that. */

/* ---- what is known of a column ---- */

struct column_span {
	double lo, hi;
	bool whole; /* all values are integers */
	bool told;  /* no value is missing */
};

static struct column_span span_of(const struct config_table *t, size_t column)
{
	struct column_span s = {INFINITY, -INFINITY, true, true};

	for (size_t i = 0; i < t->n; i++) {
		const double x = config_table_row(t, i)[column];

		if (!isfinite(x)) {
			s.told = false;
			continue;
		}
		s.lo = fmin(s.lo, x);
		s.hi = fmax(s.hi, x);
		s.whole = s.whole && x == floor(x);
	}
	return s;
}

/* Is a cut into pieces of b, with a rest now and then (without, a / b says it)? Blocks that
 * somebody chose are never the larger. */
static bool may_divide(const struct config_table *t, size_t a, size_t b, bool chosen)
{
	bool cuts = false;

	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);

		if (chosen && !(row[b] <= row[a]))
			return false;
		cuts = cuts || (row[a] > row[b] && fmod(row[a], row[b]) != 0);
	}
	return cuts;
}

/* Is a row legal in which the column is 0? Then no shape may divide by it. */
static bool may_be_0(const struct column *c)
{
	return isfinite(c->min) && c->min <= 0;
}

/* ---- shapes ---- */

/* The form with a column's name for each $, and another one's for each @. NULL: out of memory. */
static char *text(const char *form, const char *name, const char *other)
{
	struct strbuf s = STRBUF_INIT;

	for (; *form; form++) {
		if (*form == '$' || *form == '@')
			strbuf_puts(&s, *form == '$' ? name : other);
		else
			strbuf_putc(&s, *form);
	}
	if (s.failed) {
		strbuf_release(&s);
		return NULL;
	}
	return s.buf;
}

/* Being made: the first failure sticks. */
struct shape_maker {
	struct term_shapes *s;
	const struct config_table *t;
	enum err_code rc;
	struct err *e;
};

static void fail_memory(struct shape_maker *m)
{
	if (!m->rc)
		m->rc = err_set(m->e, ERR_NOMEM, "shapes of terms");
}

static void put_values(struct shape_maker *m, struct term_shape *shape)
{
	struct term_shapes *s = m->s;
	struct strbuf whole = STRBUF_INIT;
	struct expr *x = NULL;
	double row[APPLICATION_MAX_TERM_VALUES];

	shape->value = calloc(s->n_rows + 1, sizeof *shape->value);
	strbuf_puts(&whole, shape->over ? shape->over : "1");
	if (shape->under)
		strbuf_printf(&whole, " / (%s)", shape->under);
	if (!shape->value || whole.failed)
		fail_memory(m);
	else
		m->rc = expr_parse(strbuf_text(&whole), &s->scope, &x, m->e);
	for (size_t i = 0; i < s->n_rows && !m->rc; i++) {
		memcpy(row, config_table_row(m->t, i), s->app->n_columns * sizeof *row);
		for (size_t k = 0; k < s->n_let; k++)
			row[s->app->n_columns + k] = expr_eval(s->let[k].value, row);
		shape->value[i] = expr_eval(x, row);
	}
	expr_free(x);
	strbuf_release(&whole);
}

/* What is no cost on a row, or the same on all, is not kept. */
static bool is_use(const struct term_shapes *s, const double *value)
{
	bool varies = false;

	for (size_t i = 0; i < s->n_rows; i++) {
		if (!(value[i] >= 0 && isfinite(value[i])))
			return false;
		varies = varies || value[i] != value[0];
	}
	return varies;
}

static void release_shape(struct term_shape *shape)
{
	free(shape->over);
	free(shape->under);
	free(shape->value);
	*shape = (struct term_shape){.takes = SIZE_MAX};
}

/* Takes over and under, whatever comes; NULL means none there, so that the caller tells of a want
 * of memory by `made`. */
static void add_shape(struct shape_maker *m, struct term_slot *slot, bool made, char *over,
		      char *under, enum term_way way, double price, size_t takes)
{
	struct term_shape *shape = &slot->shape[slot->n];

	if (m->rc || slot->n == TERM_SHAPES || !made) {
		free(over);
		free(under);
		if (!made)
			fail_memory(m);
		return;
	}
	*shape = (struct term_shape){
		.over = over, .under = under, .way = way, .price = price, .takes = takes};
	put_values(m, shape);
	if (m->rc || !is_use(m->s, shape->value))
		release_shape(shape);
	else
		slot->n++;
}

static void mark_two_thirds(struct term_slot *slot)
{
	for (size_t k = 0; k < slot->n; k++) {
		const char *of = slot->shape[k].under ? slot->shape[k].under : slot->shape[k].over;

		slot->shape[k].two_thirds = of && !strncmp(of, "pow(", 4) && strstr(of, ", 2 / 3)");
	}
}

static void add_over(struct shape_maker *m, struct term_slot *slot, char *over, enum term_way way,
		     double price)
{
	add_shape(m, slot, over != NULL, over, NULL, way, price, SIZE_MAX);
}

static void add_under(struct shape_maker *m, struct term_slot *slot, char *under, enum term_way way,
		      double price)
{
	add_shape(m, slot, under != NULL, NULL, under, way, price, SIZE_MAX);
}

static void add_both(struct shape_maker *m, struct term_slot *slot, char *over, char *under,
		     enum term_way way, double price)
{
	add_shape(m, slot, over && under, over, under, way, price, SIZE_MAX);
}

/* A slot whose first shape is nothing. */
static struct term_slot *add_slot(struct shape_maker *m)
{
	struct term_slot *slot;

	if (m->s->n_slots == TERM_SLOTS) {
		if (!m->rc)
			m->rc = err_set(m->e, ERR_NODATA,
					"more than %d columns vary: terms are made of no more",
					TERM_SLOTS);
		return NULL;
	}
	slot = &m->s->slot[m->s->n_slots++];
	slot->n = 1;
	slot->shape[0].takes = SIZE_MAX;
	return slot;
}

/* ---- by role ---- */

/* The processes, and what they are cut into. */
struct machine_columns {
	size_t procs, nodes, threads; /* SIZE_MAX: none that varied */
	size_t slot_procs, slot_threads;
};

/* A name of `let` that is no column. */
static char *free_name(const struct application *a, const char *wanted)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_puts(&name, wanted);
	while (!name.failed && application_column(a, strbuf_text(&name)) != SIZE_MAX)
		strbuf_putc(&name, '_');
	if (name.failed) {
		strbuf_release(&name);
		return NULL;
	}
	return name.buf;
}

static void add_let(struct shape_maker *m, const char *wanted, char *value)
{
	struct term_shapes *s = m->s;
	struct term_name *let = &s->let[s->n_let];

	*let = (struct term_name){.name = free_name(s->app, wanted), .text = value};
	s->n_let++;
	if (!let->name || !let->text)
		fail_memory(m);
	if (m->rc)
		return;
	m->rc = expr_parse(let->text, &s->scope, &let->value, m->e);
	s->name[s->scope.n] = let->name;
	s->levels[s->scope.n++] = NULL;
}

/* A grid of processes that no column tells: as square as powers of two allow, as most programs
 * divide a plane; and cubes. */
static void add_lets(struct shape_maker *m, const char *procs)
{
	add_let(m, "grid_rows", text("pow(2, floor(log2($) / 2))", procs, NULL));
	if (!m->rc)
		add_let(m, "fill", text("$ + @ / $ - 2", m->s->let[0].name, procs));
	if (!m->rc)
		add_let(m, "stages", text("3 * (pow($, 1 / 3) - 1)", procs, NULL));
}

static void add_procs(struct shape_maker *m, struct machine_columns *c, bool has_sides)
{
	const char *p = m->s->app->column[c->procs].name;
	struct term_slot *slot;

	if (!has_sides)
		add_lets(m, p);
	c->slot_procs = m->s->slot_procs = m->s->n_slots;
	if (m->rc || !(slot = add_slot(m)))
		return;
	add_under(m, slot, text("$", p, NULL), WAY_DIVIDED, 0.5);
	add_under(m, slot, text("sqrt($)", p, NULL), WAY_SURFACE, 1.5);
	add_under(m, slot, text("pow($, 2 / 3)", p, NULL), WAY_SURFACE, 1);
	add_over(m, slot, text("min($ - 1, 1)", p, NULL), WAY_MESSAGES, 1);
	add_both(m, slot, text("min($ - 1, 1)", p, NULL), text("$", p, NULL), WAY_MESSAGES, 1.5);
	add_both(m, slot, text("min($ - 1, 1)", p, NULL), text("sqrt($)", p, NULL), WAY_MESSAGES,
		 1.5);
	add_both(m, slot, text("min($ - 1, 1)", p, NULL), text("pow($, 2 / 3)", p, NULL),
		 WAY_MESSAGES, 1.5);
	add_over(m, slot, text("log2($)", p, NULL), WAY_TREE, 1);
	add_both(m, slot, text("log2($)", p, NULL), text("$", p, NULL), WAY_TREE, 2.5);
	add_over(m, slot, text("$", p, NULL), WAY_ALL_TO_ALL, 2);
	for (size_t k = 1; k < m->s->n_let; k++) {
		const char *fill = m->s->let[k].name;

		add_over(m, slot, text("$", fill, NULL), WAY_FILL, 2);
		add_both(m, slot, text("$", fill, NULL), text("sqrt($)", p, NULL), WAY_FILL, 2.5);
		add_both(m, slot, text("$", fill, NULL), text("$", p, NULL), WAY_FILL_WORK, 2);
	}
	mark_two_thirds(slot);
}

static void add_nodes(struct shape_maker *m, size_t column)
{
	const char *name = m->s->app->column[column].name;
	struct term_slot *slot = add_slot(m);

	if (!slot)
		return;
	add_over(m, slot, text("min($ - 1, 1)", name, NULL), WAY_MESSAGES, 1.5);
	add_over(m, slot, text("log2($)", name, NULL), WAY_TREE, 1.5);
}

static void add_side(struct shape_maker *m, size_t column)
{
	const char *name = m->s->app->column[column].name;
	struct term_slot *slot = add_slot(m);

	if (!slot)
		return;
	add_under(m, slot, text("$", name, NULL), WAY_DIVIDED, 1);
	add_over(m, slot, text("min($ - 1, 1)", name, NULL), WAY_MESSAGES, 1.5);
	add_over(m, slot, text("log2($)", name, NULL), WAY_TREE, 1);
	add_over(m, slot, text("$", name, NULL), WAY_ALL_TO_ALL, 2);
	add_over(m, slot, text("($ - 1)", name, NULL), WAY_FILL, 2);
}

static void add_threads(struct shape_maker *m, struct machine_columns *c)
{
	const char *name = m->s->app->column[c->threads].name;
	struct term_slot *slot;

	c->slot_threads = m->s->n_slots;
	if (!(slot = add_slot(m)))
		return;
	add_under(m, slot, text("$", name, NULL), WAY_NONE, 0.5);
}

/* Columns of one role that always move together, as the sides of cubes do, are one: runs tell them
 * apart by nothing, and most codes take their product. */
static bool are_twins(const struct config_table *t, size_t a, size_t b)
{
	const struct column *column = t->app->column;
	const double *first = config_table_row(t, 0);

	if (column[a].role != column[b].role || column[a].type == COL_TEXT ||
	    column[b].type == COL_TEXT)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);

		if (!(row[a] > 0 && row[b] > 0) ||
		    fabs(row[a] * first[b] - row[b] * first[a]) > 1e-12 * row[a] * first[b])
			return false;
	}
	return true;
}

/* "zones_x * zones_y * zones_z"; NULL: out of memory. *alone: it has no twin. */
static char *twins_of(const struct config_table *t, size_t column, bool *alone)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_puts(&s, t->app->column[column].name);
	*alone = true;
	for (size_t i = column + 1; i < t->app->n_columns; i++) {
		if (!are_twins(t, column, i))
			continue;
		strbuf_printf(&s, " * %s", t->app->column[i].name);
		*alone = false;
	}
	if (s.failed) {
		strbuf_release(&s);
		return NULL;
	}
	return s.buf;
}

static bool has_earlier_twin(const struct config_table *t, size_t column)
{
	for (size_t i = 0; i < column; i++) {
		if (are_twins(t, i, column))
			return true;
	}
	return false;
}

static void add_twins(struct shape_maker *m, const char *product, bool is_problem)
{
	struct term_slot *slot = add_slot(m);

	if (!slot)
		return;
	add_over(m, slot, text("$", product, NULL), WAY_NONE, 0.5);
	if (is_problem)
		add_over(m, slot, text("pow($, 2 / 3)", product, NULL), WAY_NONE, 0.5);
	else
		add_under(m, slot, text("$", product, NULL), WAY_NONE, 0.5);
	mark_two_thirds(slot);
}

static void add_tunable(struct shape_maker *m, size_t column)
{
	const struct column *col = &m->s->app->column[column];
	struct term_slot *slot = add_slot(m);

	if (!slot)
		return;
	add_over(m, slot, text("$", col->name, NULL), WAY_NONE, 0.5);
	if (!may_be_0(col))
		add_under(m, slot, text("$", col->name, NULL), WAY_NONE, 0.5);
}

/* Blocks of a problem column: of threads, of a tunable, of a side of the grid, of all processes. */
static void add_blocks(struct shape_maker *m, struct term_slot *slot, size_t a,
		       const struct machine_columns *c)
{
	const struct application *app = m->s->app;

	for (size_t b = 0; b < app->n_columns; b++) {
		const struct column *col = &app->column[b];
		const bool side = col->candidates == CAND_GRID;
		const size_t takes = b == c->threads ? c->slot_threads
				     : b == c->procs ? c->slot_procs
						     : SIZE_MAX;
		const double price = b == c->procs ? 3 : takes != SIZE_MAX ? 0.5 : side ? 1 : 1.5;
		char *block;

		if (col->type == COL_TEXT || may_be_0(col) ||
		    !(col->role == COL_TUNABLE || side || takes != SIZE_MAX) ||
		    !may_divide(m->t, a, b, col->role == COL_TUNABLE && !side))
			continue;
		block = text("ceil($ / @)", app->column[a].name, col->name);
		add_shape(m, slot, block != NULL, block, NULL,
			  side || b == c->procs ? WAY_DIVIDED : WAY_NONE, price, takes);
	}
}

static void add_problem(struct shape_maker *m, size_t column, const struct column_span *span,
			const struct machine_columns *c)
{
	const struct column *col = &m->s->app->column[column];
	const char *a = col->name;
	struct term_slot *slot = add_slot(m);

	if (!slot)
		return;
	if (span->lo <= 0) {
		add_over(m, slot, text("($ + 1)", a, NULL), WAY_NONE, 0.5);
		add_over(m, slot, text("($ + 1) * ($ + 1)", a, NULL), WAY_NONE, 1);
		return;
	}
	add_over(m, slot, text("$", a, NULL), WAY_NONE, 0.5);
	if (col->role == COL_WORKLOAD)
		return;
	add_over(m, slot, text("$ * $", a, NULL), WAY_NONE, 1);
	add_over(m, slot, text("$ * $ * $", a, NULL), WAY_NONE, 1.5);
	add_over(m, slot, text("pow($, 2 / 3)", a, NULL), WAY_NONE, 0.5);
	if (span->lo > 1 && !(isfinite(col->min) && col->min < 1))
		add_over(m, slot, text("$ * log2($)", a, NULL), WAY_NONE, 2);
	mark_two_thirds(slot);
	if (span->whole)
		add_blocks(m, slot, column, c);
}

/* ---- all of them ---- */

static void find_machine(const struct config_table *t, struct machine_columns *c, bool *has_sides)
{
	const struct application *app = t->app;
	const size_t column[] = {app->i_procs, app->i_nodes, app->i_threads};
	size_t varied[3];

	for (size_t k = 0; k < 3; k++) {
		struct column_span s;

		varied[k] = SIZE_MAX;
		if (column[k] == SIZE_MAX)
			continue;
		s = span_of(t, column[k]);
		if (s.told && s.hi > s.lo && s.lo >= 1)
			varied[k] = column[k];
	}
	*c = (struct machine_columns){varied[0], varied[1], varied[2], SIZE_MAX, SIZE_MAX};
	if (c->procs == SIZE_MAX) {
		c->procs = c->nodes;
		c->nodes = SIZE_MAX;
	}
	for (size_t i = 0; i < app->n_columns; i++)
		*has_sides = *has_sides || app->column[i].candidates == CAND_GRID;
}

static void add_columns(struct shape_maker *m)
{
	const struct application *app = m->s->app;
	struct machine_columns c;
	bool has_sides = false;

	find_machine(m->t, &c, &has_sides);
	if (c.procs != SIZE_MAX)
		add_procs(m, &c, has_sides);
	if (c.nodes != SIZE_MAX && !m->rc)
		add_nodes(m, c.nodes);
	if (c.threads != SIZE_MAX && !m->rc)
		add_threads(m, &c);
	for (size_t i = 0; i < app->n_columns && !m->rc; i++) {
		const struct column *col = &app->column[i];
		const struct column_span span = span_of(m->t, i);
		const bool side = col->candidates == CAND_GRID;
		char *product;
		bool alone;

		if (col->type == COL_TEXT || !span.told || !(span.hi > span.lo) || span.lo < 0 ||
		    (!has_sides && has_earlier_twin(m->t, i)))
			continue;
		product = twins_of(m->t, i, &alone);
		if (!product)
			fail_memory(m);
		else if (!alone && !has_sides && !side &&
			 (col->role == COL_PROBLEM || col->role == COL_TUNABLE))
			add_twins(m, product, col->role == COL_PROBLEM);
		else if (side && span.lo >= 1)
			add_side(m, i);
		else if (col->role == COL_TUNABLE && span.lo > 0)
			add_tunable(m, i);
		else if (col->role == COL_PROBLEM || col->role == COL_WORKLOAD)
			add_problem(m, i, &span, &c);
		free(product);
	}
}

static bool make_scope(const struct application *app, struct term_shapes *s)
{
	if (app->n_columns + TERM_LETS > APPLICATION_MAX_TERM_VALUES)
		return false;
	memcpy(s->name, app->scope_name, app->n_columns * sizeof *s->name);
	memcpy(s->levels, app->scope_levels, app->n_columns * sizeof *s->levels);
	s->scope = (struct expr_scope){
		.name = s->name, .levels = s->levels, .n = app->n_columns, .math = true};
	return true;
}

enum err_code term_shapes_make(const struct config_table *t, struct term_shapes **out,
			       struct err *e)
{
	struct term_shapes *s = calloc(1, sizeof *s);
	struct shape_maker m = {.s = s, .t = t, .e = e};

	if (!s)
		return err_set(e, ERR_NOMEM, "shapes of terms");
	s->app = t->app;
	s->n_rows = t->n;
	s->slot_procs = SIZE_MAX;
	if (!make_scope(t->app, s))
		m.rc = err_set(e, ERR_NODATA, "%zu columns are too many for terms",
			       t->app->n_columns);
	else
		add_columns(&m);
	if (!m.rc && s->n_slots == 0)
		m.rc = err_set(e, ERR_NODATA,
			       "no number of the problem, the tunables or the resources of %s "
			       "varies: there is nothing to make terms of",
			       t->app->name);
	if (m.rc)
		term_shapes_free(s);
	else
		*out = s;
	return m.rc;
}

void term_shapes_free(struct term_shapes *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_slots; i++) {
		for (size_t k = 0; k < s->slot[i].n; k++)
			release_shape(&s->slot[i].shape[k]);
	}
	for (size_t k = 0; k < s->n_let; k++) {
		free(s->let[k].name);
		free(s->let[k].text);
		expr_free(s->let[k].value);
	}
	free(s);
}

/* ---- terms ---- */

static const struct term_shape *shape_at(const struct term_shapes *s, const struct term_form *f,
					 size_t slot)
{
	return &s->slot[slot].shape[f->shape[slot]];
}

bool term_form_fits(const struct term_shapes *s, const struct term_form *f)
{
	const bool surface = s->slot_procs != SIZE_MAX && shape_at(s, f, s->slot_procs)->two_thirds;

	for (size_t i = 0; i < s->n_slots; i++) {
		const size_t takes = shape_at(s, f, i)->takes;

		if (shape_at(s, f, i)->two_thirds && !surface)
			return false;
		if (takes == SIZE_MAX)
			continue;
		if (f->shape[takes] != 0)
			return false;
		for (size_t j = 0; j < i; j++) {
			if (shape_at(s, f, j)->takes == takes)
				return false;
		}
	}
	return true;
}

double term_form_price(const struct term_shapes *s, const struct term_form *f)
{
	double sum = 0;

	for (size_t i = 0; i < s->n_slots; i++)
		sum += shape_at(s, f, i)->price;
	return sum;
}

void term_form_values(const struct term_shapes *s, const struct term_form *f, double *value)
{
	for (size_t r = 0; r < s->n_rows; r++)
		value[r] = 1;
	for (size_t i = 0; i < s->n_slots; i++) {
		const double *by = shape_at(s, f, i)->value;

		for (size_t r = 0; r < s->n_rows && f->shape[i] != 0; r++)
			value[r] *= by[r];
	}
}

void term_form_text(const struct term_shapes *s, const struct term_form *f, struct strbuf *out)
{
	size_t n_over = 0, n_under = 0, k = 0;

	/* problem and tunables first, the machine after them */
	for (size_t i = s->n_slots; i-- > 0;)
		n_under += f->shape[i] != 0 && shape_at(s, f, i)->under;
	for (size_t j = 0; j < 2; j++) {
		for (size_t i = 0; i < s->n_slots; i++) {
			const struct term_shape *shape = shape_at(s, f, i);
			const bool machine = shape->way != WAY_NONE;

			if (f->shape[i] != 0 && shape->over && machine == (j == 1))
				strbuf_printf(out, "%s%s", n_over++ ? " * " : "", shape->over);
		}
	}
	if (n_over == 0)
		strbuf_puts(out, "1");
	if (n_under > 0)
		strbuf_puts(out, n_under > 1 ? " / (" : " / ");
	for (size_t i = 0; i < s->n_slots; i++) {
		if (f->shape[i] != 0 && shape_at(s, f, i)->under)
			strbuf_printf(out, "%s%s", k++ ? " * " : "", shape_at(s, f, i)->under);
	}
	if (n_under > 1)
		strbuf_putc(out, ')');
}

enum term_way term_form_way(const struct term_shapes *s, const struct term_form *f)
{
	enum term_way way = WAY_NONE;

	for (size_t i = 0; i < s->n_slots; i++) {
		if (f->shape[i] != 0 && shape_at(s, f, i)->way > way)
			way = shape_at(s, f, i)->way;
	}
	return way;
}
