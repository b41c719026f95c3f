#include "api/datadir.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/compare.h"
#include "base/program_file.h"
#include "base/strbuf.h"

static bool is_datadir(const char *path)
{
	struct strbuf folder = STRBUF_INIT;
	struct stat st;
	bool yes;

	strbuf_printf(&folder, "%s/applications", path);
	yes = !folder.failed && !stat(folder.buf, &st) && S_ISDIR(st.st_mode);
	strbuf_release(&folder);
	return yes;
}

char *program_folder_find(void)
{
	char *path = program_file_beside("kernels");

	return path || errno == ENOMEM ? path : program_file_beside("../libexec/lemnos");
}

static enum err_code from_environment(const char *path, char **out, struct err *e)
{
	if (!is_datadir(path))
		return err_set(e, ERR_IO, "$LEMNOS_DATADIR: no folder '%s/applications'", path);
	*out = strdup(path);
	return *out ? ERR_OK : err_set(e, ERR_NOMEM, "the name of the data folder");
}

enum err_code datadir_find(char **out, struct err *e)
{
	static const char *const relative[] = {"../share/lemnos", "../data"};
	const char *env = getenv("LEMNOS_DATADIR");

	if (env && *env)
		return from_environment(env, out, e);
	for (size_t i = 0; i < sizeof relative / sizeof relative[0]; i++) {
		char *path = program_file_beside(relative[i]);

		if (!path && errno == ENOMEM)
			return err_set(e, ERR_NOMEM, "the name of the data folder");
		if (path && is_datadir(path)) {
			*out = path;
			return ERR_OK;
		}
		free(path);
	}
	if (!is_datadir(LEMNOS_DATADIR))
		return err_set(e, ERR_IO,
			       "the data that ship with lemnos are neither in ../share/lemnos or "
			       "../data beside the program nor in %s; set LEMNOS_DATADIR",
			       LEMNOS_DATADIR);
	*out = strdup(LEMNOS_DATADIR);
	return *out ? ERR_OK : err_set(e, ERR_NOMEM, "the name of the data folder");
}

static bool begins_and_ends(const char *name, const char *prefix, const char *suffix)
{
	size_t len = strlen(name), len_suffix = strlen(suffix);

	return !strncmp(name, prefix, strlen(prefix)) && len >= len_suffix &&
	       !strcmp(name + len - len_suffix, suffix);
}

/* Appends folder/name to the NULL-terminated list. */
static bool add_path(char ***list, size_t *n, const char *folder, const char *name)
{
	char **longer = realloc(*list, (*n + 2) * sizeof *longer);
	struct strbuf path = STRBUF_INIT;

	if (!longer)
		return false;
	*list = longer;
	strbuf_printf(&path, "%s/%s", folder, name);
	if (path.failed) {
		strbuf_release(&path);
		return false;
	}
	longer[(*n)++] = path.buf;
	longer[*n] = NULL;
	return true;
}

enum err_code datadir_list(const char *datadir, const char *folder, const char *prefix,
			   const char *suffix, char ***out, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	char **list = calloc(1, sizeof *list);
	size_t n = 0;
	DIR *dir = NULL;
	struct dirent *entry;
	enum err_code rc = ERR_OK;

	strbuf_printf(&path, "%s/%s", datadir, folder);
	if (!list || path.failed) {
		rc = err_set(e, ERR_NOMEM, "the list of %s", folder);
		goto done;
	}
	dir = opendir(path.buf);
	if (!dir) {
		rc = err_set(e, ERR_IO, "%s: %s", path.buf, strerror(errno));
		goto done;
	}
	while ((entry = readdir(dir))) {
		if (begins_and_ends(entry->d_name, prefix, suffix) &&
		    !add_path(&list, &n, path.buf, entry->d_name)) {
			rc = err_set(e, ERR_NOMEM, "the list of %s", folder);
			goto done;
		}
	}
	qsort(list, n, sizeof *list, compare_texts);
	*out = list;
	list = NULL;
done:
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	datadir_free(list);
	return rc;
}

void datadir_free(char **paths)
{
	for (char **p = paths; p && *p; p++)
		free(*p);
	free(paths);
}
