#include "domain/application.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "base/units.h"
#include "domain/application_private.h"

/* An application from flags is written as the same text that people write for theirs, so it can be
 * shown, edited and added again with what the flags could not say. */

static const char *const resource_field[] = {"nodes", "ppn", "procs", "threads", "gpus", NULL};

struct ad_hoc_column {
	const char *header; /* in the file */
	char *name;	    /* of the column */
	enum column_role role;
	bool text;
	bool bytes;
	bool in_grid;
	const char *candidates; /* "8..256*2"; NULL: what was seen */
};

struct ad_hoc_columns {
	struct ad_hoc_column *item;
	size_t n;
};

static bool is_taken(const struct ad_hoc_columns *columns, const char *name)
{
	for (size_t i = 0; i < columns->n; i++) {
		if (strcasecmp(columns->item[i].name, name) == 0)
			return true;
	}
	return false;
}

/* The header as a column name: what is no letter, digit or _ becomes _; a leading digit, a word of
 * the language, a column of the run table and a name taken already are moved out of the way.
 * NULL: out of memory. */
static char *mangle(const struct ad_hoc_columns *columns, const char *header)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				    "0123456789";
	struct strbuf name = STRBUF_INIT;
	size_t base_len;

	if (header[0] >= '0' && header[0] <= '9')
		strbuf_putc(&name, '_');
	for (const char *p = header; *p; p++)
		strbuf_putc(&name, strchr(plain, *p) ? *p : '_');
	if (application_reserves_name(strbuf_text(&name)) || !expr_is_name(strbuf_text(&name)))
		strbuf_putc(&name, '_');
	base_len = name.len;
	for (unsigned i = 2; is_taken(columns, strbuf_text(&name)) && !name.failed; i++) {
		name.len = base_len;
		strbuf_printf(&name, "_%u", i);
	}
	if (name.failed) {
		strbuf_release(&name);
		return NULL;
	}
	return name.buf;
}

/* Append a column. field: the name it must get; NULL: made from the header. */
static enum err_code add_column(const struct ad_hoc *spec, struct ad_hoc_columns *columns,
				const char *header, const char *field, enum column_role role,
				struct err *e)
{
	struct ad_hoc_column *col = &columns->item[columns->n];

	if (!*header)
		return err_set(e, ERR_ARG, "a column of the application '%s' has no name",
			       spec->name);
	if (application_reserves_header(header))
		return err_set(e, ERR_ARG,
			       "'%s' cannot be a column of the application: import reads a "
			       "column of that name itself; rename it in the file",
			       header);
	if (strcasecmp(header, spec->target) == 0)
		return err_set(e, ERR_ARG, "'%s' is the target; it cannot be a %s too", header,
			       column_role_name(role));
	if (role != COL_RESOURCE && text_list_has(resource_field, header) &&
	    !is_taken(columns, header))
		return err_set(e, ERR_ARG,
			       "'%s' is a resource, no %s: name it with --resource %s=%s", header,
			       column_role_name(role), header, header);
	for (size_t i = 0; i < columns->n; i++) {
		if (strcasecmp(columns->item[i].header, header) == 0)
			return err_set(e, ERR_ARG, "column '%s' is named twice: as %s and as %s",
				       header, column_role_name(columns->item[i].role),
				       column_role_name(role));
	}
	col->name = field ? strdup(field) : mangle(columns, header);
	if (!col->name)
		return err_set(e, ERR_NOMEM, "out of memory");
	col->header = header;
	col->role = role;
	col->text = text_list_has(spec->categorical, header);
	col->bytes = text_list_has(spec->bytes, header);
	columns->n++;
	return ERR_OK;
}

