#include "api/shipped.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/datadir.h"
#include "api/pingpong_import.h"
#include "ingest/ingest.h"

static bool is_there(const struct kb_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (!strcasecmp(names->item[i].name, name))
			return true;
	}
	return false;
}

static enum err_code end_transaction(struct kb *kb, enum err_code rc, struct err *e)
{
	if (!rc)
		return kb_commit(kb, e);
	kb_rollback(kb);
	return rc;
}

/* While we waited for another writer somebody may have added an application of this name, and
 * changed it.
 */
static enum err_code add_application(struct kb *kb, const struct application *a, int64_t *n,
				     struct err *e)
{
	struct kb_names there = {0};
	bool known = false;
	enum err_code rc = kb_begin(kb, e);

	if (rc)
		return rc;
	if (!(rc = kb_list_applications(kb, &there, e))) {
		known = is_there(&there, a->name);
		if (!known)
			rc = kb_put_application(kb, a, NULL, e);
	}
	kb_names_release(&there);
	if (!(rc = end_transaction(kb, rc, e)) && !known)
		++*n;
	return rc;
}

static enum err_code load_application(struct session *session, const char *path,
				      const struct kb_names *there, int64_t *n, struct err *e)
{
	struct application *a = NULL;
	enum err_code rc = application_read(path, &a, e);

	if (!rc && !is_there(there, a->name))
		rc = add_application(session->kb, a, n, e);
	application_free(a);
	return rc;
}

static enum err_code add_machine(struct kb *kb, const struct machine *m, int64_t *n, struct err *e)
{
	struct kb_names there = {0};
	bool known = false;
	enum err_code rc = kb_begin(kb, e);

	if (rc)
		return rc;
	if (!(rc = kb_list_machines(kb, 0, &there, e))) {
		known = is_there(&there, m->name);
		if (!known)
			rc = kb_put_machine(kb, m, NULL, e);
	}
	kb_names_release(&there);
	if (!(rc = end_transaction(kb, rc, e)) && !known)
		++*n;
	return rc;
}

static enum err_code load_machine(struct session *session, const char *path,
				  const struct kb_names *there, int64_t *n, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc = machine_read(path, &m, e);

	if (!rc && !is_there(there, m->name))
		rc = add_machine(session->kb, m, n, e);
	machine_free(m);
	return rc;
}

static enum err_code load_applications(struct session *session, const char *datadir,
				       struct shipped_count *n, struct err *e)
{
	struct kb_names there = {0};
	char **path = NULL;
	enum err_code rc;

	if ((rc = datadir_list(datadir, "applications", "", ".conf", &path, e)) ||
	    (rc = kb_list_applications(session->kb, &there, e)))
		goto done;
	for (char **p = path; *p && !rc; p++)
		rc = load_application(session, *p, &there, &n->n_applications, e);
done:
	kb_names_release(&there);
	datadir_free(path);
	return rc;
}

static enum err_code load_machines(struct session *session, const char *datadir,
				   struct shipped_count *n, struct err *e)
{
	struct kb_names there = {0};
	char **path = NULL;
	enum err_code rc;

	if ((rc = datadir_list(datadir, "machines", "", ".conf", &path, e)) ||
	    (rc = kb_list_machines(session->kb, 0, &there, e)))
		goto done;
	for (char **p = path; *p && !rc; p++)
		rc = load_machine(session, *p, &there, &n->n_machines, e);
done:
	kb_names_release(&there);
	datadir_free(path);
	return rc;
}

static enum err_code load_runs(struct session *session, const char *path, struct shipped_count *n,
			       struct err *e)
{
	struct ingest_options o = {.path = path, .source = -1, .progress = session->progress};
	struct ingest_result result = {0};
	enum err_code rc = ingest_file(session->kb, &o, &result, e);

	if (!rc) {
		n->n_runs += result.import.n_taken;
		n->n_known_files += result.already_import != 0;
	}
	ingest_result_release(&result);
	return rc;
}

