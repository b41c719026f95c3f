#include "ingest/column_mapping.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ingest/header_kin.h"
#include "ingest/header_match.h"
#include "ingest/mapping_check.h"

/* What is known about a column while the mapping is made. */
struct mapping_candidate {
	struct header_match match;
	bool by_user;	/* --map: beats what its name says */
	bool overruled; /* --machine or --source does */
	bool by_kin;	/* another word for it: yields to all others */
	bool unit_by_user;
};

struct mapping_maker {
	const struct text_table *table;
	const struct mapping_request *q;
	struct mapping_candidate *candidate; /* [n] */
	size_t n;
	struct column_mapping *m;
};

/* "COL=FIELD": COL may itself contain '='; a field never does. */
static enum err_code split_option(const struct text_table *t, const char *option, const char *flag,
				  size_t *i_column, const char **value, struct err *e)
{
	const char *equals = strrchr(option, '=');
	struct strbuf column = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (!equals || equals == option || !equals[1])
		return err_set(e, ERR_ARG, "%s %s: write COLUMN=%s", flag, option,
			       strcmp(flag, "--map") == 0 ? "FIELD" : "UNIT");
	strbuf_add(&column, option, (size_t)(equals - option));
	if (column.failed) {
		rc = err_set(e, ERR_NOMEM, "%s %s", flag, option);
	} else if ((*i_column = text_table_find(t, column.buf)) == SIZE_MAX) {
		struct strbuf headers = STRBUF_INIT;

		mapping_check_list_headers(t, &headers);
		rc = err_set(e, ERR_ARG, "%s %s: %s has no column '%s'; its columns are %s", flag,
			     option, text_table_name(t), column.buf, strbuf_text(&headers));
		strbuf_release(&headers);
	}
	strbuf_release(&column);
	*value = equals + 1;
	return rc;
}

static enum err_code unknown_field(const struct mapping_maker *k, const char *option,
				   const char *field, struct err *e)
{
	struct strbuf fields = STRBUF_INIT;
	enum err_code rc;

	mapping_check_list_fields(k->q->app, &fields);
	rc = err_set(e, ERR_ARG, "--map %s: there is no field '%s' for %s; fields are %s", option,
		     field, k->q->app->name, strbuf_text(&fields));
	strbuf_release(&fields);
	return rc;
}

/* A unit in the header holds for a column that --map names, too. */
static void take_header_unit(const struct application *a, const char *header,
			     struct header_match *match)
{
	const char *stored = header_match_stored_unit(a, match);
	struct header_name split;

	if (!header_name_read(header, &split) || !*split.unit ||
	    !cell_unit_between(split.unit, stored, &match->unit))
		return;
	match->unit_from = !split.bracketed && strcmp(split.unit, "min") == 0 ? UNIT_AMBIGUOUS
									      : UNIT_IN_HEADER;
}

static enum err_code apply_map(struct mapping_maker *k, struct err *e)
{
	for (const char *const *option = k->q->map; option && *option; option++) {
		struct header_match match;
		const char *field;
		enum err_code rc;
		size_t i;

		if ((rc = split_option(k->table, *option, "--map", &i, &field, e)))
			return rc;
		match = header_match_field(k->q->app, field);
		if (match.kind == FIELD_KIND_COUNT)
			return unknown_field(k, *option, field, e);
		if (k->candidate[i].by_user)
			return err_set(e, ERR_ARG, "--map %s: the column was given a field before",
				       *option);
		take_header_unit(k->q->app, text_table_column(k->table, i), &match);
		k->candidate[i].match = match;
		k->candidate[i].by_user = true;
	}
	return ERR_OK;
}

