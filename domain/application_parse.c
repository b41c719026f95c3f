#include "domain/application.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/units.h"
#include "domain/application_private.h"

/* The sections of a definition and the role of their columns, in the order of the columns. */
static const struct definition_section {
	const char *key;
	enum column_role role;
	const char *known;
} sections[] = {
	{"problem", COL_PROBLEM, "name type unit doc aliases min max flag"},
	{"workload", COL_WORKLOAD, "name type unit doc aliases min max flag default"},
	{"resources", COL_RESOURCE, "name type unit doc aliases min max flag candidates of list"},
	{"tunables", COL_TUNABLE, "name type unit doc aliases min max flag candidates of list"},
	{"derived", COL_DERIVED, "name unit doc aliases expr"},
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

static void read_column(struct conf *c, const config_setting_t *g,
			const struct definition_section *section, struct column *col)
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
	a->scope = (struct expr_scope){a->scope_name, a->scope_levels, a->n_columns,
				       a->scope_integer, false};
	return true;
}

static void application_read_columns(struct conf *c, const config_setting_t *top,
				     struct application *a)
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

/* Compile an expression; the message gets the definition's file and line. */
static struct expr *compile(struct conf *c, const config_setting_t *at, const char *text,
			    const struct expr_scope *scope, const char *remark)
{
	struct err inner = {0};
	struct expr *x = NULL;

	if (!text || c->rc != ERR_OK)
		return NULL;
	if (expr_parse(text, scope, &x, &inner) != ERR_OK)
		conf_fail_inner(c, at, remark, &inner);
	return x;
}

/* A derived column sees the columns above it only, so there are no cycles, and one pass in order
 * computes them all. */
static void application_read_derived(struct conf *c, const config_setting_t *top,
				     struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "derived");
	size_t first = a->n_columns - conf_length(list);
	bool *integer = calloc(a->n_columns + 1, sizeof *integer);

	if (!integer) {
		conf_fail_memory(c);
		return;
	}
	for (size_t i = 0; i < a->n_columns && c->rc == ERR_OK; i++) {
		struct column *col = &a->column[i];

		if (i >= first) {
			const config_setting_t *g = conf_item(list, i - first);
			struct expr_scope above = a->scope;
			char *text = conf_required_text(c, g, "expr");

			above.n = i;
			col->derived = compile(c, conf_at(g, "expr"), text, &above,
					       "(a derived column may use the columns above it) ");
			free(text);
			if (!col->derived)
				break;
			col->type = expr_is_integer(col->derived, integer) ? COL_INT : COL_REAL;
		}
		integer[i] = col->type == COL_INT;
	}
	free(integer);
}

/* The list `key` of rules { rule, why }; what was read is in *out also after an error. */
static void application_read_rules(struct conf *c, const config_setting_t *group, const char *key,
				   const struct application *a, struct legality **out, size_t *n)
{
	const config_setting_t *list = conf_list(c, group, key);

	if (conf_length(list) == 0)
		return;
	*out = calloc(conf_length(list), sizeof **out);
	if (!*out) {
		conf_fail_memory(c);
		return;
	}
	while (*n < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *g = conf_item(list, *n);
		struct legality *rule = &(*out)[(*n)++];

		conf_check_keys(c, g, "rule why");
		rule->text = conf_required_text(c, g, "rule");
		rule->why = conf_required_text(c, g, "why");
		rule->condition = compile(c, conf_at(g, "rule"), rule->text, &a->scope, "");
	}
}

static void application_read_legality(struct conf *c, const config_setting_t *top,
				      struct application *a)
{
	application_read_rules(c, top, "legality", a, &a->legality, &a->n_legality);
}

static void application_read_memory(struct conf *c, const config_setting_t *top,
				    struct application *a)
{
	char *text = conf_text(c, top, "memory_bytes_per_proc");

	a->memory_bytes_per_proc =
		compile(c, conf_at(top, "memory_bytes_per_proc"), text, &a->scope, "");
	free(text);
}

/* A template that must be there; the message gets the definition's file and line. */
static struct template *read_template(struct conf *c, const config_setting_t *g, const char *key,
				      const struct application *a)
{
	char *text = conf_required_text(c, g, key);
	struct template *t = NULL;
	struct err inner = {0};
	char remark[80];

	snprintf(remark, sizeof remark, "'%s': ", key);
	if (text && c->rc == ERR_OK && template_parse(text, &a->scope, &t, &inner) != ERR_OK)
		conf_fail_inner(c, conf_at(g, key), remark, &inner);
	free(text);
	return t;
}

