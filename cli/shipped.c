#include "cli/shipped.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/datadir.h"
#include "cli/pingpong_import.h"
#include "ingest/ingest.h"

static bool is_there(const struct kb_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (!strcasecmp(names->item[i].name, name))
			return true;
	}
	return false;
}

static enum err_code load_application(struct context *c, const char *path,
				      const struct kb_names *there, int64_t *n, struct err *e)
{
	struct application *a = NULL;
	enum err_code rc = application_read(path, &a, e);

	if (!rc && !is_there(there, a->name) && !(rc = kb_put_application(c->kb, a, NULL, e)))
		++*n;
	application_free(a);
	return rc;
}

static enum err_code load_machine(struct context *c, const char *path, const struct kb_names *there,
				  int64_t *n, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc = machine_read(path, &m, e);

	if (!rc && !is_there(there, m->name) && !(rc = kb_put_machine(c->kb, m, NULL, e)))
		++*n;
	machine_free(m);
	return rc;
}

static enum err_code load_applications(struct context *c, const char *datadir,
				       struct shipped_count *n, struct err *e)
{
	struct kb_names there = {0};
	char **path = NULL;
	enum err_code rc;

	if ((rc = datadir_list(datadir, "applications", "", ".conf", &path, e)) ||
	    (rc = kb_list_applications(c->kb, &there, e)))
		goto done;
	for (char **p = path; *p && !rc; p++)
		rc = load_application(c, *p, &there, &n->n_applications, e);
done:
	kb_names_release(&there);
	datadir_free(path);
	return rc;
}

static enum err_code load_machines(struct context *c, const char *datadir, struct shipped_count *n,
				   struct err *e)
{
	struct kb_names there = {0};
	char **path = NULL;
	enum err_code rc;

	if ((rc = datadir_list(datadir, "machines", "", ".conf", &path, e)) ||
	    (rc = kb_list_machines(c->kb, 0, &there, e)))
		goto done;
	for (char **p = path; *p && !rc; p++)
		rc = load_machine(c, *p, &there, &n->n_machines, e);
done:
	kb_names_release(&there);
	datadir_free(path);
	return rc;
}

static enum err_code load_runs(struct context *c, const char *path, struct shipped_count *n,
			       struct err *e)
{
	struct ingest_options o = {.path = path, .source = -1, .progress = c->progress};
	struct ingest_result result = {0};
	enum err_code rc = ingest_file(c->kb, &o, &result, e);

	if (!rc) {
		n->n_runs += result.import.n_taken;
		n->n_known_files += result.already_import != 0;
	}
	ingest_result_release(&result);
	return rc;
}

/* The machine of pingpong_NAME.csv is the one whose name begins with NAME. */
static enum err_code load_pingpong(struct context *c, const char *path,
				   const struct kb_names *machines, struct shipped_count *n,
				   struct err *e)
{
	const char *name = strrchr(path, '/') + strlen("/pingpong_");
	size_t len = strcspn(name, ".");
	struct pingpong_import done = {0};
	enum err_code rc;

	for (size_t i = 0; i < machines->n; i++) {
		const struct kb_name *m = &machines->item[i];

		if (strncmp(m->name, name, len) != 0 || (m->name[len] && m->name[len] != '-'))
			continue;
		rc = pingpong_import_file(c->kb, path, m->id, m->name, &done, e);
		if (!rc) {
			n->n_pingpong += done.known ? 0 : done.n_rows;
			n->n_known_files += done.known;
		}
		return rc;
	}
	return err_set(e, ERR_NOTFOUND, "%s: no machine has a name that begins with %.*s", path,
		       (int)len, name);
}

static enum err_code load_facts(struct context *c, const char *datadir, struct shipped_count *n,
				struct err *e)
{
	struct kb_names machines = {0};
	char **path = NULL;
	enum err_code rc;

	if ((rc = datadir_list(datadir, "runs", "", ".csv", &path, e)) ||
	    (rc = kb_list_machines(c->kb, 0, &machines, e)))
		goto done;
	for (char **p = path; *p && !rc; p++) {
		bool is_pingpong = !strncmp(strrchr(*p, '/'), "/pingpong_", strlen("/pingpong_"));

		rc = is_pingpong ? load_pingpong(c, *p, &machines, n, e) : load_runs(c, *p, n, e);
	}
done:
	kb_names_release(&machines);
	datadir_free(path);
	return rc;
}

enum err_code shipped_load_applications(struct context *c, struct shipped_count *n, struct err *e)
{
	char *datadir = NULL;
	enum err_code rc = datadir_find(&datadir, e);

	if (!rc)
		rc = load_applications(c, datadir, n, e);
	free(datadir);
	return rc;
}

enum err_code shipped_open_kb(struct context *c, enum cmd_needs needs, struct err *e)
{
	bool existed = access(c->kb_path, F_OK) == 0;
	struct shipped_count n = {0};
	enum err_code rc = context_open_kb(c, needs, e);

	if (rc || existed)
		return rc;
	if ((rc = shipped_load_applications(c, &n, e)))
		return rc;
	context_note(c, "new knowledge base %s", c->kb_path);
	return ERR_OK;
}

enum err_code shipped_load_all(struct context *c, struct shipped_count *n, struct err *e)
{
	char *datadir = NULL;
	enum err_code rc;

	if (!(rc = datadir_find(&datadir, e)) && !(rc = load_applications(c, datadir, n, e)) &&
	    !(rc = load_machines(c, datadir, n, e)))
		rc = load_facts(c, datadir, n, e);
	free(datadir);
	return rc;
}
