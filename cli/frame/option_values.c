#include "cli/frame/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

const char *options_get(const struct options *o, const struct option_spec *spec)
{
	for (size_t i = o->n_given; i-- > 0;) {
		if (o->given[i].spec == spec)
			return o->given[i].value;
	}
	return NULL;
}

bool options_has(const struct options *o, const struct option_spec *spec)
{
	return options_get(o, spec) != NULL;
}

/* First pass (list NULL) sizes, second pass copies. */
static enum err_code split(const struct options *o, const struct option_spec *spec, char **list,
			   char *text, size_t *n, size_t *n_bytes, struct err *e)
{
	*n = *n_bytes = 0;
	for (size_t i = 0; i < o->n_given; i++) {
		const char *item = o->given[i].value;

		if (o->given[i].spec != spec)
			continue;
		for (;;) {
			size_t len = strcspn(item, ",");

			if (len == 0)
				return err_set(e, ERR_USAGE,
					       "--%s %s: an empty item; write --%s %s", spec->name,
					       o->given[i].value, spec->name, spec->arg);
			if (list) {
				list[*n] = memcpy(text + *n_bytes, item, len);
				list[*n][len] = '\0';
			}
			++*n;
			*n_bytes += len + 1;
			if (!item[len])
				break;
			item += len + 1;
		}
	}
	return ERR_OK;
}

enum err_code options_list(const struct options *o, const struct option_spec *spec, char ***out,
			   size_t *n, struct err *e)
{
	size_t n_items, n_bytes;
	char **list;
	enum err_code rc = split(o, spec, NULL, NULL, &n_items, &n_bytes, e);

	if (rc)
		return rc;
	list = calloc(1, (n_items + 1) * sizeof *list + n_bytes);
	if (!list)
		return err_set(e, ERR_NOMEM, "the values of --%s", spec->name);
	split(o, spec, list, (char *)(list + n_items + 1), &n_items, &n_bytes, e);
	*out = list;
	if (n)
		*n = n_items;
	return ERR_OK;
}

static enum err_code bad_value(const struct option_spec *spec, const struct err *why, struct err *e)
{
	return err_set(e, ERR_USAGE, "--%s: %s", spec->name, why->msg);
}

enum err_code options_integer(const struct options *o, const struct option_spec *spec,
			      long long min, long long max, long long *out, struct err *e)
{
	const char *text = options_get(o, spec);
	struct err why = {0};
	int64_t value;

	if (!text)
		return ERR_OK;
	if (integer_parse(text, min, max, &value, &why))
		return bad_value(spec, &why, e);
	*out = value;
	return ERR_OK;
}

enum err_code options_seed(const struct options *o, unsigned *out, struct err *e)
{
	long long seed = 1;
	enum err_code rc = options_integer(o, &opt_seed, 0, UINT32_MAX, &seed, e);

	*out = (unsigned)seed;
	return rc;
}

enum err_code options_number(const struct options *o, const struct option_spec *spec, double min,
			     double max, double *out, struct err *e)
{
	const char *text = options_get(o, spec);
	struct err why = {0};
	double value;

	if (!text)
		return ERR_OK;
	if (number_parse(text, &value, &why))
		return bad_value(spec, &why, e);
	if (max <= 1 && value > max && value / 100 >= min && value / 100 <= max)
		return err_set(e, ERR_USAGE, "--%s %s is not between %g and %g: for %g %% write %g",
			       spec->name, text, min, max, value, value / 100);
	if (value < min || value > max)
		return err_set(e, ERR_USAGE, "--%s %s is not between %g and %g", spec->name, text,
			       min, max);
	*out = value;
	return ERR_OK;
}

enum err_code options_duration(const struct options *o, const struct option_spec *spec,
			       double *out_s, struct err *e)
{
	const char *text = options_get(o, spec);
	struct err why = {0};

	if (text && duration_parse(text, out_s, &why))
		return bad_value(spec, &why, e);
	return ERR_OK;
}

enum err_code options_choice(const struct options *o, const struct option_spec *spec, int *out,
			     struct err *e)
{
	const char *text = options_get(o, spec);
	int index = 0;

	if (!text)
		return ERR_OK;
	for (const char *v = spec->values; *v; index++) {
		size_t len = strcspn(v, " ");

		if (strlen(text) == len && !strncmp(v, text, len)) {
			*out = index;
			return ERR_OK;
		}
		v += len;
		v += strspn(v, " ");
	}
	return err_set(e, ERR_USAGE, "--%s %s: it is one of: %s", spec->name, text, spec->values);
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace) that turn a into b; a and b shorter than 32, else "far". */
static size_t edits(const char *a, const char *b)
{
	size_t row[33];
	size_t len_a = strlen(a), len_b = strlen(b);

	if (len_a > 31 || len_b > 31)
		return 99;
	for (size_t j = 0; j <= len_b; j++)
		row[j] = j;
	for (size_t i = 1; i <= len_a; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= len_b; j++) {
			size_t replace = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = smaller(replace, smaller(row[j], row[j - 1]) + 1);
		}
	}
	return row[len_b];
}

void options_suggest(const char *typed, const char *prefix, const char *const *name, size_t n,
		     struct strbuf *out)
{
	size_t near = strlen(typed) <= 3 ? 1 : 2; /* more edits than that is another word */
	size_t n_found = 0;

	for (size_t i = 0; i < n; i++) {
		bool begins = strlen(typed) >= 3 && !strncmp(name[i], typed, strlen(typed));

		if (!begins && edits(typed, name[i]) > near)
			continue;
		strbuf_printf(out, "%s%s%s", n_found++ ? " or " : "; did you mean ", prefix,
			      name[i]);
	}
	if (n_found)
		strbuf_putc(out, '?');
}