static enum err_code apply_unit(struct mapping_maker *k, struct err *e)
{
	for (const char *const *option = k->q->unit; option && *option; option++) {
		struct mapping_candidate *c;
		const char *unit;
		const char *stored;
		enum err_code rc;
		size_t i;

		if ((rc = split_option(k->table, *option, "--unit", &i, &unit, e)))
			return rc;
		c = &k->candidate[i];
		stored = header_match_stored_unit(k->q->app, &c->match);
		if (!cell_unit_known(stored))
			return err_set(e, ERR_ARG,
				       "--unit %s: the column is no time and no size, so it has no "
				       "unit to choose",
				       *option);
		if (!cell_unit_between(unit, stored, &c->match.unit))
			return err_set(
				e, ERR_ARG, "--unit %s: '%s' is no unit of %s", *option, unit,
				cell_unit_seconds(stored) > 0
					? "time: write ns, us, ms, s, min, h, d, or hms or hm for "
					  "times like 00:01:40"
					: "size: write B, kB, MB, GB, KiB, MiB or GiB");
		c->match.unit_from = UNIT_OF_FIELD;
		c->unit_by_user = true;
	}
	return ERR_OK;
}

static bool is_of_same_field(const struct header_match *a, const struct header_match *b)
{
	bool many = a->kind == FIELD_EXTRA || a->kind == FIELD_DROP || a->kind == FIELD_KIND_COUNT;

	return !many && a->kind == b->kind && a->index == b->index;
}

/* Another word for a field is taken where no column names that field, and no other word does. */
static enum err_code apply_kin(struct mapping_maker *k, struct err *e)
{
	struct header_match *kin;

	if (k->q->exact)
		return ERR_OK;
	kin = calloc(k->n + 1, sizeof *kin);
	if (!kin)
		return err_set(e, ERR_NOMEM, "mapping of %zu columns", k->n);
	for (size_t i = 0; i < k->n; i++) {
		kin[i] = k->candidate[i].match;
		if (!k->candidate[i].by_user && kin[i].kind == FIELD_KIND_COUNT)
			kin[i] = header_kin_find(k->q->app, text_table_column(k->table, i));
	}
	for (size_t i = 0; i < k->n; i++) {
		struct mapping_candidate *c = &k->candidate[i];
		bool alone = c->match.kind == FIELD_KIND_COUNT && kin[i].kind != FIELD_KIND_COUNT;

		for (size_t other = 0; alone && other < k->n; other++)
			alone = other == i || !is_of_same_field(&kin[other], &kin[i]);
		if (alone) {
			c->match = kin[i];
			c->by_kin = true;
		}
	}
	free(kin);
	return ERR_OK;
}

static void keep_apart(struct mapping_candidate *c)
{
	c->match.kind = FIELD_EXTRA;
	c->by_kin = false;
	c->match.unit = cell_unit_same;
	c->match.unit_from = UNIT_OF_FIELD;
}

/* What the options decide about columns that name themselves. */
static void apply_request(struct mapping_maker *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct mapping_candidate *c = &k->candidate[i];
		enum field_kind kind = c->match.kind;
		bool for_runs_only = kind == FIELD_TIME || kind == FIELD_SOURCE ||
				     kind == FIELD_STATUS || kind == FIELD_EXIT ||
				     kind == FIELD_LIMIT || kind == FIELD_REPEAT ||
				     kind == FIELD_N_REPEATS;

		if (c->by_user)
			continue;
		c->overruled = (kind == FIELD_MACHINE && k->q->machine_given) ||
			       (kind == FIELD_SOURCE && k->q->source_given);
		if (c->overruled || (for_runs_only && k->q->configurations))
			keep_apart(c);
		if (kind == FIELD_KIND_COUNT) {
			keep_apart(c);
			if (!*text_table_column(k->table, i) ||
			    (!k->q->keep_personal &&
			     field_is_personal(text_table_column(k->table, i))))
				c->match.kind = FIELD_DROP;
		}
	}
}

/* The place in the mapping that says which column fills a field; NULL where many may. */
static size_t *owner(struct column_mapping *m, const struct header_match *match)
{
	switch (match->kind) {
	case FIELD_COLUMN:
		return &m->of_column[match->index];
	case FIELD_LOCAL:
		return &m->of_local[match->index];
	case FIELD_EXTRA:
	case FIELD_DROP:
		return NULL;
	default:
		return &m->of_kind[match->kind];
	}
}

