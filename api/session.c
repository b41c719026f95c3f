#include "api/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/strbuf.h"
#include "mining/numerics/mining_init.h"

void session_init_process(void)
{
	mining_init();
}

struct session_versions session_versions(void)
{
	return (struct session_versions){kb_schema_version(), kb_sqlite_version(),
					 mining_gsl_version(), jansson_version_str()};
}

/* ---- the base ---- */

static void note_waiting(void *arg, const char *holder, int max_wait_s)
{
	session_note(arg, "%s is writing to the knowledge base; waiting for it, up to %d s", holder,
		     max_wait_s);
}

enum err_code session_open(struct session *session, enum kb_mode mode, struct err *e)
{
	struct kb_options o = {
		.on_wait = note_waiting, .arg = session, .progress = session->progress};

	session_close(session);
	return kb_open(session->kb_path, mode, &o, &session->kb, e);
}

void session_close(struct session *session)
{
	kb_close(session->kb);
	session->kb = NULL;
}

/* ---- what is said ---- */

enum { MAX_SAID = 2048 };

__attribute__((format(printf, 3, 0))) static void tell(const struct session *session,
						       void (*to)(void *arg, const char *text),
						       const char *fmt, va_list args)
{
	char text[MAX_SAID];

	if (!to)
		return;
	vsnprintf(text, sizeof text, fmt, args);
	to(session->arg, text);
}

void session_note(const struct session *session, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tell(session, session->note, fmt, args);
	va_end(args);
}

void session_warn(const struct session *session, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tell(session, session->warn, fmt, args);
	va_end(args);
}

/* ---- which application and machine ---- */

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

const char *session_term(const struct session *session, enum session_term term)
{
	static const char *const plain[] = {
		[TERM_APPLICATION] = "its name",
		[TERM_MACHINE] = "its name",
		[TERM_WHAT_IF] = "a what if",
		[TERM_WHAT_IF_FACTOR] = "",
	};
	const char *own = session->term ? session->term(session->arg, term) : NULL;

	return own ? own : plain[term];
}

static enum err_code unclear(const struct session *session, const char *what,
			     const char *list_command, const struct kb_names *names, struct err *e)
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
			"which %s? Give %s, or set a default with `lemnos %s default NAME`: %s",
			what,
			session_term(session, what[0] == 'm' ? TERM_MACHINE : TERM_APPLICATION),
			list_command, strbuf_text(&list));
	strbuf_release(&list);
	return ERR_USAGE;
}

/* Sets *name (the caller frees it) where nobody gave one. */
static enum err_code choose(struct session *session, const char *what, const char *list_command,
			    const struct kb_names *names, char **name, struct err *e)
{
	const struct kb_name *only;
	enum err_code rc;

	*name = NULL;
	if ((rc = kb_get_default(session->kb, what, name, e)) || *name)
		return rc;
	if (!(only = only_one(names)))
		return unclear(session, what, list_command, names, e);
	*name = strdup(only->name);
	return *name ? ERR_OK : err_set(e, ERR_NOMEM, "the name of the %s", what);
}

enum err_code session_application(struct session *session, const char *given,
				  struct application **out, int64_t *id, struct err *e)
{
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if (given)
		return kb_get_application(session->kb, given, out, id, e);
	if ((rc = kb_list_applications(session->kb, &names, e)) ||
	    (rc = choose(session, "application", "apps", &names, &name, e)))
		goto done;
	rc = kb_get_application(session->kb, name, out, id, e);
done:
	free(name);
	kb_names_release(&names);
	return rc;
}

enum err_code session_machine(struct session *session, const char *given, int64_t app_id,
			      struct machine **out, int64_t *id, struct err *e)
{
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if (given)
		return kb_get_machine(session->kb, given, out, id, e);
	if ((rc = kb_list_machines(session->kb, app_id, &names, e)) ||
	    (rc = choose(session, "machine", "machines", &names, &name, e)))
		goto done;
	rc = kb_get_machine(session->kb, name, out, id, e);
done:
	free(name);
	kb_names_release(&names);
	return rc;
}
