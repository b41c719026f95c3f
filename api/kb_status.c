#include "api/kb_status.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "api/fitted_machine.h"
#include "api/json_text.h"
#include "mining/mine.h"

const char *knowledge_state_name(enum knowledge_state s)
{
	static const char *const name[] = {
		[STATE_NOT_MINED] = "not mined",
		[STATE_TOO_FEW] = "too few runs",
		[STATE_STALE] = "stale",
		[STATE_MINED] = "mined",
	};

	return name[s];
}

struct fits {
	struct kb_fit *item;
	size_t n;
};

static const struct kb_fit *find_fit(const struct fits *fits, int64_t app_id, int64_t machine_id)
{
	for (size_t i = 0; i < fits->n; i++) {
		if (fits->item[i].app_id == app_id && fits->item[i].machine_id == machine_id)
			return &fits->item[i];
	}
	return NULL;
}

/* Nothing was mined: would it help to? */
static enum err_code look_for_obstacle(struct kb *kb, const struct kb_name *app,
				       const struct kb_name *machine, struct knowledge_status *s,
				       struct err *e)
{
	struct application *a = NULL;
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = kb_get_application(kb, app->name, &a, NULL, e);

	if (!rc)
		rc = check_enough_runs(kb, a, app->id, machine->id, machine->n_runs, &why, e);
	if (why.len)
		s->state = STATE_TOO_FEW;
	strbuf_release(&why);
	application_free(a);
	return rc;
}

static enum err_code fill(struct kb *kb, const struct kb_fit *fit, const struct kb_name *app,
			  const struct kb_name *machine, struct knowledge_status *s, struct err *e)
{
	struct kb_fit whole = {0}; /* with the parameters, which a list leaves out */
	char today[65];
	enum err_code rc;

	s->app = strdup(app->name);
	s->machine = strdup(machine->name);
	s->n_runs = machine->n_runs;
	if (!s->app || !s->machine)
		return err_set(e, ERR_NOMEM, "the status of %s", app->name);
	if (!fit)
		return look_for_obstacle(kb, app, machine, s, e);
	if ((rc = kb_snapshot(kb, app->id, machine->id, today, e)) ||
	    (rc = kb_get_fit(kb, app->id, machine->id, &whole, e)))
		return rc;
	s->state = mine_is_current(&whole, today) ? STATE_MINED : STATE_STALE;
	kb_fit_release(&whole);
	s->n_fitted = fit->n_runs;
	s->predictor = strdup(fit->predictor);
	return s->predictor ? ERR_OK : err_set(e, ERR_NOMEM, "the status of %s", app->name);
}

static enum err_code add_pair(struct kb *kb, const struct fits *fits, const struct kb_name *app,
			      const struct kb_name *machine, struct kb_status *out, struct err *e)
{
	struct knowledge_status *longer = realloc(out->item, (out->n + 1) * sizeof *longer);
	struct knowledge_status *s;
	enum err_code rc;

	if (!longer)
		return err_set(e, ERR_NOMEM, "the status of %zu machines", out->n + 1);
	out->item = longer;
	s = &out->item[out->n++];
	*s = (struct knowledge_status){.state = STATE_NOT_MINED};
	if ((rc = fill(kb, find_fit(fits, app->id, machine->id), app, machine, s, e)))
		return rc;
	out->n_runs += s->n_runs;
	out->n_not_mined += s->state == STATE_NOT_MINED;
	out->n_stale += s->state == STATE_STALE;
	out->n_mined += s->state == STATE_MINED;
	return ERR_OK;
}

static enum err_code add_application(struct kb *kb, const struct fits *fits,
				     const struct kb_name *app, struct kb_status *out,
				     struct err *e)
{
	struct kb_names machines = {0};
	enum err_code rc = kb_list_machines(kb, app->id, &machines, e);

	for (size_t i = 0; i < machines.n && !rc; i++) {
		if (machines.item[i].n_runs > 0)
			rc = add_pair(kb, fits, app, &machines.item[i], out, e);
	}
	kb_names_release(&machines);
	return rc;
}

