#include "domain/application.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "domain/application_private.h"

/* A class from flags is written as the same text that people write for theirs, so it can be shown,
 * edited and added again with what the flags could not say. */

static const char *const resource_field[] = {"nodes", "ppn", "procs", "threads", NULL};

struct ad_hoc_column {
	const char *header; /* in the file */
	char *name;	    /* of the column */
	enum column_role role;
	bool text;
};

struct ad_hoc_columns {
	struct ad_hoc_column *item;
	size_t n;
};

static size_t list_length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static bool is_listed(const char *const *list, const char *name)
{
	for (; list && *list; list++) {
		if (strcasecmp(*list, name) == 0)
			return true;
	}
	return false;
}

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
		return err_set(e, ERR_ARG, "a column of the class '%s' has no name", spec->name);
	if (application_reserves_header(header))
		return err_set(e, ERR_ARG,
			       "'%s' cannot be a column of the class: import reads a column of "
			       "that name itself; rename it in the file",
			       header);
	if (strcasecmp(header, spec->target) == 0)
		return err_set(e, ERR_ARG, "'%s' is the target; it cannot be a %s too", header,
			       column_role_name(role));
	if (role != COL_RESOURCE && is_listed(resource_field, header) && !is_taken(columns, header))
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
	col->text = is_listed(spec->categorical, header);
	columns->n++;
	return ERR_OK;
}

/* Resources come first, so that they get their fixed names. */
static enum err_code add_resources(const struct ad_hoc *spec, struct ad_hoc_columns *columns,
				   struct err *e)
{
	for (size_t i = 0; i < list_length(spec->resource_column); i++) {
		const char *name = spec->resource_field[i];
		enum err_code rc;

		if (!is_listed(resource_field, name))
			return err_set(e, ERR_ARG,
				       "'%s' is no resource; there are nodes, ppn, procs and "
				       "threads (written COLUMN=FIELD)",
				       name);
		if (is_taken(columns, name))
			return err_set(e, ERR_ARG, "two columns for the resource '%s'", name);
		if (is_listed(spec->categorical, spec->resource_column[i]))
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

	for (size_t i = 0; i < list_length(spec->problem) && rc == ERR_OK; i++)
		rc = add_column(spec, columns, spec->problem[i], NULL, COL_PROBLEM, e);
	for (size_t i = 0; i < list_length(spec->tunable) && rc == ERR_OK; i++)
		rc = add_column(spec, columns, spec->tunable[i], NULL, COL_TUNABLE, e);
	for (size_t i = 0; i < list_length(spec->categorical) && rc == ERR_OK; i++) {
		if (!is_listed(spec->problem, spec->categorical[i]) &&
		    !is_listed(spec->tunable, spec->categorical[i]))
			rc = err_set(e, ERR_ARG,
				     "categorical column '%s' is neither problem nor tunable",
				     spec->categorical[i]);
	}
	if (rc == ERR_OK && columns->n == 0)
		rc = err_set(e, ERR_ARG,
			     "the class '%s' has no columns: name them with --problem, --tunable "
			     "or --resource",
			     spec->name);
	return rc;
}

static void put_column(struct strbuf *out, const struct ad_hoc_column *col)
{
	strbuf_puts(out, "    { name = ");
	conf_put_text(out, col->name);
	if (col->role == COL_RESOURCE)
		strbuf_puts(out, "; type = \"int\"; min = 1");
	else
		strbuf_printf(out, "; type = \"%s\"", col->text ? "text" : "real");
	if (col->role == COL_TUNABLE)
		strbuf_puts(out, "; candidates = \"seen\"");
	if (strcasecmp(col->name, col->header) != 0) {
		strbuf_puts(out, "; aliases = [ ");
		conf_put_text(out, col->header);
		strbuf_puts(out, " ]");
	}
	strbuf_puts(out, "; }");
}

static void put_section(struct strbuf *out, const struct ad_hoc_columns *columns, const char *key,
			enum column_role role)
{
	size_t n = 0;

	for (size_t i = 0; i < columns->n; i++) {
		if (columns->item[i].role != role)
			continue;
		if (n++ == 0)
			strbuf_printf(out, "  %s = (\n", key);
		else
			strbuf_puts(out, ",\n");
		put_column(out, &columns->item[i]);
	}
	if (n > 0)
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

static void put_definition(struct strbuf *out, const struct ad_hoc *spec, const char *unit,
			   const struct ad_hoc_columns *columns)
{
	strbuf_puts(out, "# Made from the flags of an import.\napplication = {\n  name = ");
	conf_put_text(out, spec->name);
	strbuf_puts(out, ";\n  ad_hoc = true;\n");
	put_section(out, columns, "problem", COL_PROBLEM);
	put_section(out, columns, "resources", COL_RESOURCE);
	put_section(out, columns, "tunables", COL_TUNABLE);
	if (is_taken(columns, "nodes") && is_taken(columns, "ppn") && !is_taken(columns, "procs"))
		strbuf_puts(out,
			    "  derived = ( { name = \"procs\"; expr = \"nodes * ppn\"; } );\n");
	strbuf_puts(out, "  target = { name = ");
	conf_put_text(out, spec->target);
	strbuf_printf(out, "; unit = \"%s\"; };\n};\n", unit);
}

enum err_code application_ad_hoc_text(const struct ad_hoc *spec, struct strbuf *out, struct err *e)
{
	size_t n = list_length(spec->problem) + list_length(spec->tunable) +
		   list_length(spec->resource_column);
	const char *unit = unit_name(spec->target_unit_s > 0 ? spec->target_unit_s : 1);
	struct ad_hoc_columns columns = {0};
	enum err_code rc;

	if (!application_name_is_legal(spec->name))
		return err_set(e, ERR_ARG,
			       "the class's name '%.60s' wants a letter or digit, then letters, "
			       "digits, _ . or -",
			       spec->name);
	if (!spec->target || !*spec->target)
		return err_set(e, ERR_ARG,
			       "the class '%s' is new and wants --target COLUMN, its run time",
			       spec->name);
	if (!unit)
		return err_set(e, ERR_ARG, "%g s is no unit of time", spec->target_unit_s);
	columns.item = calloc(n + 1, sizeof *columns.item);
	if (!columns.item)
		return err_set(e, ERR_NOMEM, "out of memory");
	rc = add_all(spec, &columns, e);
	if (rc == ERR_OK) {
		put_definition(out, spec, unit, &columns);
		if (out->failed)
			rc = err_set(e, ERR_NOMEM, "out of memory");
	}
	for (size_t i = 0; i < columns.n; i++)
		free(columns.item[i].name);
	free(columns.item);
	return rc;
}
