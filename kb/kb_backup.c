#include "kb/kb.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kb/kb_filesystem.h"
#include "kb/kb_sql.h"

static enum err_code sync_file(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY);
	int bad = fd < 0 || fsync(fd) != 0;
	int why = errno;

	if (fd >= 0)
		close(fd);
	return bad ? err_set(e, ERR_IO, "cannot write %s to disk: %s", path, strerror(why))
		   : ERR_OK;
}

static enum err_code vacuum_into(struct kb *kb, const char *to, struct err *e)
{
	struct strbuf uri = STRBUF_INIT;
	enum err_code rc;

	filesystem_put_uri(to, "", &uri);
	rc = uri.failed ? err_set(e, ERR_NOMEM, "backup to %s", to)
			: kb_sql_run(kb, e, "VACUUM INTO ?1", "t", strbuf_text(&uri));
	strbuf_release(&uri);
	return rc ? rc : sync_file(to, e);
}

enum err_code kb_backup(struct kb *kb, const char *to, struct err *e)
{
	int fd;
	enum err_code rc;

	assert(!kb->in_write && !kb->in_read);
	/* Made by us or not at all: SQLite would also fill an empty file of somebody else. */
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL, 0666);
	if (fd < 0)
		return errno == EEXIST
			       ? err_set(e, ERR_ARG, "%s exists: a backup never overwrites a file",
					 to)
			       : err_set(e, ERR_IO, "cannot make %s: %s", to, strerror(errno));
	close(fd);
	rc = vacuum_into(kb, to, e);
	if (rc)
		unlink(to);
	return rc;
}
