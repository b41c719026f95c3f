#include "domain/application_private.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The sections of a definition and the role of their columns, in the order of the columns. */
static const struct section {
	const char *key;
	enum column_role role;
	const char *known[14];
} sections[] = {
	{"problem", COL_PROBLEM, {"name", "type", "unit", "doc", "aliases", "min", "max", "flag"}},
	{"workload",
	 COL_WORKLOAD,
	 {"name", "type", "unit", "doc", "aliases", "min", "max", "flag", "default"}},
	{"resources",
	 COL_RESOURCE,
	 {"name", "type", "unit", "doc", "aliases", "min", "max", "flag", "candidates", "of",
	  "list"}},
	{"tunables",
	 COL_TUNABLE,
	 {"name", "type", "unit", "doc", "aliases", "min", "max", "flag", "candidates", "of",
	  "list"}},
	{"derived", COL_DERIVED, {"name", "unit", "doc", "aliases", "expr"}},
};
enum { N_SECTIONS = sizeof sections / sizeof sections[0] };

/* One of the words; 0, the first, when absent or wrong (then with an error). */
static size_t read_word(struct conf *c, const config_setting_t *g, const char *key,
			const char *const *word, size_t n)
{
	struct strbuf all = STRBUF_INIT;
	char *text = conf_text(c, g, key);
	size_t found = 0;

	while (text && found < n && strcmp(word[found], text) != 0)
		found++;
	if (found == n) {
		for (size_t i = 0; i < n; i++)
			strbuf_printf(&all, "%s%s", i ? ", " : "", word[i]);
		conf_fail(c, conf_at(g, key), "'%s' is no %s; there are %s", text, key,
			  strbuf_text(&all));
		found = 0;
	}
	strbuf_release(&all);
	free(text);
	return found;
}

/* May the column hold this value? at names the key in the message. */
static void check_value(struct conf *c, const config_setting_t *at, const struct column *col,
			double value)
{
	if (col->type == COL_INT && trunc(value) != value)
		conf_fail(c, at, "%g is no integer, and column '%s' holds integers", value,
			  col->name);
	if (!isfinite(value) || value < col->min || value > col->max)
		conf_fail(c, at, "%g is outside the column's own min and max", value);
}

static void read_range(struct conf *c, const config_setting_t *g, struct column *col)
{
	const double exact = 9007199254740992.0; /* 2^53, the largest integer that is exact */

	col->min = conf_number(c, g, "min", -INFINITY);
	col->max = conf_number(c, g, "max", INFINITY);
	if (col->type == COL_TEXT && (isfinite(col->min) || isfinite(col->max)))
		conf_fail(c, g, "column '%s' is text: it has no min and max", col->name);
	if (col->min > col->max)
		conf_fail(c, conf_at(g, "min"), "min = %g is greater than max = %g", col->min,
			  col->max);
	if (col->type == COL_INT && ((isfinite(col->min) && fabs(col->min) > exact) ||
				     (isfinite(col->max) && fabs(col->max) > exact)))
		conf_fail(c, g, "integers go up to 2^53 = 9007199254740992");
}

static void read_default(struct conf *c, const config_setting_t *g, struct column *col)
{
	col->dflt = conf_number(c, g, "default", (double)NAN);
	if (isnan(col->dflt))
		return;
	if (col->type == COL_TEXT)
		conf_fail(c, conf_at(g, "default"), "a text column has no default");
	check_value(c, conf_at(g, "default"), col, col->dflt);
}

/* `of` is left as it is: the column it names may stand further down. */
static void read_candidates(struct conf *c, const config_setting_t *g, struct column *col)
{
	static const char *const word[] = {[CAND_SEEN] = "seen",
					   [CAND_DIVISORS] = "divisors",
					   [CAND_RANGE] = "range",
					   [CAND_LIST] = "list",
					   [CAND_GRID] = "grid"};

	col->candidates =
		(enum candidates)read_word(c, g, "candidates", word, sizeof word / sizeof word[0]);
	col->of = SIZE_MAX;
	col->list = conf_numbers(c, g, "list", &col->n_list);
	for (size_t i = 0; i < col->n_list; i++)
		check_value(c, conf_at(g, "list"), col, col->list[i]);
	if ((col->candidates == CAND_LIST) != (col->n_list > 0))
		conf_fail(c, g, "'candidates = \"list\"' and 'list = [ ... ]' go together");
	if (col->type != COL_INT && col->candidates != CAND_SEEN && col->candidates != CAND_LIST)
		conf_fail(c, g, "candidates '%s' want a column of integers", word[col->candidates]);
	if (col->type == COL_TEXT && col->candidates == CAND_LIST)
		conf_fail(c, g, "a text column takes its candidates from the runs: \"seen\"");
}

static void read_column(struct conf *c, const config_setting_t *g, const struct section *section,
			struct column *col)
{
	static const char *const type[] = {
		[COL_INT] = "int", [COL_REAL] = "real", [COL_TEXT] = "text"};

