#include "ingest/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "ingest/decompress.h"

static enum err_code open_temporary(const char *folder, const char *name, int *out, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	strbuf_printf(&path, "%s/lemnos-XXXXXX", folder);
	if (path.failed)
		rc = err_set(e, ERR_NOMEM, "%s: no memory", name);
	else if ((*out = mkstemp(path.buf)) < 0)
		rc = err_set(e, ERR_IO, "%s: no temporary file in %s: %s (set TMPDIR)", name,
			     folder, strerror(errno));
	else
		unlink(path.buf);
	strbuf_release(&path);
	return rc;
}

static bool write_all(int fd, const char *data, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, data, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		data += done;
		n -= (size_t)done;
	}
	return true;
}

enum err_code spool_refuse_length(const char *name, uint64_t max_bytes, struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "%s: more than %" PRIu64
		       " bytes, the most that is read: does it end at all? "
		       "(--max-bytes SIZE reads more)",
		       name, max_bytes);
}

/* Before an endless pipe of what is no table fills the disk: its first bytes. */
static enum err_code check_first(const char *buf, size_t n, const char *name, struct err *e)
{
	enum compression kind;

	return decompress_detect((const unsigned char *)buf, n, name, &kind, e);
}

static enum err_code copy(int from, int to, const char *name, uint64_t max_bytes,
			  const char *folder, const struct progress *p, struct err *e)
{
	static const size_t size = 64 * 1024;
	char *buf = malloc(size);
	uint64_t n_copied = 0;
	enum err_code rc = buf ? ERR_OK : err_set(e, ERR_NOMEM, "%s: no memory", name);

	while (!rc) {
		ssize_t got = read(from, buf, size);

		if (got == 0)
			break;
		/* Only a signal that the program catches without SA_RESTART ends a read that waits.
		 */
		if (got < 0 && errno == EINTR)
			rc = err_set(e, ERR_INTERRUPTED, "%s: interrupted", name);
		else if (got < 0)
			rc = err_set(e, ERR_IO, "%s: cannot read: %s", name, strerror(errno));
		else if (max_bytes > 0 && n_copied + (uint64_t)got > max_bytes)
			rc = spool_refuse_length(name, max_bytes, e);
		else if (n_copied == 0 && (rc = check_first(buf, (size_t)got, name, e)))
			break;
		else if (got > 0 && !write_all(to, buf, (size_t)got))
			rc = err_set(e, ERR_IO, "%s: cannot keep a copy in %s: %s (set TMPDIR)",
				     name, folder, strerror(errno));
		else if (got > 0)
			n_copied += (uint64_t)got;
		if (!rc && !progress_step(p, "receiving", n_copied, 0))
			rc = err_set(e, ERR_INTERRUPTED, "%s: interrupted", name);
	}
	free(buf);
	return rc;
}

enum err_code spool(int from, const char *name, uint64_t max_bytes, const struct progress *p,
		    int *out, struct err *e)
{
	const char *folder = getenv("TMPDIR");
	enum err_code rc;
	int fd = -1;

	if (!folder || !*folder)
		folder = "/tmp";
	if ((rc = open_temporary(folder, name, &fd, e)))
		return rc;
	rc = copy(from, fd, name, max_bytes, folder, p, e);
	if (!rc && lseek(fd, 0, SEEK_SET) != 0)
		rc = err_set(e, ERR_IO, "%s: %s", name, strerror(errno));
	if (rc) {
		close(fd);
		return rc;
	}
	*out = fd;
	return ERR_OK;
}
