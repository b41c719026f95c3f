#include "api/json_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text_form.h"
#include "domain/configuration.h"

/* jansson 2.14 prints a real with a fixed number of digits: 17 turn 0.1 into 0.10000000000000001
 * and fewer lose bits. So we walk its tree ourselves; strings are still escaped by jansson. */

static void put_value(const json_t *value, int depth, struct strbuf *s);

static void put_line(struct strbuf *s, int depth)
{
	strbuf_putc(s, '\n');
	for (int i = 0; i < depth; i++)
		strbuf_puts(s, "  ");
}

/* Escaped besides what JSON asks for: what text_put_safe() hides from terminals, DEL, C1 (U+0080 to
 * U+009F) and the marks that reorder text. */
static void put_string(const char *json, struct strbuf *s)
{
	for (; *json; json++) {
		const unsigned char *c = (const unsigned char *)json;

		if (*c == 0x7F) {
			strbuf_puts(s, "\\u007F");
		} else if (*c == 0xC2 && c[1] < 0xA0) {
			strbuf_printf(s, "\\u%04X", c[1]);
			json++;
		} else if (text_reorders(json)) {
			strbuf_printf(s, "\\u%04X",
				      (c[0] & 0xFu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu));
			json += 2;
		} else {
			strbuf_putc(s, *json);
		}
	}
}

static void put_scalar(const json_t *value, struct strbuf *s)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY);

	if (text)
		put_string(text, s);
	else
		strbuf_fail(s);
	free(text);
}

static void put_real(double value, struct strbuf *s)
{
	char buf[REAL_TEXT_SIZE];

	strbuf_puts(s, real_text(value, buf));
	/* 3600.0 stays a real for readers that tell them apart. */
	if (!strpbrk(buf, ".e"))
		strbuf_puts(s, ".0");
}

static void put_object(const json_t *object, int depth, struct strbuf *s)
{
	const char *key;
	json_t *value;
	const char *before = "{";

	json_object_foreach((json_t *)object, key, value)
	{
		json_t *name = json_string(key);

		strbuf_puts(s, before);
		put_line(s, depth + 1);
		put_scalar(name, s);
		json_decref(name);
		strbuf_puts(s, ": ");
		put_value(value, depth + 1, s);
		before = ",";
	}
	if (json_object_size(object) == 0)
		strbuf_puts(s, "{");
	else
		put_line(s, depth);
	strbuf_putc(s, '}');
}

/* Objects of an array stand one below the other, numbers and texts beside each other. */
static void put_array(const json_t *array, int depth, struct strbuf *s)
{
	bool lines = json_is_object(json_array_get(array, 0));

	strbuf_putc(s, '[');
	for (size_t i = 0; i < json_array_size(array); i++) {
		if (lines) {
			strbuf_puts(s, i ? "," : "");
			put_line(s, depth + 1);
		} else {
			strbuf_puts(s, i ? ", " : "");
		}
		put_value(json_array_get(array, i), depth + 1, s);
	}
	if (lines)
		put_line(s, depth);
	strbuf_putc(s, ']');
}

static void put_value(const json_t *value, int depth, struct strbuf *s)
{
	if (json_is_object(value))
		put_object(value, depth, s);
	else if (json_is_array(value))
		put_array(value, depth, s);
	else if (json_is_real(value))
		put_real(json_real_value(value), s);
	else
		put_scalar(value, s);
}

enum err_code out_json_text(const struct json_t *value, struct strbuf *text, struct err *e)
{
	put_value(value, 0, text);
	return text->failed ? err_set(e, ERR_NOMEM, "the answer as JSON") : ERR_OK;
}

struct json_t *out_json_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

struct json_t *out_json_string(const char *text)
{
	struct strbuf safe = STRBUF_INIT;
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	if (value)
		return value;
	/* Not UTF-8 (a file name in another encoding): the bytes are shown as \xNN. */
	text_put_safe(&safe, text, true);
	value = safe.failed ? NULL : json_string(strbuf_text(&safe));
	strbuf_release(&safe);
	return value;
}

int member_real(struct json_t *object, const char *key, double value)
{
	return json_object_set_new(object, key, out_json_real(value));
}

int member_text(struct json_t *object, const char *key, const char *text)
{
	return json_object_set_new(object, key, out_json_string(text));
}

int member_int(struct json_t *object, const char *key, int64_t value)
{
	return json_object_set_new(object, key, json_integer(value));
}

