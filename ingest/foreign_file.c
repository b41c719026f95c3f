#include "ingest/foreign_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

const char foreign_format_csv[] = "csv";
const char foreign_format_auto[] = "auto";

static enum err_code no_such_format(const char *format, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	const struct foreign_format *f;
	enum err_code rc;

	for (size_t i = 0; (f = foreign_format_at(i)) != NULL; i++)
		strbuf_printf(&names, ", %s", f->name);
	rc = err_set(e, ERR_ARG, "no format is called '%.60s'; there are %s, %s%s", format,
		     foreign_format_auto, foreign_format_csv, strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

static enum err_code recognise(struct byte_source *source, const struct foreign_format **out,
			       struct err *e)
{
	char *head = malloc(FOREIGN_HEAD_MAX + 1);
	size_t n = 0, got = 1;
	enum err_code rc = ERR_OK;

	if (!head)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", byte_source_name(source));
	while (!rc && got > 0 && n < FOREIGN_HEAD_MAX) {
		if (!(rc = byte_source_read(source, head + n, FOREIGN_HEAD_MAX - n, &got, e)))
			n += got;
	}
	head[n] = '\0';
	if (!rc)
		*out = foreign_format_recognise(head, n, got == 0);
	free(head);
	return rc ? rc : byte_source_rewind(source, e);
}

enum err_code foreign_file_format(struct byte_source *source, const char *format,
				  const struct foreign_format **out, struct err *e)
{
	*out = NULL;
	if (!format || strcmp(format, foreign_format_csv) == 0)
		return ERR_OK;
	if (strcmp(format, foreign_format_auto) == 0)
		return recognise(source, out, e);
	*out = foreign_format_find(format);
	return *out ? ERR_OK : no_such_format(format, e);
}

struct watched_source {
	struct byte_source *source;
	const struct progress *progress;
};

static enum err_code read_watched(void *arg, void *buf, size_t cap, size_t *n, struct err *e)
{
	struct watched_source *w = arg;

	if (!progress_step(w->progress, "reading", byte_source_done(w->source),
			   byte_source_total(w->source)))
		return err_set(e, ERR_INTERRUPTED, "%s: interrupted, nothing was imported",
			       byte_source_name(w->source));
	if (cap == 0) {
		*n = 0;
		return ERR_OK;
	}
	return byte_source_read(w->source, buf, cap, n, e);
}

enum err_code foreign_file_read(struct byte_source *source, const struct foreign_format *format,
				uint64_t max_bytes, const struct foreign_choice *choice,
				const struct progress *progress, struct foreign_table **out,
				struct err *e)
{
	struct watched_source w = {source, progress};
	const char *name = byte_source_name(source);
	const char *const *match = choice ? choice->match : NULL;
	struct foreign_input *in = NULL;
	struct foreign_table *t = NULL;
	enum err_code rc;

	if ((rc = byte_source_rewind(source, e)) ||
	    (rc = foreign_input_new(name, read_watched, &w, max_bytes, &in, e)) ||
	    (rc = foreign_table_new(name, FOREIGN_BYTES_MAX, &t, e)))
		goto done;
	if (choice)
		foreign_input_set_choice(in, choice);
	for (; !rc && match && *match; match++)
		rc = foreign_table_match(t, *match, e);
	if (rc || (rc = format->read(in, t, e)) || (rc = foreign_table_end_match(t, e)))
		goto done;
	if (foreign_table_n_rows(t) == 0)
		rc = err_set(e, ERR_PARSE, "%s: %s without a single %s", name, format->title,
			     format->is_pingpong ? "measurement" : "run that ended");
done:
	foreign_input_free(in);
	if (rc)
		foreign_table_free(t);
	else
		*out = t;
	return rc;
}