/* The text becomes a line of a shell script. */
static void check_command(struct conf *c, const config_setting_t *job)
{
	char *text = conf_text(c, job, "command");

	for (const char *p = text; p && *p; p++) {
		if ((unsigned char)*p < ' ' || *p == '\x7f') {
			conf_fail(c, conf_at(job, "command"), "'command' is one line");
			break;
		}
	}
	free(text);
}

static void read_input_file(struct conf *c, const config_setting_t *g, const struct application *a,
			    struct input_file *out)
{
	conf_check_keys(c, g, "name text");
	out->name = conf_required_text(c, g, "name");
	if (out->name && !application_name_is_legal(out->name))
		conf_fail(
			c, conf_at(g, "name"),
			"the file name '%s' wants a letter or digit, then letters, digits, _ . or "
			"-",
			out->name);
	out->text = read_template(c, g, "text", a);
}

static void read_input_files(struct conf *c, const config_setting_t *job, struct application *a)
{
	const config_setting_t *list = conf_list(c, job, "input_files");
	struct job_template *out = &a->job;

	if (conf_length(list) == 0)
		return;
	out->input = calloc(conf_length(list), sizeof *out->input);
	if (!out->input) {
		conf_fail_memory(c);
		return;
	}
	while (out->n_input < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *g = conf_item(list, out->n_input);
		struct input_file *file = &out->input[out->n_input++];

		read_input_file(c, g, a, file);
		for (struct input_file *f = out->input; f < file && c->rc == ERR_OK; f++) {
			if (strcmp(f->name, file->name) == 0)
				conf_fail(c, g, "the file '%s' is declared twice", f->name);
		}
	}
}

static void application_read_job(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *g = conf_group(c, top, "job");

	if (!g)
		return;
	conf_check_keys(c, g, "command input_files required");
	a->job.command = read_template(c, g, "command", a);
	check_command(c, g);
	read_input_files(c, g, a);
	application_read_rules(c, g, "required", a, &a->job.required, &a->job.n_required);
}

bool application_name_is_legal(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-";

	return !strchr("_.-", name[0]) && !name[strspn(name, allowed)];
}

static void read_name(struct conf *c, const config_setting_t *top, struct application *a)
{
	a->name = conf_required_text(c, top, "name");
	if (a->name && !application_name_is_legal(a->name))
		conf_fail(c, conf_at(top, "name"),
			  "the name '%s' wants a letter or digit, then letters, digits, _ . or -",
			  a->name);
	a->title = conf_text(c, top, "title");
	a->alias = conf_texts(c, top, "aliases", &a->n_alias);
	a->model = conf_text(c, top, "model");
	a->ad_hoc = conf_bool(c, top, "ad_hoc", false);
}

static void read_target(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *g = conf_group(c, top, "target");
	char *unit;

	if (!g) {
		if (c->rc == ERR_OK)
			conf_fail(
				c, top,
				"'target' is missing: target = { name = \"runtime\"; unit = \"s\"; "
				"}; names the column of the run time");
		return;
	}
	conf_check_keys(c, g, "name aliases unit");
	a->target = conf_required_text(c, g, "name");
	a->target_alias = conf_texts(c, g, "aliases", &a->n_target_alias);
	a->target_unit_s = 1;
	if ((unit = conf_text(c, g, "unit"))) {
		a->target_unit_s = time_unit_s(unit);
		if (a->target_unit_s == 0)
			conf_fail(c, conf_at(g, "unit"),
				  "'%s' is no unit of time; there are ns, us, ms, s, min, h and d",
				  unit);
		free(unit);
	}
}

/* A column that a group or local size refers to, by its own name; SIZE_MAX with the error. */
static size_t find_column(struct conf *c, const config_setting_t *at, const struct application *a,
			  const char *name)
{
	size_t i;

	if (!name || c->rc != ERR_OK)
		return SIZE_MAX;
	i = application_find_name(a, name);
	if (i == SIZE_MAX)
		conf_fail(c, at, "there is no column '%s'", name);
	return i;
}

static void read_local_size(struct conf *c, const config_setting_t *g, const struct application *a,
			    struct local_size *out)
{
	char *global;
	char *by;