static enum err_code two_for_one(const struct mapping_maker *k, size_t first, size_t second,
				 struct err *e)
{
	const struct header_match *match = &k->candidate[first].match;
	const char *field = field_kind_name(match->kind);
	struct strbuf map = STRBUF_INIT;
	enum err_code rc;

	if (match->kind == FIELD_COLUMN)
		field = k->q->app->column[match->index].name;
	else if (match->kind == FIELD_LOCAL)
		field = k->q->app->local[match->index].name;
	if (k->q->configurations) /* there is no --map */
		return err_set(e, ERR_PARSE,
			       "%s:%llu: '%s' and '%s' both name the field %s: leave one out",
			       text_table_name(k->table),
			       (unsigned long long)text_table_header_line(k->table),
			       text_table_column(k->table, first),
			       text_table_column(k->table, second), field);
	header_kin_put_map(text_table_column(k->table, first), field, &map);
	rc = err_set(
		e, ERR_PARSE, "%s:%llu: '%s' and '%s' both name the field %s: choose one with %s",
		text_table_name(k->table), (unsigned long long)text_table_header_line(k->table),
		text_table_column(k->table, first), text_table_column(k->table, second), field,
		strbuf_text(&map));
	strbuf_release(&map);
	return rc;
}

/* "time (inc)" beside "time (exc)", by a flag */
static bool is_named_target(const struct mapping_maker *k, const struct mapping_candidate *c)
{
	return k->q->exact && strcmp(text_table_column(k->table, (size_t)(c - k->candidate)),
				     k->q->app->target) == 0;
}

/* Does candidate a win the field over b, so that b is kept apart? */
static bool outranks(const struct mapping_maker *k, const struct mapping_candidate *a,
		     const struct mapping_candidate *b)
{
	if (a->by_user != b->by_user)
		return a->by_user;
	if (a->match.kind == FIELD_TIME && is_named_target(k, a) != is_named_target(k, b))
		return is_named_target(k, a);
	return a->match.kind == FIELD_TIME && a->match.rank < b->match.rank;
}

static enum err_code claim_fields(struct mapping_maker *k, struct err *e)
{
	for (size_t i = 0; i < k->n; i++) {
		struct mapping_candidate *c = &k->candidate[i];
		size_t *place = owner(k->m, &c->match);
		struct mapping_candidate *before;

		if (!place || *place == SIZE_MAX) {
			if (place)
				*place = i;
			continue;
		}
		before = &k->candidate[*place];
		if (outranks(k, before, c)) {
			keep_apart(c);
		} else if (outranks(k, c, before)) {
			keep_apart(before);
			*place = i;
		} else {
			return two_for_one(k, *place, i, e);
		}
	}
	return ERR_OK;
}

static void drop_kind(struct mapping_maker *k, enum field_kind kind)
{
	if (k->m->of_kind[kind] == SIZE_MAX)
		return;
	keep_apart(&k->candidate[k->m->of_kind[kind]]);
	k->m->of_kind[kind] = SIZE_MAX;
}

/* Processes per node only serve to find the number of nodes, an exit code to find the status. */
static void drop_needless(struct mapping_maker *k)
{
	size_t i_nodes = k->q->app->i_nodes;

	if (i_nodes == SIZE_MAX || k->m->of_column[i_nodes] != SIZE_MAX)
		drop_kind(k, FIELD_PPN);
	if (k->m->of_kind[FIELD_STATUS] != SIZE_MAX)
		drop_kind(k, FIELD_EXIT);
}

