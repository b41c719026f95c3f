#include "ingest/import_class.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/cell_unit.h"
#include "ingest/field_names.h"
#include "ingest/header_name.h"

/* ---- a class nobody knows: what to type ---- */

/* What a header is likely to be in a class made from flags. A guess is good enough here: it is put
 * before people, not acted upon. */
enum guess { GUESS_TIME, GUESS_RESOURCE, GUESS_OTHER, GUESS_NONE };

static const char *resource_field(const char *stem)
{
	static const char *const field[][2] = {
		{"nodes", "nodes"},	   {"nnodes", "nodes"},
		{"num_nodes", "nodes"},	   {"ppn", "ppn"},
		{"tasks_per_node", "ppn"}, {"procs_per_node", "ppn"},
		{"procs", "procs"},	   {"nprocs", "procs"},
		{"np", "procs"},	   {"ranks", "procs"},
		{"ntasks", "procs"},	   {"threads", "threads"},
		{"nthreads", "threads"},   {"omp_num_threads", "threads"},
	};

	for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
		if (strcmp(field[i][0], stem) == 0)
			return field[i][1];
	}
	return NULL;
}

static enum guess guess_header(const char *header, const char **field)
{
	static const char *const time_word[] = {"runtime",  "wall",    "walltime", "elapsed",
						"duration", "seconds", "solve"};
	const size_t n_suffix = strlen("time");
	struct header_name h;
	size_t len;

	*field = NULL;
	if (!*header || !header_name_read(header, &h) || field_is_personal(h.stem))
		return GUESS_NONE;
	for (size_t i = 0; i < sizeof time_word / sizeof time_word[0]; i++) {
		if (strcmp(h.stem, time_word[i]) == 0)
			return GUESS_TIME;
	}
	len = strlen(h.stem);
	if (len >= n_suffix && strcmp(h.stem + len - n_suffix, "time") == 0)
		return GUESS_TIME;
	if (cell_unit_seconds(h.unit) > 0)
		return GUESS_TIME;
	if ((*field = resource_field(h.stem)))
		return GUESS_RESOURCE;
	/* "n" is as likely a matrix size as a number of repeats. */
	return field_kind_of_header(h.stem) == FIELD_KIND_COUNT || strcmp(h.stem, "n") == 0
		       ? GUESS_OTHER
		       : GUESS_NONE;
}

static void put_list(const struct text_table *t, enum guess wanted, const char *flag,
		     struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(t) && out->len < 600; i++) {
		const char *header = text_table_column(t, i);
		const char *field;

		if (guess_header(header, &field) != wanted)
			continue;
		if (n++ == 0)
			strbuf_printf(out, " %s ", flag);
		else
			strbuf_putc(out, ',');
		strbuf_puts(out, header);
		if (field)
			strbuf_printf(out, "=%s", field);
		if (wanted == GUESS_TIME)
			return; /* a second timer would leak the answer */
	}
}

static enum err_code unknown_class(struct kb *kb, const struct text_table *t, const char *path,
				   const char *name, struct err *e)
{
	struct strbuf command = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&command, "lemnos ingest %s --app %s", path, name);
	put_list(t, GUESS_TIME, "--target", &command);
	put_list(t, GUESS_OTHER, "--problem", &command);
	put_list(t, GUESS_RESOURCE, "--resource", &command);
	rc = err_set(
		e, ERR_NOTFOUND,
		"%s knows no application class '%s'. Describe it in a file and `lemnos apps add "
		"FILE`; or make it from this table's columns: %s (what may be chosen freely "
		"goes from --problem to --tunable)",
		kb_path(kb), name, strbuf_text(&command));
	strbuf_release(&command);
	return rc;
}

/* ---- the known ones ---- */

static enum err_code get_class(struct kb *kb, const struct text_table *t, const char *path,
			       const char *name, struct import_class *out, struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_application(kb, name, &out->app, &out->id, &why);

	if (rc == ERR_NOTFOUND)
		return unknown_class(kb, t, path, name, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* Nobody named a class: the default, or the only one. */
static enum err_code choose_class(struct kb *kb, const struct text_table *t, const char *path,
				  struct import_class *out, struct err *e)
{
	struct strbuf candidates = STRBUF_INIT;
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if ((rc = kb_get_default(kb, "application", &name, e)) ||
	    (rc = kb_list_applications(kb, &names, e)))
		goto done;
	for (size_t i = 0; i < names.n; i++)
		strbuf_printf(&candidates, "%s%s", i ? ", " : "", names.item[i].name);
	if (name || names.n == 1)
		rc = get_class(kb, t, path, name ? name : names.item[0].name, out, e);
	else
		rc = err_set(e, ERR_NOTFOUND, "%s: which application is it? Say --app NAME; %s%s",
			     text_table_name(t),
			     names.n ? "there are " : "the knowledge base knows none yet",
			     strbuf_text(&candidates));
done:
	kb_names_release(&names);
	strbuf_release(&candidates);
	free(name);
	return rc;
}

/* ---- one made from flags ---- */

static enum err_code make_class(struct kb *kb, const struct ad_hoc *spec, struct import_class *out,
				struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct import_class there = {0};
	struct import_class made = {0};
	enum err_code rc;

	if ((rc = application_ad_hoc_text(spec, &text, e)) ||
	    (rc = application_parse(strbuf_text(&text), spec->name, &made.app, e)))
		goto done;
	if (kb_get_application(kb, spec->name, &there.app, &there.id, NULL) != ERR_OK) {
		*out = made;
		made.app = NULL;
	} else if (!there.app->ad_hoc) {
		rc = err_set(e, ERR_ARG,
			     "'%s' has a definition: leave out --target, --problem, --tunable, "
			     "--resource and --categorical, or give the new class another name",
			     spec->name);
	} else if (strcmp(there.app->sha256, made.app->sha256) == 0) {
		*out = there;
		there.app = NULL;
	} else {
		*out = made; /* kb_put_application() refuses what would change stored columns */
		made.app = NULL;
	}
done:
	import_class_release(&there);
	import_class_release(&made);
	strbuf_release(&text);
	return rc;
}

enum err_code import_class_find(struct kb *kb, const struct ingest_options *o,
				const struct text_table *t, const char *app_cell,
				struct import_class *out, struct err *e)
{
	if (o->ad_hoc)
		return make_class(kb, o->ad_hoc, out, e);
	if (o->app)
		return get_class(kb, t, o->path, o->app, out, e);
	if (app_cell && *app_cell)
		return get_class(kb, t, o->path, app_cell, out, e);
	return choose_class(kb, t, o->path, out, e);
}

enum err_code import_class_store(struct kb *kb, struct import_class *c, struct err *e)
{
	return c->id ? ERR_OK : kb_put_application(kb, c->app, &c->id, e);
}

void import_class_release(struct import_class *c)
{
	application_free(c->app);
	*c = (struct import_class){0};
}
