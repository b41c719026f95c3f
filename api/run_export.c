#include "api/run_export.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/strbuf.h"

/* kb_walk_runs() gives texts of which numbers read back exactly: they are copied as they are. */

enum export_part {
	PART_NONE,   /* derived, or of this base only */
	PART_OWN,    /* a column of the application */
	PART_BESIDE, /* machine, source, repeat, n_repeats */
	PART_STATUS,
	PART_TIME
};

struct export_column {
	char *name;
	enum export_part part;
	bool number;
	bool varies, has_gap; /* over the runs that are exported */
	char *first;	      /* its value in the first of them */
};

struct run_exporter {
	const struct application *a;
	enum run_export_form form;
	const struct run_export_sink *sink;
	struct run_export_count count;
	struct export_column *column; /* NULL before the header came */
	size_t n_columns;
	size_t i_status, i_time, i_repeat;
	bool looking; /* first walk: what varies? */
	bool any_param;
	bool stopped;
	bool no_memory;
	struct strbuf text, times;
	char **before; /* T4: [n_columns] of the result under way; its times are not ended */
	long long n_times;
	bool open;
};

/* ---- columns ---- */

static void describe(const struct run_exporter *x, struct export_column *c)
{
	static const char *const beside[] = {"machine", "source", "n_repeats", "repeat"};
	size_t i = application_column(x->a, c->name);

	if (i != SIZE_MAX && strcmp(x->a->column[i].name, c->name) == 0) {
		c->part = x->a->column[i].role == COL_DERIVED ? PART_NONE : PART_OWN;
		c->number = x->a->column[i].type != COL_TEXT;
		return;
	}
	for (size_t k = 0; k < sizeof beside / sizeof beside[0]; k++) {
		if (strcmp(c->name, beside[k]) == 0) {
			c->part = PART_BESIDE;
			c->number = k >= 2;
		}
	}
	if (strcmp(c->name, "status") == 0)
		c->part = PART_STATUS;
	else if (strcmp(c->name, "wall_s") == 0)
		c->part = PART_TIME;
}

static bool take_header(struct run_exporter *x, size_t n, const char *const *name)
{
	x->column = calloc(n + 1, sizeof *x->column);
	x->before = calloc(n + 1, sizeof *x->before);
	if (!x->column || !x->before)
		return false;
	x->i_status = x->i_time = x->i_repeat = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		struct export_column *c = &x->column[i];

		if (!(c->name = strdup(name[i])))
			return false;
		x->n_columns++;
		describe(x, c);
		if (c->part == PART_STATUS)
			x->i_status = i;
		else if (c->part == PART_TIME)
			x->i_time = i;
		else if (strcmp(c->name, "repeat") == 0)
			x->i_repeat = i;
	}
	return true;
}

/* ---- JSON ---- */

/* A quoted text that no terminal obeys. */
static void put_string(struct run_exporter *x, const char *text)
{
	json_t *string = json_string(text);
	char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;

	if (quoted)
		strbuf_puts(&x->text, quoted);
	else
		x->no_memory = true;
	free(quoted);
	json_decref(string);
}

/* ", "name": value"; no comma at the first. */
static void put_member(struct run_exporter *x, const struct export_column *c, const char *value,
		       bool *any)
{
	strbuf_puts(&x->text, *any ? ", " : "");
	*any = true;
	put_string(x, c->name);
	strbuf_puts(&x->text, ": ");
	if (c->number)
		strbuf_puts(&x->text, value);
	else
		put_string(x, value);
}

static bool send(struct run_exporter *x)
{
	if (x->text.failed || x->times.failed)
		x->no_memory = true;
	x->stopped = x->no_memory || !x->sink->put(x->sink->arg, strbuf_text(&x->text));
	strbuf_clear(&x->text);
	return !x->stopped;
}

/* ---- Extra-P ---- */

static bool look_at(struct run_exporter *x, const char *const *value)
{
	for (size_t i = 0; i < x->n_columns; i++) {
		struct export_column *c = &x->column[i];

		if (!value[i])
			c->has_gap = true;
		else if (!c->first)
			x->no_memory |= !(c->first = strdup(value[i]));
		else if (strcmp(c->first, value[i]) != 0)
			c->varies = true;
	}
	return !x->no_memory;
}

static bool is_param(const struct run_exporter *x, const struct export_column *c)
{
	return c->part == PART_OWN && c->number && !c->has_gap && (c->varies || !x->any_param);
}

/* Extra-P keeps the measurements of one callpath together: words that differ, and the machine,
 * stand in it, so that they are apart there, too. */