	conf_check_keys(c, g, "name global by");
	global = conf_required_text(c, g, "global");
	by = conf_required_text(c, g, "by");
	out->name = conf_required_text(c, g, "name");
	out->global = find_column(c, conf_at(g, "global"), a, global);
	out->by = find_column(c, conf_at(g, "by"), a, by);
	if (c->rc == ERR_OK &&
	    (a->column[out->global].type != COL_INT || a->column[out->global].role == COL_DERIVED ||
	     a->column[out->by].type != COL_INT || a->column[out->by].role == COL_DERIVED))
		conf_fail(c, g, "a local size wants two columns of integers that are not derived");
	free(global);
	free(by);
}

static void read_local_sizes(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "local_sizes");

	if (conf_length(list) == 0)
		return;
	a->local = calloc(conf_length(list), sizeof *a->local);
	if (!a->local) {
		conf_fail_memory(c);
		return;
	}
	while (a->n_local < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *item = conf_item(list, a->n_local);

		read_local_size(c, item, a, &a->local[a->n_local++]);
	}
}

static void read_group(struct conf *c, const config_setting_t *g, const struct application *a,
		       struct group_flag *out)
{
	size_t n = 0;
	char **name;

	conf_check_keys(c, g, "flag columns");
	out->flag = conf_required_text(c, g, "flag");
	name = conf_texts(c, g, "columns", &n);
	if (n < 2)
		conf_fail(c, conf_at(g, "columns"), "'columns' wants two columns or more");
	else if (!(out->column = calloc(n, sizeof *out->column)))
		conf_fail_memory(c);
	for (size_t i = 0; i < n && c->rc == ERR_OK; i++) {
		out->column[out->n++] = find_column(c, conf_at(g, "columns"), a, name[i]);
		if (c->rc == ERR_OK && a->column[out->column[i]].role == COL_DERIVED)
			conf_fail(c, conf_at(g, "columns"),
				  "'%s' is derived: it cannot be set by a flag", name[i]);
	}
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

static void read_groups(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "groups");

	if (conf_length(list) == 0)
		return;
	a->group = calloc(conf_length(list), sizeof *a->group);
	if (!a->group) {
		conf_fail_memory(c);
		return;
	}
	while (a->n_group < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *item = conf_item(list, a->n_group);

		read_group(c, item, a, &a->group[a->n_group++]);
	}
}

static void read_application(struct conf *c, const config_setting_t *top, struct application *a)
{
	conf_check_keys(c, top,
			"name title aliases model ad_hoc problem workload resources "
			"tunables derived local_sizes legality groups target "
			"memory_bytes_per_proc job let compute communication");
	read_name(c, top, a);
	application_read_columns(c, top, a);
	application_read_derived(c, top, a);
	read_target(c, top, a);
	read_local_sizes(c, top, a);
	application_read_legality(c, top, a);
	read_groups(c, top, a);
	application_read_memory(c, top, a);
	application_read_job(c, top, a);
	application_read_terms(c, top, a);
	if (c->rc != ERR_OK)
		return;
	application_check(c, top, a);
	a->i_nodes = application_find_name(a, "nodes");
	a->i_ppn = application_find_name(a, "ppn");
	a->i_procs = application_find_name(a, "procs");
	a->i_threads = application_find_name(a, "threads");
	application_check_terms(c, top, a);
}

static void fill_texts(struct conf *c, struct application *a, const char *text)
{
	if (!a->title)
		a->title = strdup("");
	a->definition = strdup(text);
	if (!a->title || !a->definition)
		conf_fail_memory(c);
	digest_text(text, strlen(text), a->sha256);
}

enum err_code application_parse(const char *text, const char *origin, struct application **out,
				struct err *e)
{
	struct application *a = calloc(1, sizeof *a);
	const config_setting_t *top;
	struct conf c;

	if (!a)
		return err_set(e, ERR_NOMEM, "%s: out of memory", origin);
	conf_open(&c, text, origin, e);
	top = conf_top(&c, "application");
	if (top) {
		read_application(&c, top, a);
		fill_texts(&c, a, text);
	}
	conf_close(&c);
	if (c.rc != ERR_OK)
		application_free(a);
	else
		*out = a;
	return c.rc;
}

enum err_code application_read(const char *path, struct application **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = application_parse(strbuf_text(&text), path, out, e);
	strbuf_release(&text);
	return rc;
}
