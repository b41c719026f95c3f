#include "cli/frame/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/whole_file.h"

enum err_code text_file_read(const char *path, struct strbuf *out, struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(path, "rb");
	enum err_code rc = ERR_OK;
	char part[65536];
	size_t n;

	if (!file && errno == EINTR) /* a pipe that nobody writes to yet */
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	if (!file)
		return err_set(e, errno == ENOENT ? ERR_NOTFOUND : err_of_reading(errno), "%s: %s",
			       path, strerror(errno));
	while ((n = fread(part, 1, sizeof part, file)) > 0)
		strbuf_add(out, part, n);
	if (ferror(file) && errno == EINTR)
		rc = err_set(e, ERR_INTERRUPTED, "interrupted");
	else if (ferror(file))
		rc = err_set(e, err_of_reading(errno), "%s: %s", path, strerror(errno));
	else if (out->failed)
		rc = err_set(e, ERR_NOMEM, "%s: out of memory", path);
	if (!is_stdin)
		fclose(file);
	return rc;
}

enum err_code text_file_write(const char *path, const struct strbuf *text, struct err *e)
{
	struct whole_file *w = NULL;
	enum err_code rc;

	if (text->failed)
		return err_set(e, ERR_NOMEM, "what goes into %s", path);
	if ((rc = whole_file_open(path, WHOLE_FILE_REPLACES, &w, e)))
		return rc;
	fwrite(strbuf_text(text), 1, text->len, whole_file_stream(w));
	return whole_file_commit(w, e);
}
