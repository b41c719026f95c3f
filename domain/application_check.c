#include "domain/application_private.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Every header that a file may use must mean one thing. Headers are visited in order; each is
 * compared with those before it. */

struct header {
	const char *text;
	const char *owner;
	const config_setting_t *at;
};

/* Header number k of the class (names and aliases of columns, the target, local sizes); false when
 * there are no more. */
static bool header_at(const config_setting_t *top, const struct application *a, size_t k,
		      struct header *out)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *col = &a->column[i];

		if (k <= col->n_alias) {
			*out = (struct header){k == 0 ? col->name : col->alias[k - 1], col->name,
					       application_declaration(top, i)};
			return true;
		}
		k -= col->n_alias + 1;
	}
	if (k <= a->n_target_alias) {
		*out = (struct header){k == 0 ? a->target : a->target_alias[k - 1], "the target",
				       conf_at(top, "target")};
		return true;
	}
	k -= a->n_target_alias + 1;
	/* A derived column may have the local size's name: it is the same quantity. */
	for (size_t i = 0; i < a->n_local; i++) {
		size_t same = application_find_name(a, a->local[i].name);

		if (same != SIZE_MAX && a->column[same].role == COL_DERIVED)
			continue;
		if (k-- == 0) {
			*out = (struct header){a->local[i].name, "a local size",
					       conf_at(top, "local_sizes")};
			return true;
		}
	}
	return false;
}

static void check_headers(struct conf *c, const config_setting_t *top, const struct application *a)
{
	struct header h;
	struct header before;

	for (size_t k = 0; c->rc == ERR_OK && header_at(top, a, k, &h); k++) {
		if (!*h.text)
			conf_fail(c, h.at, "an alias of %s is empty", h.owner);
		if (application_reserves_header(h.text))
			conf_fail(c, h.at,
				  "'%s' (of %s) cannot be a header of this class: import reads a "
				  "column of that name itself",
				  h.text, h.owner);
		for (size_t i = 0; i < k && header_at(top, a, i, &before); i++) {
			if (strcasecmp(h.text, before.text) == 0)
				conf_fail(c, h.at, "the header '%s' has two meanings: %s and %s",
					  h.text, before.owner, h.owner);
		}
	}
}

struct flag {
	const char *text;
	const config_setting_t *at;
};

/* Flag number k, of columns and groups; false when there are no more. */
static bool flag_at(const config_setting_t *top, const struct application *a, size_t k,
		    struct flag *out)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].flag && k-- == 0) {
			*out = (struct flag){a->column[i].flag, application_declaration(top, i)};
			return true;
		}
	}
	if (k >= a->n_group)
		return false;
	*out = (struct flag){a->group[k].flag, conf_at(top, "groups")};
	return true;
}

static void check_flags(struct conf *c, const config_setting_t *top, const struct application *a)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
	struct flag flag;
	struct flag before;

	for (size_t k = 0; c->rc == ERR_OK && flag_at(top, a, k, &flag); k++) {
		if (!*flag.text || *flag.text == '-' || flag.text[strspn(flag.text, allowed)])
			conf_fail(c, flag.at,
				  "the flag '%s' wants small letters, digits and -, without the "
				  "leading --",
				  flag.text);
		for (size_t i = 0; i < k && flag_at(top, a, i, &before); i++) {
			if (strcmp(flag.text, before.text) == 0)
				conf_fail(c, flag.at, "the flag '%s' is declared twice", flag.text);
		}
	}
}

/* The columns with candidates "grid" are exactly those of one group, and procs is there to say how
 * many processors a grid has. */
static void check_grid(struct conf *c, const config_setting_t *top, const struct application *a)
{
	const struct group_flag *grid = application_grid(a);
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++)
		n += a->column[i].candidates == CAND_GRID;
	if (n == 0)
		return;
	if (application_find_name(a, "procs") == SIZE_MAX)
		conf_fail(c, top,
			  "a processor grid wants a column 'procs', for example derived = ( { name "
			  "= \"procs\"; expr = \"npe_i * npe_j\"; } )");
	for (size_t i = 0; grid && i < grid->n; i++)
		n -= a->column[grid->column[i]].candidates == CAND_GRID;
	if (!grid || n != 0)
		conf_fail(c, conf_at(top, "groups"),
			  "columns with candidates \"grid\" belong to one group: groups = ( { flag "
			  "= \"grid\"; columns = [ ... ]; } )");
}

/* The columns that the program itself understands. */
static void check_resources(struct conf *c, const config_setting_t *top,
			    const struct application *a)
{
	static const char *const name[] = {"nodes", "ppn", "procs", "threads"};

	for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
		size_t i = application_find_name(a, name[k]);

		if (i == SIZE_MAX)
			continue;
		if (a->column[i].role != COL_RESOURCE && a->column[i].role != COL_DERIVED)
			conf_fail(c, application_declaration(top, i),
				  "'%s' is a resource: declare it under resources", name[k]);
		else if (a->column[i].type != COL_INT)
			conf_fail(c, application_declaration(top, i),
				  "'%s' counts things: it must be an integer", name[k]);
	}
}

void application_check(struct conf *c, const config_setting_t *top, const struct application *a)
{
	check_headers(c, top, a);
	check_flags(c, top, a);
	check_grid(c, top, a);
	check_resources(c, top, a);
}

/* ---- what a search would list ---- */

/* How many candidates the definition alone gives a column; 1: they depend on the question. */
static double count_candidates(const struct column *c)
{
	if (c->candidates == CAND_LIST)
		return (double)c->n_list;
	if (c->candidates == CAND_RANGE && c->of == SIZE_MAX)
		return floor(c->max) - ceil(c->min) + 1;
	return 1;
}

enum err_code application_check_candidates(const struct application *a, struct err *e)
{
	double n_tunings = 1;
	struct strbuf axes = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		const struct column *c = &a->column[i];
		double n = count_candidates(c);

		if (n > MAX_COLUMN_CANDIDATES)
			rc = err_set(e, ERR_PARSE,
				     "%s: %s may be any of %.15g numbers, and %d are searched at "
				     "most: a narrower range, a list, or 'of = \"COLUMN\"'",
				     a->name, c->name, n, MAX_COLUMN_CANDIDATES);
		if (c->role != COL_TUNABLE || n <= 1)
			continue;
		strbuf_printf(&axes, "%s%s (%.15g)", n_tunings > 1 ? ", " : "", c->name, n);
		n_tunings *= n;
	}
	if (!rc && a->n_legality == 0 && n_tunings > MAX_TUNINGS_LISTED)
		rc = err_set(e, ERR_PARSE,
			     "%s: the tunables %s have %.15g combinations, and %d are searched at "
			     "most: narrower ranges, lists, or rules of legality",
			     a->name, strbuf_text(&axes), n_tunings, MAX_TUNINGS_LISTED);
	strbuf_release(&axes);
	return rc;
}
