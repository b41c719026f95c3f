#include "api/fitted_machines.h"

#include <stdlib.h>
#include <string.h>

struct named_machine {
	char *name;
	struct fitted_machine mined;
};

static void named_machine_free(struct named_machine *n)
{
	if (!n)
		return;
	fitted_machine_release(&n->mined);
	free(n->name);
	free(n);
}

void fitted_machines_release(struct fitted_machines *m)
{
	for (size_t i = 0; i < m->n; i++)
		named_machine_free(m->item[i]);
	free(m->item);
	free(m->failed);
	*m = (struct fitted_machines){0};
}

static const struct fitted_machine *find_loaded(struct fitted_machines *m, const char *name)
{
	if (m->last < m->n && !strcmp(m->item[m->last]->name, name))
		return &m->item[m->last]->mined;
	for (size_t i = 0; i < m->n; i++) {
		if (!strcmp(m->item[i]->name, name)) {
			m->last = i;
			return &m->item[i]->mined;
		}
	}
	return NULL;
}

static enum err_code add(struct fitted_machines *m, const char *name, struct err *e)
{
	struct named_machine **longer = realloc(m->item, (m->n + 1) * sizeof *longer);
	struct named_machine *new_one;
	struct machine_request asked = m->asked;
	enum err_code rc;

	if (!longer)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	m->item = longer;
	new_one = calloc(1, sizeof *new_one);
	if (!new_one)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	new_one->name = strdup(name);
	if (!new_one->name) {
		free(new_one);
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	}
	asked.name = *name ? name : m->asked.name;
	rc = fitted_machine_load(m->session, m->app, m->app_id, &asked, &new_one->mined, e);
	if (rc) {
		free(new_one->name);
		free(new_one);
		return rc;
	}
	if (new_one->mined.stale)
		session_warn(m->session,
			     "facts about %s changed since this was mined; run `lemnos mine`",
			     new_one->mined.machine->name);
	m->last = m->n;
	m->item[m->n++] = new_one;
	return ERR_OK;
}

static bool is_about_the_row(enum err_code rc, const char *name)
{
	return *name && (rc == ERR_NOTFOUND || rc == ERR_NOTMINED || rc == ERR_ARG);
}

enum err_code fitted_machines_find(struct fitted_machines *m, const char *name,
				   const struct fitted_machine **out, struct err *e)
{
	enum err_code rc;

	*out = find_loaded(m, name);
	if (*out || (m->failed && !strcmp(m->failed, name)))
		return ERR_OK;
	m->why = (struct err){0};
	rc = add(m, name, &m->why);
	if (!rc) {
		*out = find_loaded(m, name);
		return ERR_OK;
	}
	if (!is_about_the_row(rc, name))
		return err_set(e, rc, "%s", m->why.msg);
	free(m->failed);
	m->failed = strdup(name);
	return m->failed ? ERR_OK : err_set(e, ERR_NOMEM, "the name of a machine");
}