/* The machine of pingpong_NAME.csv is the one whose name begins with NAME. */
static enum err_code load_pingpong(struct session *session, const char *path,
				   const struct kb_names *machines, struct shipped_count *n,
				   struct err *e)
{
	const char *name = strrchr(path, '/') + strlen("/pingpong_");
	size_t len = strcspn(name, ".");
	struct pingpong_import done = {0};
	struct pingpong_file f = {0};
	enum err_code rc;

	for (size_t i = 0; i < machines->n; i++) {
		const struct kb_name *m = &machines->item[i];

		if (strncmp(m->name, name, len) != 0 || (m->name[len] && m->name[len] != '-'))
			continue;
		if (!(rc = pingpong_file_read(path, session->progress, &f, e)))
			rc = pingpong_import_alone(session->kb, &f, m->id, m->name, &done, e);
		pingpong_file_release(&f);
		if (!rc) {
			n->n_pingpong += done.known ? 0 : done.n_rows;
			n->n_known_files += done.known;
		}
		return rc;
	}
	return err_set(e, ERR_NOTFOUND, "%s: no machine has a name that begins with %.*s", path,
		       (int)len, name);
}

static enum err_code load_facts(struct session *session, const char *datadir,
				struct shipped_count *n, struct err *e)
{
	struct kb_names machines = {0};
	char **path = NULL;
	enum err_code rc;

	if ((rc = datadir_list(datadir, "runs", "", ".csv", &path, e)) ||
	    (rc = kb_list_machines(session->kb, 0, &machines, e)))
		goto done;
	for (char **p = path; *p && !rc; p++) {
		bool is_pingpong = !strncmp(strrchr(*p, '/'), "/pingpong_", strlen("/pingpong_"));

		rc = is_pingpong ? load_pingpong(session, *p, &machines, n, e)
				 : load_runs(session, *p, n, e);
	}
done:
	kb_names_release(&machines);
	datadir_free(path);
	return rc;
}

static enum err_code find_datadir(const struct session *session, char **out, struct err *e)
{
	if (!session->datadir)
		return datadir_find(out, e);
	*out = strdup(session->datadir);
	return *out ? ERR_OK : err_set(e, ERR_NOMEM, "the name of the data folder");
}

enum err_code shipped_load_applications(struct session *session, struct shipped_count *n,
					struct err *e)
{
	char *datadir = NULL;
	enum err_code rc = find_datadir(session, &datadir, e);

	if (!rc)
		rc = load_applications(session, datadir, n, e);
	free(datadir);
	return rc;
}

/* "hpl, kripke, snap" of paths. */
static void put_application_names(char *const *path, struct strbuf *out)
{
	for (char *const *p = path; *p; p++) {
		const char *name = strrchr(*p, '/') + 1;

		strbuf_printf(out, "%s%.*s", p == path ? "" : ", ",
			      (int)(strlen(name) - strlen(".conf")), name);
	}
}

enum err_code shipped_find_application(struct session *session, const char *operand, char **out,
				       struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	char *datadir = NULL, **path = NULL;
	struct err why = {0};
	struct stat st;
	enum err_code rc;

	/* a file, or what only a file can be called */
	if (stat(operand, &st) == 0 || strpbrk(operand, "./")) {
		*out = strdup(operand);
		return *out ? ERR_OK : err_set(e, ERR_NOMEM, "the name of a definition");
	}
	if ((rc = find_datadir(session, &datadir, &why)) ||
	    (rc = datadir_list(datadir, "classes", "", ".conf", &path, &why))) {
		err_set(e, rc, "%s", why.msg);
		goto done;
	}
	for (char **p = path; *p; p++) {
		const char *name = strrchr(*p, '/') + 1;

		if (strlen(name) != strlen(operand) + strlen(".conf") ||
		    strncmp(name, operand, strlen(operand)) != 0)
			continue;
		*out = strdup(*p);
		if (!*out)
			rc = err_set(e, ERR_NOMEM, "the name of a definition");
		goto done;
	}
	put_application_names(path, &names);
	rc = err_set(e, ERR_NOTFOUND,
		     "there is no file '%s', and no definition of that name ships: those are %s",
		     operand, strbuf_text(&names));
done:
	strbuf_release(&names);
	datadir_free(path);
	free(datadir);
	return rc;
}