static enum err_code check_units(const struct mapping_maker *k, struct err *e)
{
	for (size_t i = 0; i < k->n; i++) {
		const char *header = text_table_column(k->table, i);
		const struct header_match *match = &k->candidate[i].match;

		if (match->unit_from == UNIT_WRONG)
			return err_set(
				e, ERR_PARSE,
				"%s:%llu: %s: the header's unit does not fit; say what it is "
				"with --unit '%s=UNIT'",
				text_table_name(k->table),
				(unsigned long long)text_table_header_line(k->table), header,
				header);
		if (match->unit_from == UNIT_AMBIGUOUS)
			return err_set(e, ERR_PARSE,
				       "%s:%llu: %s: minutes or the minimum? Say --unit %s=min, or "
				       "--map %s=extra to leave it aside",
				       text_table_name(k->table),
				       (unsigned long long)text_table_header_line(k->table), header,
				       header, header);
	}
	return ERR_OK;
}

/* A CSV table may leave seconds unsaid, as people do. Other formats have their habits: Kernel Tuner
 * counts milliseconds, Caliper once counted microseconds. */
static enum err_code check_time_unit(const struct mapping_maker *k, struct err *e)
{
	size_t i = k->m->of_kind[FIELD_TIME];
	struct header_name split;
	const char *header;

	if (i == SIZE_MAX || !text_table_needs_unit(k->table, i) || k->candidate[i].unit_by_user ||
	    (!k->q->exact && k->candidate[i].match.unit_from != UNIT_ASSUMED))
		return ERR_OK;
	header = text_table_column(k->table, i);
	if (header_name_read(header, &split) && cell_unit_seconds(split.unit) > 0)
		return ERR_OK;
	return err_set(e, ERR_PARSE,
		       "%s:%llu: the file does not say in which unit '%s' is: say it with --unit "
		       "'%s=s' (or ms, us, ns, min, h)",
		       text_table_name(k->table),
		       (unsigned long long)text_table_header_line(k->table), header, header);
}

static enum err_code allocate(struct mapping_maker *k, struct err *e)
{
	const struct application *a = k->q->app;
	struct column_mapping *m = k->m;

	k->candidate = calloc(k->n + 1, sizeof *k->candidate);
	m->field = calloc(k->n + 1, sizeof *m->field);
	m->of_column = calloc(a->n_columns + 1, sizeof *m->of_column);
	m->of_local = calloc(a->n_local + 1, sizeof *m->of_local);
	if (!k->candidate || !m->field || !m->of_column || !m->of_local)
		return err_set(e, ERR_NOMEM, "mapping of %zu columns", k->n);
	for (size_t i = 0; i < a->n_columns; i++)
		m->of_column[i] = SIZE_MAX;
	for (size_t i = 0; i < a->n_local; i++)
		m->of_local[i] = SIZE_MAX;
	for (size_t i = 0; i < FIELD_KIND_COUNT; i++)
		m->of_kind[i] = SIZE_MAX;
	return ERR_OK;
}

/* "00:01:40" needs no unit. */
static bool is_clock(const struct mapping_maker *k, size_t i)
{
	const struct table_record *first = k->q->first;
	double seconds;

	return first && first->raw && !first->bad &&
	       cell_clock(first->field[i], CLOCK_HMS, '.', &seconds) == CLOCK_OK;
}

static bool header_names_unit(const struct mapping_maker *k, size_t i)
{
	struct header_name split;

	return header_name_read(text_table_column(k->table, i), &split) &&
	       cell_unit_seconds(split.unit) > 0;
}

static void settle(struct mapping_maker *k)
{
	size_t i_time = k->m->of_kind[FIELD_TIME];

	for (size_t i = 0; i < k->n; i++) {
		const struct header_match *match = &k->candidate[i].match;

		k->m->field[i].kind = match->kind;
		k->m->field[i].index = match->index;
		k->m->field[i].unit = match->unit;
		k->m->field[i].unit_assumed = match->unit_from == UNIT_ASSUMED && !is_clock(k, i);
		k->m->field[i].unit_named = k->candidate[i].unit_by_user || header_names_unit(k, i);
		k->m->field[i].derived = match->derived && match->kind == FIELD_EXTRA;
		k->m->field[i].overruled = k->candidate[i].overruled;
		k->m->field[i].by_kin = k->candidate[i].by_kin;
		k->m->field[i].by_user = k->candidate[i].by_user;
	}
	k->m->time_is_aggregate =
		i_time != SIZE_MAX && k->candidate[i_time].match.rank == RANK_AGGREGATE;
}