	conf_check_keys(c, g, section->known);
	col->role = section->role;
	col->name = conf_required_text(c, g, "name");
	col->unit = conf_text(c, g, "unit");
	col->doc = conf_text(c, g, "doc");
	col->flag = conf_text(c, g, "flag");
	col->alias = conf_texts(c, g, "aliases", &col->n_alias);
	col->type = (enum column_type)read_word(c, g, "type", type, sizeof type / sizeof type[0]);
	if (!col->unit)
		col->unit = strdup("");
	if (!col->doc)
		col->doc = strdup("");
	if (!col->unit || !col->doc)
		conf_fail_memory(c);
	read_range(c, g, col);
	read_default(c, g, col);
	read_candidates(c, g, col);
	if (c->rc == ERR_OK && !expr_is_name(col->name))
		conf_fail(c, conf_at(g, "name"),
			  "'%s' cannot be a column: a name is a letter or _, then letters, digits "
			  "and _, and no word of the condition language",
			  col->name);
	if (c->rc == ERR_OK && application_reserves_name(col->name))
		conf_fail(c, conf_at(g, "name"),
			  "'%s' cannot be a column: the run table has one of that name", col->name);
}

/* "of" names a column of integers that is given, so that it can be enumerated. */
static void resolve_of(struct conf *c, const config_setting_t *g, const struct application *a,
		       struct column *col)
{
	char *of = conf_text(c, g, "of");

	if (of) {
		col->of = application_find_name(a, of);
		if (col->of == SIZE_MAX)
			conf_fail(c, conf_at(g, "of"), "there is no column '%s'", of);
		else if (a->column[col->of].type != COL_INT ||
			 a->column[col->of].role == COL_DERIVED || &a->column[col->of] == col)
			conf_fail(c, conf_at(g, "of"),
				  "'of' wants another column of integers that is not derived");
		else if (col->candidates != CAND_DIVISORS && col->candidates != CAND_RANGE)
			conf_fail(c, conf_at(g, "of"),
				  "'of' goes with candidates \"divisors\" or \"range\"");
	} else if (col->candidates == CAND_DIVISORS) {
		conf_fail(c, g, "candidates \"divisors\" want 'of = \"COLUMN\"'");
	} else if (col->candidates == CAND_RANGE && !isfinite(col->max)) {
		conf_fail(c, g, "candidates \"range\" want 'max' or 'of = \"COLUMN\"'");
	}
	if (col->candidates == CAND_RANGE && !isfinite(col->min))
		conf_fail(c, g, "candidates \"range\" want 'min'");
	free(of);
}

static bool make_scope(struct application *a)
{
	a->scope_name = calloc(a->n_columns + 1, sizeof *a->scope_name);
	a->scope_levels = calloc(a->n_columns + 1, sizeof *a->scope_levels);
	a->scope_integer = calloc(a->n_columns + 1, sizeof *a->scope_integer);
	if (!a->scope_name || !a->scope_levels || !a->scope_integer)
		return false;
	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *col = &a->column[i];

		a->scope_name[i] = col->name;
		a->scope_levels[i] = col->type == COL_TEXT ? &col->levels : NULL;
		/* A derived column is an expression in SQL, whose type is not known for sure. */
		a->scope_integer[i] = col->type == COL_INT && col->role != COL_DERIVED;
	}
	a->scope =
		(struct expr_scope){a->scope_name, a->scope_levels, a->n_columns, a->scope_integer};
	return true;
}

void application_read_columns(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list[N_SECTIONS];
	size_t n = 0;

	for (size_t s = 0; s < N_SECTIONS; s++) {
		list[s] = conf_list(c, top, sections[s].key);
		n += conf_length(list[s]);
	}
	if (n == 0)
		conf_fail(c, top, "no columns: declare problem, tunables or resources");
	/* One block that never moves: the scope points at the levels inside. */
	a->column = calloc(n + 1, sizeof *a->column);
	if (!a->column)
		conf_fail_memory(c);
	for (size_t s = 0; s < N_SECTIONS; s++) {
		for (size_t i = 0; i < conf_length(list[s]) && c->rc == ERR_OK; i++)
			read_column(c, conf_item(list[s], i), &sections[s],
				    &a->column[a->n_columns++]);
	}
	for (size_t s = 0, at = 0; s < N_SECTIONS; s++) {
		for (size_t i = 0; i < conf_length(list[s]) && c->rc == ERR_OK; i++)
			resolve_of(c, conf_item(list[s], i), a, &a->column[at++]);
	}
	if (c->rc == ERR_OK && !make_scope(a))
		conf_fail_memory(c);
}

const config_setting_t *application_declaration(const config_setting_t *top, size_t i)
{
	for (size_t s = 0; s < N_SECTIONS; s++) {
		const config_setting_t *list = config_setting_get_member(top, sections[s].key);

		if (i < conf_length(list))
			return conf_item(list, i);
		i -= conf_length(list);
	}
	return top;
}
