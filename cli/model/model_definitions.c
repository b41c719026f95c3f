#include "cli/model/model_definitions.h"

#include <stdlib.h>
#include <string.h>

#include "api/datadir.h"

/* DATADIR/FOLDER/NAME.conf; *path stays NULL if there is none. */
static enum err_code find_shipped(const char *folder, const char *name, char **path, struct err *e)
{
	char *datadir = NULL;
	char **list = NULL;
	enum err_code rc;

	if ((rc = datadir_find(&datadir, e)) ||
	    (rc = datadir_list(datadir, folder, name, ".conf", &list, e)))
		goto done;
	for (char **p = list; *p && !*path; p++) {
		/* the list has every name that begins so */
		if (strlen(strrchr(*p, '/') + 1) != strlen(name) + strlen(".conf"))
			continue;
		*path = strdup(*p);
		if (!*path)
			rc = err_set(e, ERR_NOMEM, "the name of a definition");
	}
done:
	datadir_free(list);
	free(datadir);
	return rc;
}

static enum err_code shipped_application(struct context *c, const char *name,
					 struct application **out, struct err *e)
{
	char *path = NULL;
	enum err_code rc = find_shipped("applications", name, &path, e);

	if (!rc)
		rc = path ? application_read(path, out, e)
			  : err_set(e, ERR_NOTFOUND,
				    "no application %s ships with lemnos, and there is no "
				    "knowledge "
				    "base %s",
				    name, c->kb_path);
	free(path);
	return rc;
}

/* why: what the base said. */
static enum err_code shipped_machine(struct context *c, const struct err *why, struct machine **out,
				     struct err *e)
{
	const char *name = options_get(&c->opt, &opt_machine);
	char *path = NULL;
	enum err_code rc;

	if (!name)
		return err_set(e, ERR_USAGE, "which machine? Give --machine NAME");
	rc = find_shipped("machines", name, &path, e);
	if (!rc)
		rc = path ? machine_read(path, out, e)
			  : err_set(e, ERR_NOTFOUND,
				    "%s; none of that name ships with lemnos either", why->msg);
	free(path);
	return rc;
}

enum err_code model_definitions_open_base(struct context *c, struct err *e)
{
	struct err why = {0};
	enum err_code rc = context_open_kb(c, NEEDS_KB_READ, &why);

	return rc && rc != ERR_NOTFOUND ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

enum err_code model_definitions_application(struct context *c, struct application **out,
					    int64_t *id, struct err *e)
{
	const char *asked = options_get(&c->opt, &opt_app);
	enum err_code rc = model_definitions_open_base(c, e);

	if (rc)
		return rc;
	/* without a base: the application of the models */
	return c->session.kb ? context_application(c, out, id, e)
			     : shipped_application(c, asked ? asked : "sweep3d", out, e);
}

enum err_code model_definitions_named(struct context *c, const char *name, struct application **out,
				      int64_t *id, struct err *e)
{
	struct err why = {0};
	enum err_code rc = ERR_NOTFOUND;

	if (c->session.kb)
		rc = kb_get_application(c->session.kb, name, out, id, &why);
	if (rc == ERR_NOTFOUND)
		return shipped_application(c, name, out, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

enum err_code model_definitions_machine(struct context *c, int64_t app_id, struct machine **out,
					int64_t *id, struct err *e)
{
	struct err why = {0};
	enum err_code rc = ERR_NOTFOUND;

	if (c->session.kb)
		rc = context_machine(c, app_id, out, id, &why);
	else
		err_set(&why, rc, "there is no knowledge base %s", c->kb_path);
	if (rc == ERR_NOTFOUND)
		return shipped_machine(c, &why, out, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}
