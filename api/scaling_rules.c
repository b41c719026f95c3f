#include "api/scaling_rules.h"

#include <stdlib.h>
#include <string.h>

static size_t count_ended(const struct dataset *runs)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++)
		n += runs->status[i] == RUN_OK;
	return n;
}

static enum err_code find_of(struct session *session, const struct application *app, int64_t app_id,
			     const struct machine_request *asked, double confidence,
			     struct scaling_rules_of *of, struct err *e)
{
	struct fitted_machine m = {0};
	struct dataset *runs = NULL;
	enum err_code rc = fitted_machine_load(session, app, app_id, asked, &m, e);

	if (!rc) {
		const struct kb_filter f = {.machine_id = m.runs_machine_id};

		rc = kb_load_runs(session->kb, app, &f, session->progress, &runs, e);
	}
	if (!rc) {
		of->stale = m.stale;
		of->n_runs = count_ended(runs);
		rc = doubling_effects_find(m.predictor, runs, confidence, &of->effects, e);
	}
	dataset_free(runs);
	fitted_machine_release(&m);
	return rc;
}

/* Has the application runs there? */
static enum err_code has_runs(struct session *session, const struct application *app,
			      const char *name, bool *has, struct err *e)
{
	struct machine *machine = NULL;
	struct kb_filter f = {0};
	int64_t n = 0;
	enum err_code rc = kb_get_machine(session->kb, name, &machine, &f.machine_id, e);

	machine_free(machine);
	if (!rc)
		rc = kb_count_runs(session->kb, app, &f, &n, e);
	*has = n > 0;
	return rc;
}

static enum err_code add(struct session *session, const struct application *app, int64_t app_id,
			 const char *name, bool only_one, double confidence,
			 struct scaling_rules *s, struct err *e)
{
	const struct machine_request asked = {.name = name};
	struct scaling_rules_of *of = &s->item[s->n];
	struct err why = {0};
	enum err_code rc;

	of->machine = strdup(name);
	if (!of->machine)
		return err_set(e, ERR_NOMEM, "the name of a machine");
	s->n++;
	rc = find_of(session, app, app_id, &asked, confidence, of, &why);
	if (rc == ERR_NOTMINED && !only_one) {
		of->unanswered = strdup(why.msg);
		return of->unanswered ? ERR_OK : err_set(e, ERR_NOMEM, "a reason");
	}
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code add_all(struct session *session, const struct application *app, int64_t app_id,
			     double confidence, struct scaling_rules *s, struct err *e)
{
	struct kb_names known = {0};
	size_t n_known = 0;
	enum err_code rc = kb_list_machines(session->kb, app_id, &known, e);

	if (!rc && !(s->item = calloc(known.n + 1, sizeof *s->item)))
		rc = err_set(e, ERR_NOMEM, "%zu machines", known.n);
	for (size_t i = 0; i < known.n && !rc; i++) {
		bool has = false;

		rc = has_runs(session, app, known.item[i].name, &has, e);
		if (!rc && has) {
			rc = add(session, app, app_id, known.item[i].name, false, confidence, s, e);
			n_known += !rc && !s->item[s->n - 1].unanswered;
		}
	}
	kb_names_release(&known);
	if (rc || n_known > 0)
		return rc;
	return s->n > 0 ? err_set(e, ERR_NOTMINED, "%s", s->item[0].unanswered)
			: err_set(e, ERR_NOTMINED,
				  "%s has no runs: load some (`lemnos ingest`), then `lemnos mine`",
				  app->name);
}

enum err_code scaling_rules_find(struct session *session, const struct application *app,
				 int64_t app_id, const char *machine, double confidence,
				 struct scaling_rules *out, struct err *e)
{
	struct scaling_rules s = {0};
	enum err_code rc;

	if (!machine)
		rc = add_all(session, app, app_id, confidence, &s, e);
	else if (!(s.item = calloc(1, sizeof *s.item)))
		rc = err_set(e, ERR_NOMEM, "a machine");
	else
		rc = add(session, app, app_id, machine, true, confidence, &s, e);
	if (rc)
		scaling_rules_release(&s);
	else
		*out = s;
	return rc;
}

void scaling_rules_release(struct scaling_rules *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].machine);
		free(s->item[i].unanswered);
		doubling_effects_release(&s->item[i].effects);
	}
	free(s->item);
	*s = (struct scaling_rules){0};
}