static void put_callpath(struct run_exporter *x, const char *const *value)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_puts(&path, x->a->name);
	for (size_t i = 0; i < x->n_columns; i++) {
		const struct export_column *c = &x->column[i];
		bool names_series = (c->part == PART_OWN || c->part == PART_BESIDE) && !c->number;

		if (names_series && (c->varies || c->has_gap))
			strbuf_printf(&path, "->%s=%s", c->name, value[i] ? value[i] : "");
	}
	x->no_memory |= path.failed;
	strbuf_puts(&x->text, "\"callpath\": ");
	put_string(x, strbuf_text(&path));
	strbuf_release(&path);
}

/* "name": {...}: the columns of the application that are params, or those that are not. */
static void put_own(struct run_exporter *x, const char *name, bool params, const char *const *value)
{
	bool any = false;

	strbuf_printf(&x->text, "\"%s\": {", name);
	for (size_t i = 0; i < x->n_columns; i++) {
		const struct export_column *c = &x->column[i];

		if (c->part == PART_OWN && is_param(x, c) == params && value[i])
			put_member(x, c, value[i], &any);
	}
	strbuf_putc(&x->text, '}');
}

static bool put_measurement(struct run_exporter *x, const char *const *value)
{
	bool any = true;

	strbuf_putc(&x->text, '{');
	put_own(x, "params", true, value);
	strbuf_puts(&x->text, ", ");
	put_callpath(x, value);
	strbuf_printf(&x->text,
		      ", \"metric\": \"wall_s\", \"value\": %s, \"app\": ", value[x->i_time]);
	put_string(x, x->a->name);
	strbuf_puts(&x->text, ", ");
	put_own(x, "constants", false, value);
	for (size_t i = 0; i < x->n_columns; i++) {
		if (x->column[i].part == PART_BESIDE && value[i])
			put_member(x, &x->column[i], value[i], &any);
	}
	strbuf_puts(&x->text, "}\n");
	return send(x);
}

static bool take_measurement(struct run_exporter *x, const char *const *value)
{
	bool ok = value[x->i_status] && strcmp(value[x->i_status], "ok") == 0 && value[x->i_time];

	if (x->looking)
		return !ok || look_at(x, value);
	x->count.n_runs += ok;
	x->count.n_no_time += !ok;
	return !ok || put_measurement(x, value);
}

/* ---- T4 ---- */

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The next repeat of what is under way: all is the same but the time. */
static bool is_next_repeat(const struct run_exporter *x, const char *const *value)
{
	if (!x->open || !value[x->i_time] || !x->before[x->i_time])
		return false;
	for (size_t i = 0; i < x->n_columns; i++) {
		enum export_part part = x->column[i].part;

		if (part != PART_NONE && i != x->i_time && i != x->i_repeat &&
		    !same(x->before[i], value[i]))
			return false;
	}
	if (x->i_repeat == SIZE_MAX || !value[x->i_repeat] || !x->before[x->i_repeat])
		return x->i_repeat == SIZE_MAX || same(value[x->i_repeat], x->before[x->i_repeat]);
	return strtoll(value[x->i_repeat], NULL, 10) ==
	       strtoll(x->before[x->i_repeat], NULL, 10) + x->n_times;
}

static bool keep(struct run_exporter *x, const char *const *value)
{
	for (size_t i = 0; i < x->n_columns; i++) {
		free(x->before[i]);
		x->before[i] = NULL;
		if (value[i] && !(x->before[i] = strdup(value[i])))
			return false;
	}
	return true;
}

/* "timeout" means the same in both; what else failed, did so when it ran. */
static const char *invalidity(const char *status)
{
	return !status || strcmp(status, "failed") == 0 ? "runtime"
	       : strcmp(status, "timeout") == 0		? "timeout"
							: "correct";
}

static bool end_result(struct run_exporter *x)
{
	const char *word = invalidity(x->before[x->i_status]);
	const char *times = strbuf_text(&x->times);
	bool any = false;

	strbuf_puts(&x->text, x->count.n_runs > (size_t)x->n_times ? ",\n" : "\n");
	strbuf_puts(&x->text, "{\"configuration\": {");
	for (size_t i = 0; i < x->n_columns; i++) {
		if (x->column[i].part == PART_OWN && x->before[i])
			put_member(x, &x->column[i], x->before[i], &any);
	}
	strbuf_printf(&x->text,
		      "}, \"times\": {\"runtimes\": [%s]}, \"invalidity\": \"%s\", "
		      "\"correctness\": %d, \"measurements\": [{\"name\": \"wall_s\", \"value\": "
		      "[%s], \"unit\": \"s\"}], \"objectives\": [\"wall_s\"]",
		      times, word, strcmp(word, "correct") == 0, times);
	any = true;
	for (size_t i = 0; i < x->n_columns; i++) {
		if (x->column[i].part == PART_BESIDE && x->before[i])
			put_member(x, &x->column[i], x->before[i], &any);
	}
	strbuf_putc(&x->text, '}');
	x->open = false;
	return send(x);
}