enum err_code column_mapping_make(const struct text_table *t, const struct mapping_request *q,
				  struct column_mapping *out, struct err *e)
{
	struct column_mapping m = {.app = q->app, .table = t};
	struct mapping_maker k = {.table = t, .q = q, .n = text_table_n_columns(t), .m = &m};
	enum err_code rc;

	if ((rc = allocate(&k, e)))
		goto done;
	for (size_t i = 0; i < k.n; i++)
		k.candidate[i].match = header_match_find(q->app, text_table_column(t, i));
	if ((rc = apply_map(&k, e)) || (rc = apply_kin(&k, e)) || (rc = apply_unit(&k, e)))
		goto done;
	apply_request(&k);
	if ((rc = claim_fields(&k, e)))
		goto done;
	drop_needless(&k);
	if ((rc = check_units(&k, e)) || (rc = check_time_unit(&k, e)))
		goto done;
	settle(&k);
	rc = mapping_check(&m, q, e);
	if (!rc && q->notes)
		mapping_check_put_notes(&m, q->notes);
done:
	free(k.candidate);
	if (rc)
		column_mapping_release(&m);
	else
		*out = m;
	return rc;
}

void column_mapping_release(struct column_mapping *m)
{
	free(m->field);
	free(m->of_column);
	free(m->of_local);
	*m = (struct column_mapping){0};
}

const char *column_mapping_field_name(const struct column_mapping *m, const struct mapped_field *f)
{
	if (f->kind == FIELD_COLUMN)
		return m->app->column[f->index].name;
	if (f->kind == FIELD_LOCAL)
		return m->app->local[f->index].name;
	if (f->outcome != OUTCOME_NONE)
		return "outcome";
	return field_kind_name(f->kind);
}

void column_mapping_put_text(const struct column_mapping *m, struct strbuf *out)
{
	for (size_t i = 0; i < text_table_n_columns(m->table); i++) {
		const struct mapped_field *f = &m->field[i];
		const char *header = text_table_column(m->table, i);

		if (i > 0)
			strbuf_putc(out, ';');
		if (header[strcspn(header, ";=\"")])
			strbuf_put_sql_name(out, header);
		else
			strbuf_puts(out, header);
		strbuf_printf(out, "=%s", column_mapping_field_name(m, f));
		if (f->unit.multiplier != 1) {
			strbuf_putc(out, '*');
			strbuf_put_number(out, f->unit.multiplier);
		}
		if (f->unit.divisor != 1) {
			strbuf_putc(out, '/');
			strbuf_put_number(out, f->unit.divisor);
		}
		if (f->unit.clock != CLOCK_ANY && f->kind != FIELD_LIMIT)
			strbuf_puts(out, f->unit.clock == CLOCK_HMS ? "*hms" : "*hm");
	}
}

enum err_code column_mapping_find(const struct text_table *t, const char *const *map,
				  enum field_kind kind, size_t *out, struct err *e)
{
	size_t by_name = SIZE_MAX;

	for (; map && *map; map++) {
		const char *field;
		enum err_code rc;
		size_t i;

		/* Any other mistake in --map is told when the application is known. */
		rc = split_option(t, *map, "--map", &i, &field, NULL);
		if (rc == ERR_NOMEM)
			return err_set(e, rc, "--map %s", *map);
		if (!rc && strcasecmp(field, field_kind_name(kind)) == 0) {
			*out = i;
			return ERR_OK;
		}
	}
	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		if (field_kind_of_header(text_table_column(t, i)) == kind && by_name == SIZE_MAX)
			by_name = i;
	}
	*out = by_name;
	return ERR_OK;
}