/* Resources come first, so that they get their fixed names. */
static enum err_code add_resources(const struct ad_hoc *spec, struct ad_hoc_columns *columns,
				   struct err *e)
{
	for (size_t i = 0; i < text_list_length(spec->resource_column); i++) {
		const char *name = spec->resource_field[i];
		enum err_code rc;

		if (!text_list_has(resource_field, name))
			return err_set(e, ERR_ARG,
				       "'%s' is no resource; there are nodes, ppn, procs, "
				       "threads and gpus (written COLUMN=FIELD)",
				       name);
		if (is_taken(columns, name))
			return err_set(e, ERR_ARG, "two columns for the resource '%s'", name);
		if (text_list_has(spec->categorical, spec->resource_column[i]))
			return err_set(e, ERR_ARG,
				       "the resource '%s' counts; it cannot be categorical",
				       spec->resource_column[i]);
		if ((rc = add_column(spec, columns, spec->resource_column[i], name, COL_RESOURCE,
				     e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code add_all(const struct ad_hoc *spec, struct ad_hoc_columns *columns,
			     struct err *e)
{
	enum err_code rc = add_resources(spec, columns, e);

	for (size_t i = 0; i < text_list_length(spec->problem) && rc == ERR_OK; i++)
		rc = add_column(spec, columns, spec->problem[i], NULL, COL_PROBLEM, e);
	for (size_t i = 0; i < text_list_length(spec->tunable) && rc == ERR_OK; i++)
		rc = add_column(spec, columns, spec->tunable[i], NULL, COL_TUNABLE, e);
	for (size_t i = 0; i < text_list_length(spec->categorical) && rc == ERR_OK; i++) {
		if (!text_list_has(spec->problem, spec->categorical[i]) &&
		    !text_list_has(spec->tunable, spec->categorical[i]))
			rc = err_set(e, ERR_ARG,
				     "categorical column '%s' is neither problem nor tunable",
				     spec->categorical[i]);
	}
	if (rc == ERR_OK && columns->n == 0)
		rc = err_set(e, ERR_ARG,
			     "the application '%s' has no columns: name them with --problem, "
			     "--tunable or --resource",
			     spec->name);
	return rc;
}

/* ---- grids and candidates ---- */

static struct ad_hoc_column *find_column(const struct ad_hoc_columns *columns, const char *header,
					 size_t len)
{
	for (size_t i = 0; i < columns->n; i++) {
		struct ad_hoc_column *col = &columns->item[i];

		if ((strlen(col->header) == len && strncasecmp(col->header, header, len) == 0) ||
		    (strlen(col->name) == len && strncasecmp(col->name, header, len) == 0))
			return col;
	}
	return NULL;
}

static enum err_code mark_grid(const struct ad_hoc *spec, struct ad_hoc_columns *columns,
			       struct err *e)
{
	enum err_code rc = ERR_OK;

	if (text_list_length(spec->grid) > 0 && is_taken(columns, "procs"))
		return err_set(e, ERR_ARG,
			       "the sides of the grid give procs: leave out the resource "
			       "that is mapped to it");
	if (text_list_length(spec->grid) == 1)
		return err_set(e, ERR_ARG,
			       "--grid %s: a grid of processors has two sides or more: name their "
			       "columns, or one of cells such as 8x16",
			       spec->grid[0]);
	for (size_t i = 0; i < text_list_length(spec->grid) && rc == ERR_OK; i++) {
		struct ad_hoc_column *col =
			find_column(columns, spec->grid[i], strlen(spec->grid[i]));

		if (!col) {
			rc = add_column(spec, columns, spec->grid[i], NULL, COL_TUNABLE, e);
			col = &columns->item[columns->n - 1];
		}
		if (rc == ERR_OK && (col->text || col->role != COL_TUNABLE))
			return err_set(e, ERR_ARG,
				       "'%s' is a side of the processor grid: a tunable of numbers",
				       spec->grid[i]);
		if (rc == ERR_OK)
			col->in_grid = true;
	}
	return rc;
}

static enum err_code mark_candidates(const struct ad_hoc *spec, struct ad_hoc_columns *columns,
				     struct err *e)
{
	for (size_t i = 0; i < text_list_length(spec->candidates); i++) {
		const char *text = spec->candidates[i];
		size_t len = strcspn(text, "=");
		struct ad_hoc_column *col = text[len] ? find_column(columns, text, len) : NULL;

		if (!col || col->role != COL_TUNABLE || col->text || col->in_grid)
			return err_set(
				e, ERR_ARG,
				"--candidates %s: write COLUMN=FROM..TO*FACTOR, "
				"FROM..TO+STEP or FROM..TO, with COLUMN a tunable of numbers",
				text);
		col->candidates = text + len + 1;
	}
	return ERR_OK;
}

enum { CANDIDATES_MAX = 1000 };

static bool read_part(const char *from, size_t len, double *out)
{
	char part[32];

	if (len == 0 || len >= sizeof part)
		return false;
	memcpy(part, from, len);
	part[len] = '\0';
	return number_parse(part, out, NULL) == ERR_OK;
}

/* "8..256*2" as "8, 16, ..., 256", as definitions list values. */
static enum err_code put_candidates(struct strbuf *out, const char *text, struct err *e)
{
	const char *dots = strstr(text, "..");
	const char *to = dots ? dots + 2 : text;
	size_t n_to = strcspn(to, "*+");
	double from, last, step = 1;
	size_t n = 0;

	if (!dots || !read_part(text, (size_t)(dots - text), &from) ||
	    !read_part(to, n_to, &last) ||
	    (to[n_to] && !read_part(to + n_to + 1, strlen(to + n_to + 1), &step)) || from > last ||
	    (to[n_to] == '*' ? step <= 1 || from <= 0 : step <= 0))
		return err_set(e, ERR_ARG,
			       "--candidates %s: write FROM..TO*FACTOR (a factor above 1), "
			       "FROM..TO+STEP or FROM..TO",
			       text);
	/* Half a thousandth of a step for what rounding does to the last one. */
	for (double x = from; x <= last * (1 + 1e-12); x = to[n_to] == '*' ? x * step : x + step) {
		if (++n > CANDIDATES_MAX)
			return err_set(e, ERR_ARG, "--candidates %s: more than %d values", text,
				       CANDIDATES_MAX);
		strbuf_puts(out, n > 1 ? ", " : "");
		strbuf_put_number(out, x);
		if (x == (double)(int64_t)x && x < 1e15)
			strbuf_puts(out, ".0"); /* one type for all of a list */
	}
	return ERR_OK;
}

/* ---- the text ---- */

static enum err_code put_column(struct strbuf *out, const struct ad_hoc_column *col, struct err *e)
{
	enum err_code rc = ERR_OK;

	strbuf_puts(out, "    { name = ");
	conf_put_text(out, col->name);
	if (col->role == COL_RESOURCE || col->in_grid) /* a run on processors alone has no GPU */
		strbuf_printf(out, "; type = \"int\"; min = %d",
			      strcmp(col->name, "gpus") == 0 ? 0 : 1);
	else
		strbuf_printf(out, "; type = \"%s\"%s", col->text ? "text" : "real",
			      col->bytes ? "; unit = \"bytes\"" : "");
	if (col->in_grid) {
		strbuf_puts(out, "; candidates = \"grid\"");
	} else if (col->candidates) {
		strbuf_puts(out, "; candidates = \"list\"; list = [ ");
		rc = put_candidates(out, col->candidates, e);
		strbuf_puts(out, " ]");
	} else if (col->role == COL_TUNABLE || strcmp(col->name, "gpus") == 0) {
		strbuf_puts(out, "; candidates = \"seen\"");
	}
	if (strcasecmp(col->name, col->header) != 0) {
		strbuf_puts(out, "; aliases = [ ");
		conf_put_text(out, col->header);
		strbuf_puts(out, " ]");
	}
	strbuf_puts(out, "; }");
	return rc;
}

static enum err_code put_section(struct strbuf *out, const struct ad_hoc_columns *columns,
				 const char *key, enum column_role role, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t n = 0;

	for (size_t i = 0; i < columns->n && rc == ERR_OK; i++) {
		if (columns->item[i].role != role)
			continue;
		if (n++ == 0)
			strbuf_printf(out, "  %s = (\n", key);
		else
			strbuf_puts(out, ",\n");
		rc = put_column(out, &columns->item[i], e);
	}
	if (n > 0)
		strbuf_puts(out, "\n  );\n");
	return rc;
}

void ad_hoc_sizes_flag(const char *header, char flag[AD_HOC_FLAG_SIZE])
{
	size_t n = 0;

	for (const char *p = header; *p && n + 1 < AD_HOC_FLAG_SIZE; p++) {
		const bool capital = *p >= 'A' && *p <= 'Z';
		const bool plain = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');

		flag[n++] = capital ? (char)(*p - 'A' + 'a') : plain ? *p : '_';
	}
	flag[n] = '\0';
}

/* Of columns of sizes that are in the application; the processor grid has the flag "grid". */
static void put_groups(struct strbuf *out, const struct ad_hoc *spec,
		       const struct ad_hoc_columns *columns, const char *sides)
{
	struct strbuf groups = STRBUF_INIT;

	if (*sides)
		strbuf_printf(&groups, "{ flag = \"grid\"; columns = [ %s ]; }", sides);
	for (const struct ad_hoc_sizes *s = spec->sizes; s && s->header; s++) {
		char flag[AD_HOC_FLAG_SIZE];
		struct strbuf parts = STRBUF_INIT;
		const struct ad_hoc_column *col = NULL;

		ad_hoc_sizes_flag(s->header, flag);
		for (size_t i = 0; s->part[i]; i++) {
			if (!(col = find_column(columns, s->part[i], strlen(s->part[i]))))
				break;
			strbuf_puts(&parts, i ? ", " : "");
			conf_put_text(&parts, col->name);
		}
		if (col && !(*sides && strcmp(flag, "grid") == 0))
			strbuf_printf(&groups, "%s{ flag = \"%s\"; columns = [ %s ]; }",
				      groups.len ? ", " : "", flag, strbuf_text(&parts));
		groups.failed |= parts.failed;
		strbuf_release(&parts);
	}
	if (groups.len > 0)
		strbuf_printf(out, "  groups = ( %s );\n", strbuf_text(&groups));
	out->failed |= groups.failed;
	strbuf_release(&groups);
}

/* Beside the columns: what follows from them. */
static void put_grid(struct strbuf *out, const struct ad_hoc *spec,
		     const struct ad_hoc_columns *columns)
{
	struct strbuf sides = STRBUF_INIT;
	struct strbuf product = STRBUF_INIT;

	for (size_t i = 0; i < columns->n; i++) {
		if (!columns->item[i].in_grid)
			continue;
		strbuf_puts(&sides, sides.len ? ", " : "");
		conf_put_text(&sides, columns->item[i].name);
		strbuf_printf(&product, "%s%s", product.len ? " * " : "", columns->item[i].name);
	}
	if (sides.len > 0)
		strbuf_printf(out, "  derived = ( { name = \"procs\"; expr = \"%s\"; } );\n",
			      strbuf_text(&product));
	else if (is_taken(columns, "nodes") && is_taken(columns, "ppn") &&
		 !is_taken(columns, "procs"))
		strbuf_puts(out,
			    "  derived = ( { name = \"procs\"; expr = \"nodes * ppn\"; } );\n");
	put_groups(out, spec, columns, strbuf_text(&sides));
	out->failed |= sides.failed || product.failed;
	strbuf_release(&sides);
	strbuf_release(&product);
}

static void put_constraints(struct strbuf *out, const char *const *constraint)
{
	for (size_t i = 0; constraint && constraint[i]; i++) {
		struct strbuf why = STRBUF_INIT;

		strbuf_puts(out, i ? ",\n    { rule = " : "  legality = (\n    { rule = ");
		conf_put_text(out, constraint[i]);
		strbuf_printf(&why, "must hold: %s", constraint[i]);
		strbuf_puts(out, "; why = ");
		conf_put_text(out, strbuf_text(&why));
		out->failed |= why.failed;
		strbuf_release(&why);
		strbuf_puts(out, "; }");
	}
	if (constraint && *constraint)
		strbuf_puts(out, "\n  );\n");
}

/* The unit's name, as definitions have it. */
static const char *unit_name(double unit_s)
{
	static const char *const name[] = {"ns", "us", "ms", "s", "min", "h", "d"};

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		if (time_unit_s(name[i]) == unit_s)
			return name[i];
	}
	return NULL;
}

static enum err_code put_definition(struct strbuf *out, const struct ad_hoc *spec, const char *unit,
				    const struct ad_hoc_columns *columns, struct err *e)
{
	enum err_code rc;

	strbuf_puts(out, "# Made from the flags of an import.\napplication = {\n  name = ");
	conf_put_text(out, spec->name);
	strbuf_puts(out, ";\n  ad_hoc = true;\n");
	if ((rc = put_section(out, columns, "problem", COL_PROBLEM, e)) ||
	    (rc = put_section(out, columns, "resources", COL_RESOURCE, e)) ||
	    (rc = put_section(out, columns, "tunables", COL_TUNABLE, e)))
		return rc;
	put_grid(out, spec, columns);
	put_constraints(out, spec->constraint);
	strbuf_puts(out, "  target = { name = ");
	conf_put_text(out, spec->target);
	strbuf_printf(out, "; unit = \"%s\"; };\n};\n", unit);
	return out->failed ? err_set(e, ERR_NOMEM, "out of memory") : ERR_OK;
}

enum err_code application_ad_hoc_text(const struct ad_hoc *spec, struct strbuf *out, struct err *e)
{
	size_t n = text_list_length(spec->problem) + text_list_length(spec->tunable) +
		   text_list_length(spec->resource_column) + text_list_length(spec->grid);
	const char *unit = unit_name(spec->target_unit_s > 0 ? spec->target_unit_s : 1);
	struct ad_hoc_columns columns = {0};
	enum err_code rc;

	if (!application_name_is_legal(spec->name))
		return err_set(e, ERR_ARG,
			       "the application's name '%.60s' wants a letter or digit, then "
			       "letters, digits, _ . or -",
			       spec->name);
	if (!spec->target || !*spec->target)
		return err_set(e, ERR_ARG,
			       "the application '%s' is new and wants --target COLUMN, its run "
			       "time",
			       spec->name);
	if (!unit)
		return err_set(e, ERR_ARG, "%g s is no unit of time", spec->target_unit_s);
	columns.item = calloc(n + 1, sizeof *columns.item);
	if (!columns.item)
		return err_set(e, ERR_NOMEM, "out of memory");
	rc = add_all(spec, &columns, e);
	if (rc == ERR_OK && !(rc = mark_grid(spec, &columns, e)) &&
	    !(rc = mark_candidates(spec, &columns, e)))
		rc = put_definition(out, spec, unit, &columns, e);
	for (size_t i = 0; i < columns.n; i++)
		free(columns.item[i].name);
	free(columns.item);
	return rc;
}