static bool take_result(struct run_exporter *x, const char *const *value)
{
	if (is_next_repeat(x, value)) {
		strbuf_printf(&x->times, ", %s", value[x->i_time]);
		x->n_times++;
		x->count.n_runs++;
		return true;
	}
	if (x->open && !end_result(x))
		return false;
	strbuf_clear(&x->times);
	strbuf_puts(&x->times, value[x->i_time] ? value[x->i_time] : "");
	x->n_times = 1;
	x->count.n_runs++;
	x->open = true;
	x->no_memory |= !keep(x, value);
	return !x->no_memory;
}

static bool begin_results(struct run_exporter *x)
{
	strbuf_puts(&x->text, "{\"schema_version\": \"1.0.0\", \"metadata\": {\"app\": ");
	put_string(x, x->a->name);
	strbuf_puts(&x->text, "}, \"results\": [");
	return send(x);
}

static bool end_results(struct run_exporter *x)
{
	if (x->open && !end_result(x))
		return false;
	strbuf_puts(&x->text, "\n]}\n");
	return send(x);
}

/* ---- both ---- */

static bool take_row(void *arg, size_t n, const char *const *value)
{
	struct run_exporter *x = arg;

	if (x->n_columns == 0) {
		x->no_memory = !take_header(x, n, value);
		return !x->no_memory;
	}
	if (strcmp(value[0], x->column[0].name) == 0) /* the header of the second walk */
		return true;
	return x->form == RUN_EXPORT_T4 ? take_result(x, value) : take_measurement(x, value);
}

static enum err_code walk(struct kb *kb, struct run_exporter *x, const struct kb_filter *f,
			  struct err *e)
{
	enum err_code rc = kb_walk_runs(kb, x->a, f, take_row, x, e);

	if (!rc && x->no_memory)
		rc = err_set(e, ERR_NOMEM, "the runs of %s", x->a->name);
	return rc;
}

/* A walk of its own tells the columns that vary. */
static enum err_code export_extrap(struct kb *kb, struct run_exporter *x, const struct kb_filter *f,
				   struct err *e)
{
	enum err_code rc;

	x->looking = true;
	rc = walk(kb, x, f, e);
	x->looking = false;
	for (size_t i = 0; i < x->n_columns; i++) {
		const struct export_column *c = &x->column[i];

		x->any_param |= c->part == PART_OWN && c->number && c->varies && !c->has_gap;
	}
	return rc ? rc : walk(kb, x, f, e);
}

static enum err_code export_t4(struct kb *kb, struct run_exporter *x, const struct kb_filter *f,
			       struct err *e)
{
	enum err_code rc = ERR_OK;

	if (begin_results(x))
		rc = walk(kb, x, f, e);
	if (!rc && !x->stopped)
		(void)end_results(x);
	if (!rc && x->no_memory)
		rc = err_set(e, ERR_NOMEM, "the runs of %s", x->a->name);
	return rc;
}

static void exporter_release(struct run_exporter *x)
{
	for (size_t i = 0; i < x->n_columns; i++) {
		free(x->column[i].name);
		free(x->column[i].first);
		free(x->before[i]);
	}
	free(x->column);
	free(x->before);
	strbuf_release(&x->text);
	strbuf_release(&x->times);
}

enum err_code run_export(struct kb *kb, const struct application *a, const struct kb_filter *f,
			 enum run_export_form form, const struct run_export_sink *sink,
			 struct run_export_count *out, struct err *e)
{
	struct kb_filter filter = f ? *f : (struct kb_filter){.all_status = true};
	struct run_exporter x = {.a = a, .form = form, .sink = sink};
	enum err_code rc;

	filter.excluded_too = false;
	rc = form == RUN_EXPORT_T4 ? export_t4(kb, &x, &filter, e)
				   : export_extrap(kb, &x, &filter, e);
	if (!rc)
		*out = x.count;
	exporter_release(&x);
	return rc;
}