int member_bool(struct json_t *object, const char *key, bool value)
{
	return json_object_set_new(object, key, json_boolean(value));
}

int member_count(struct json_t *object, const char *key, int64_t value)
{
	return json_object_set_new(object, key, value ? json_integer(value) : json_null());
}

int member_value(struct json_t *object, const char *key, struct json_t *value)
{
	return json_object_set_new(object, key, value);
}

struct json_t *out_json_unless(int failed, struct json_t *value)
{
	if (!failed)
		return value;
	json_decref(value);
	return NULL;
}

void out_json_free(struct json_t *value)
{
	json_decref(value);
}

static json_t *object_of(set_members_fn *set, const void *arg, size_t i)
{
	json_t *object = json_object();

	return out_json_unless(set(object, arg, i), object);
}

struct json_t *out_json_object(set_members_fn *set, const void *arg)
{
	return object_of(set, arg, 0);
}

struct json_t *out_json_list(set_members_fn *set, const void *arg, size_t n)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < n && !failed; i++)
		failed = json_array_append_new(list, object_of(set, arg, i));
	return out_json_unless(failed, list);
}

struct json_t *out_json_answer(void)
{
	json_t *answer = json_object();

	return out_json_unless(answer && member_int(answer, "format_version", 1), answer);
}

/* ---- members ---- */

const char *answer_text(const struct json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

double answer_number(const struct json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool answer_is(const struct json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

/* ---- configurations ---- */

/* A double holds every integer up to here. */
#define MAX_EXACT 9007199254740992.0

static bool is_well_known(const struct application *a, size_t i)
{
	return i == a->i_nodes || i == a->i_ppn || i == a->i_procs || i == a->i_threads;
}

size_t config_column(const struct application *a, size_t k)
{
	static const enum column_role then[] = {COL_RESOURCE, COL_TUNABLE};
	const size_t well_known[] = {a->i_nodes, a->i_ppn, a->i_procs, a->i_threads};

	for (size_t i = 0; i < sizeof well_known / sizeof well_known[0]; i++) {
		if (well_known[i] != SIZE_MAX && k-- == 0)
			return well_known[i];
	}
	for (size_t r = 0; r < sizeof then / sizeof then[0]; r++) {
		for (size_t i = 0; i < a->n_columns; i++) {
			if (a->column[i].role == then[r] && !is_well_known(a, i) && k-- == 0)
				return i;
		}
	}
	return SIZE_MAX;
}

/* Value of a column: an integer, a real or a level's name; null for NaN. */
static struct json_t *config_json_value(const struct application *a, size_t i_column, double value)
{
	const struct column *c = &a->column[i_column];
	struct strbuf text = STRBUF_INIT;
	json_t *level;

	if (c->type == COL_TEXT && !isnan(value)) {
		configuration_put_value(a, i_column, value, &text);
		level = text.failed ? NULL : out_json_string(strbuf_text(&text));
		strbuf_release(&text);
		return level;
	}
	if (value == floor(value) && fabs(value) <= MAX_EXACT)
		return json_integer((json_int_t)value);
	return out_json_real(value);
}

static int set_column(json_t *object, const struct application *a, size_t i, const double *row)
{
	return json_object_set_new(object, a->column[i].name, config_json_value(a, i, row[i]));
}

int config_json_set_role(struct json_t *object, const struct application *a, enum column_role role,
			 const double *row, bool only_given)
{
	int failed = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == role && !(only_given && isnan(row[i])))
			failed |= set_column(object, a, i, row);
	}
	return failed;
}

int member_column(struct json_t *object, const struct application *a, size_t i, double value)
{
	if (a->column[i].type == COL_REAL)
		return member_real(object, a->column[i].name, value);
	return json_object_set_new(object, a->column[i].name, config_json_value(a, i, value));
}

struct json_t *config_json_given(const struct application *a, const double *row)
{
	json_t *config = json_object();
	int failed = 0;

	for (int role = COL_PROBLEM; role < COL_DERIVED; role++)
		failed |= config_json_set_role(config, a, (enum column_role)role, row, true);
	return out_json_unless(failed, config);
}

int config_json_set_choice(struct json_t *object, const struct application *a, const double *row)
{
	int failed = 0;

	for (size_t k = 0, i; (i = config_column(a, k)) != SIZE_MAX; k++)
		failed |= set_column(object, a, i, row);
	return failed;
}
