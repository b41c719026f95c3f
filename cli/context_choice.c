#include "cli/context.h"

#include <stdlib.h>
#include <string.h>

/* Which application and machine a command means. */

/* The only one that has runs, else the only one there is; NULL: not clear. */
static const struct kb_name *only_one(const struct kb_names *names)
{
	const struct kb_name *with_runs = NULL;
	size_t n_with_runs = 0;

	for (size_t i = 0; i < names->n; i++) {
		if (names->item[i].n_runs > 0) {
			with_runs = &names->item[i];
			n_with_runs++;
		}
	}
	if (n_with_runs == 1)
		return with_runs;
	return n_with_runs == 0 && names->n == 1 ? &names->item[0] : NULL;
}

static enum err_code unclear(const char *what, const char *list_command,
			     const struct kb_names *names, struct err *e)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < names->n; i++)
		strbuf_printf(&list, "%s%s (%lld %s)", i ? ", " : "", names->item[i].name,
			      (long long)names->item[i].n_runs,
			      names->item[i].n_runs == 1 ? "run" : "runs");
	if (names->n == 0)
		err_set(e, ERR_USAGE,
			"the knowledge base knows no %s yet; load runs with `lemnos ingest FILE` "
			"or "
			"the shipped ones with `lemnos init --with-data`",
			what);
	else
		err_set(e, ERR_USAGE,
			"which %s? Give --%s NAME, or set a default with `lemnos %s default NAME`: "
			"%s",
			what, what[0] == 'm' ? "machine" : "app", list_command, strbuf_text(&list));
	strbuf_release(&list);
	return ERR_USAGE;
}

/* Sets *name (the caller frees it). */
static enum err_code choose(struct context *c, const struct option_spec *flag, const char *what,
			    const char *list_command, const struct kb_names *names, char **name,
			    struct err *e)
{
	const char *given = options_get(&c->opt, flag);
	const struct kb_name *only;
	enum err_code rc;

	*name = NULL;
	if (!given) {
		if ((rc = kb_get_default(c->kb, what, name, e)))
			return rc;
		if (*name)
			return ERR_OK;
		if (!(only = only_one(names)))
			return unclear(what, list_command, names, e);
		given = only->name;
	}
	*name = strdup(given);
	return *name ? ERR_OK : err_set(e, ERR_NOMEM, "the name of the %s", what);
}

enum err_code context_application(struct context *c, struct application **out, int64_t *id,
				  struct err *e)
{
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if ((rc = kb_list_applications(c->kb, &names, e)) ||
	    (rc = choose(c, &opt_app, "application", "apps", &names, &name, e)))
		goto done;
	rc = kb_get_application(c->kb, name, out, id, e);
done:
	free(name);
	kb_names_release(&names);
	return rc;
}

enum err_code context_machine(struct context *c, int64_t app_id, struct machine **out, int64_t *id,
			      struct err *e)
{
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if ((rc = kb_list_machines(c->kb, app_id, &names, e)) ||
	    (rc = choose(c, &opt_machine, "machine", "machines", &names, &name, e)))
		goto done;
	rc = kb_get_machine(c->kb, name, out, id, e);
done:
	free(name);
	kb_names_release(&names);
	return rc;
}