/* One snapshot of the base over all the questions: an import may be going on. */
enum err_code kb_status_read(struct kb *kb, struct kb_status *out, struct err *e)
{
	struct kb_status status = {0};
	struct kb_names apps = {0};
	struct fits fits = {0};
	enum err_code rc = kb_begin_read(kb, e);

	if (rc)
		return rc;
	if (!(rc = kb_list_applications(kb, &apps, e)))
		rc = kb_list_fits(kb, &fits.item, &fits.n, e);
	for (size_t i = 0; i < apps.n && !rc; i++)
		rc = add_application(kb, &fits, &apps.item[i], &status, e);
	kb_end_read(kb);
	for (size_t i = 0; i < fits.n; i++)
		kb_fit_release(&fits.item[i]);
	free(fits.item);
	kb_names_release(&apps);
	if (rc)
		kb_status_release(&status);
	else
		*out = status;
	return rc;
}

void kb_status_release(struct kb_status *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].app);
		free(s->item[i].machine);
		free(s->item[i].predictor);
	}
	free(s->item);
	*s = (struct kb_status){0};
}

const char *kb_status_next(const struct kb_status *s)
{
	if (s->n_runs == 0)
		return "lemnos ingest FILE, or lemnos init --with-data";
	if (s->n_not_mined || s->n_stale)
		return "lemnos mine";
	if (!s->n_mined)
		return "lemnos ingest FILE: `lemnos mine` says how many runs are missing";
	return "lemnos recommend --problem SIZE --deadline TIME";
}

/* ---- the base itself ---- */

enum err_code kb_facts_read(struct kb *kb, struct kb_facts *out, struct err *e)
{
	struct kb_imports imports = {0};
	struct stat st;
	enum err_code rc;

	if ((rc = kb_get_default(kb, "application", &out->default_app, e)) ||
	    (rc = kb_get_default(kb, "machine", &out->default_machine, e)) ||
	    (rc = kb_list_imports(kb, &imports, e)))
		return rc;
	for (size_t i = 0; i < imports.n; i++)
		out->n_imports += !imports.item[i].undone;
	out->n_bytes = stat(kb_path(kb), &st) ? 0 : st.st_size;
	kb_imports_release(&imports);
	return ERR_OK;
}

void kb_facts_release(struct kb_facts *facts)
{
	free(facts->default_app);
	free(facts->default_machine);
	*facts = (struct kb_facts){0};
}

/* ---- JSON ---- */

static json_t *knowledge_json(const struct knowledge_status *k)
{
	json_t *knowledge = json_object();

	return out_json_unless(
		member_text(knowledge, "app", k->app) |
			member_text(knowledge, "machine", k->machine) |
			member_int(knowledge, "runs", k->n_runs) |
			member_text(knowledge, "state", knowledge_state_name(k->state)) |
			member_text(knowledge, "predictor", k->predictor) |
			json_object_set_new(knowledge, "fitted_runs",
					    k->predictor ? json_integer(k->n_fitted) : json_null()),
		knowledge);
}

struct json_t *kb_status_json(const char *path, struct kb *kb, const struct kb_facts *b,
			      const struct kb_status *s)
{
	json_t *answer = out_json_answer(), *knowledge = json_array();
	int failed = 0;

	for (size_t i = 0; i < s->n; i++)
		failed |= json_array_append_new(knowledge, knowledge_json(&s->item[i]));
	failed |= member_text(answer, "kb", path) |
		  member_int(answer, "schema", kb_schema_version()) |
		  member_text(answer, "journal", kb_journal_mode(kb)) |
		  member_int(answer, "size_bytes", b->n_bytes) |
		  member_int(answer, "imports", b->n_imports) |
		  member_int(answer, "runs", s->n_runs) |
		  member_text(answer, "default_app", b->default_app) |
		  member_text(answer, "default_machine", b->default_machine) |
		  json_object_set_new(answer, "knowledge", knowledge) |
		  member_text(answer, "next", kb_status_next(s));
	return out_json_unless(failed, answer);
}