void shipped_tell_new_kb(const struct session *session)
{
	session_note(session, "new knowledge base %s", session->kb_path);
}

static void remove_file(const char *path, const char *suffix)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_printf(&name, "%s%s", path, suffix);
	if (!name.failed)
		unlink(strbuf_text(&name));
	strbuf_release(&name);
}

/* Nobody has put anything into it: two that begin at once may both take themselves for its maker.
 */
static bool is_as_made(const struct session *session)
{
	struct kb_imports imports = {0};
	struct kb_names machines = {0}, applications = {0};
	char *datadir = NULL, **path = NULL;
	size_t n_shipped = 0;
	bool as_made = kb_list_imports(session->kb, &imports, NULL) == ERR_OK && imports.n == 0 &&
		       kb_list_machines(session->kb, 0, &machines, NULL) == ERR_OK &&
		       machines.n == 0 &&
		       kb_list_applications(session->kb, &applications, NULL) == ERR_OK;

	if (as_made && applications.n > 0 && find_datadir(session, &datadir, NULL) == ERR_OK &&
	    datadir_list(datadir, "applications", "", ".conf", &path, NULL) == ERR_OK) {
		while (path[n_shipped])
			n_shipped++;
	}
	as_made = as_made && applications.n <= n_shipped;
	kb_imports_release(&imports);
	kb_names_release(&machines);
	kb_names_release(&applications);
	datadir_free(path);
	free(datadir);
	return as_made;
}

/* What the user had, unless somebody has made something else meanwhile. */
static void make_empty_file(const char *path, mode_t mode)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	if (fd >= 0) {
		(void)!fchmod(fd, mode);
		close(fd);
	}
}

/* Under the lock of a writer, so that nobody begins to use it meanwhile; whoever waits for it sees
 * that it is gone. */
void shipped_take_back_kb(struct session *session)
{
	if (!session->kb || kb_begin(session->kb, NULL) != ERR_OK)
		return;
	if (is_as_made(session)) {
		remove_file(session->kb_path, "");
		kb_close(session->kb); /* finds its own files by their descriptors */
		session->kb = NULL;
		remove_file(session->kb_path, "-wal");
		remove_file(session->kb_path, "-shm");
		remove_file(session->kb_path, "-journal");
		if (session->was_empty)
			make_empty_file(session->kb_path, session->empty_mode);
	} else {
		kb_rollback(session->kb);
	}
}

enum err_code shipped_open_kb(struct session *session, enum kb_mode mode, bool *made, struct err *e)
{
	struct stat st;
	/* An empty file is as good as none. */
	bool there = stat(session->kb_path, &st) == 0;
	bool existed = there && (!S_ISREG(st.st_mode) || st.st_size > 0);
	struct shipped_count n = {0};
	enum err_code rc = session_open(session, mode, e);

	session->was_empty = there && !existed;
	session->empty_mode = there ? st.st_mode & 07777 : 0;
	if (made)
		*made = false;
	if (rc || existed)
		return rc;
	if ((rc = shipped_load_applications(session, &n, e))) {
		shipped_take_back_kb(session);
		return rc;
	}
	if (made)
		*made = true;
	else
		shipped_tell_new_kb(session);
	return ERR_OK;
}

enum err_code shipped_load_all(struct session *session, struct shipped_count *n, struct err *e)
{
	char *datadir = NULL;
	enum err_code rc;

	if (!(rc = find_datadir(session, &datadir, e)) &&
	    !(rc = load_applications(session, datadir, n, e)) &&
	    !(rc = load_machines(session, datadir, n, e)))
		rc = load_facts(session, datadir, n, e);
	free(datadir);
	return rc;
}
