#include "ingest/reject_log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/whole_file.h"

void reject_begin(struct reject *r, const char *column, const char *value, const char *kind)
{
	r->column = column ? column : "";
	r->value = value ? value : "";
	r->ends_import = false;
	strbuf_clear(&r->kind);
	strbuf_clear(&r->reason);
	if (kind && *r->column)
		strbuf_printf(&r->kind, "%s: ", r->column);
	if (kind)
		strbuf_puts(&r->kind, kind);
}

void reject_release(struct reject *r)
{
	strbuf_release(&r->kind);
	strbuf_release(&r->reason);
}

/* Reasons carry no values, so there are few; whoever finds a way to more gets them summed up. */
enum { REASONS_MAX = 200 };

struct reject_log {
	const char *input;
	char *path;
	struct whole_file *whole; /* until it has its name; NULL: none is wanted */
	FILE *file;		  /* of it */
	struct ingest_reason *reason;
	size_t n_reason;
	size_t last; /* bad rows come in runs of the same reason */
	int64_t n;
	struct strbuf first;
	struct strbuf line;
};

static bool same_file(const char *a, const char *b)
{
	struct stat sa;
	struct stat sb;

	return a && b && stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

static enum err_code write_failed(const struct reject_log *l, struct err *e)
{
	return err_set(e, ERR_IO, "%s: cannot write the refused rows: %s; nothing was imported",
		       l->path, strerror(errno));
}

static enum err_code open_file(struct reject_log *l, const char *path, const char *input,
			       const char *kb_path, struct err *e)
{
	struct err why = {0};
	enum err_code rc;

	if (same_file(path, input) || same_file(path, kb_path))
		return err_set(e, ERR_ARG,
			       "--rejects %s is the %s itself: name another file for the refused "
			       "rows",
			       path, same_file(path, input) ? "input" : "knowledge base");
	l->path = strdup(path);
	if (!l->path)
		return err_set(e, ERR_NOMEM, "%s: no memory", path);
	if ((rc = whole_file_open(path, WHOLE_FILE_REPLACES, &l->whole, &why)))
		return err_set(e, rc, "%s; nothing was imported", why.msg);
	l->file = whole_file_stream(l->whole);
	if (fputs("line,column,value,reason,record\n", l->file) == EOF)
		return write_failed(l, e);
	return ERR_OK;
}

enum err_code reject_log_open(const char *path, const char *input, const char *kb_path,
			      struct reject_log **out, struct err *e)
{
	struct reject_log *l = calloc(1, sizeof *l);
	enum err_code rc;

	if (!l)
		return err_set(e, ERR_NOMEM, "%s: no memory", input);
	l->input = input;
	if (path && (rc = open_file(l, path, input, kb_path, e))) {
		reject_log_free(l);
		return rc;
	}
	*out = l;
	return ERR_OK;
}

static void put_csv(struct strbuf *out, const char *text, size_t len)
{
	size_t plain = 0;

	while (plain < len && !strchr(",\"\r\n;\t# ", text[plain]))
		plain++;
	if (plain == len) {
		strbuf_add(out, text, len);
		return;
	}
	strbuf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			strbuf_putc(out, '"');
		strbuf_putc(out, text[i]);
	}
	strbuf_putc(out, '"');
}

static enum err_code write_row(struct reject_log *l, const struct table_record *rec,
			       const struct reject *why, struct err *e)
{
	const char *reason = strbuf_text(&why->reason);

	strbuf_clear(&l->line);
	strbuf_printf(&l->line, "%llu,", (unsigned long long)rec->line);
	put_csv(&l->line, why->column, strlen(why->column));
	strbuf_putc(&l->line, ',');
	put_csv(&l->line, why->value, strlen(why->value));
	strbuf_putc(&l->line, ',');
	put_csv(&l->line, reason, strlen(reason));
	strbuf_putc(&l->line, ',');
	put_csv(&l->line, rec->raw, rec->raw_len);
	strbuf_putc(&l->line, '\n');
	if (l->line.failed)
		return err_set(e, ERR_NOMEM, "%s: no memory", l->path);
	if (fwrite(l->line.buf, 1, l->line.len, l->file) != l->line.len)
		return write_failed(l, e);
	return ERR_OK;
}

static bool counts_as(const struct reject_log *l, size_t i, const char *kind)
{
	return i < l->n_reason && strcmp(l->reason[i].text, kind) == 0;
}

static enum err_code count(struct reject_log *l, uint64_t line, const char *kind, struct err *e)
{
	struct ingest_reason *grown;
	size_t i = l->last;

	if (!counts_as(l, i, kind)) {
		for (i = 0; i < l->n_reason && !counts_as(l, i, kind); i++)
			;
		if (i == REASONS_MAX) {
			i = REASONS_MAX - 1;
		} else if (i == l->n_reason) {
			if (i == REASONS_MAX - 1)
				kind = "other reasons";
			grown = realloc(l->reason, (i + 1) * sizeof *grown);
			if (!grown)
				return err_set(e, ERR_NOMEM, "list of %zu reasons", i + 1);
			l->reason = grown;
			grown[i] = (struct ingest_reason){strdup(kind), 0, (int64_t)line};
			if (!grown[i].text)
				return err_set(e, ERR_NOMEM, "list of %zu reasons", i + 1);
			l->n_reason++;
		}
	}
	l->reason[i].n++;
	l->last = i;
	return ERR_OK;
}

enum err_code reject_log_add(struct reject_log *l, const struct table_record *rec,
			     const struct reject *why, struct err *e)
{
	enum err_code rc;

	if (l->n++ == 0)
		strbuf_printf(&l->first, "%s:%llu: %s%s%s",
			      strcmp(l->input, "-") == 0 ? "stdin" : l->input,
			      (unsigned long long)rec->line, why->column, *why->column ? ": " : "",
			      strbuf_text(&why->reason));
	if (l->first.failed || why->kind.failed || why->reason.failed)
		return err_set(e, ERR_NOMEM, "%s: no memory for a refused row", l->input);
	if ((rc = count(l, rec->line, strbuf_text(&why->kind), e)))
		return rc;
	return l->file ? write_row(l, rec, why, e) : ERR_OK;
}

enum err_code reject_log_commit(struct reject_log *l, struct err *e)
{
	struct whole_file *whole = l->whole;
	struct err why = {0};
	enum err_code rc;

	if (!whole)
		return ERR_OK;
	if (fflush(l->file) != 0)
		return write_failed(l, e);
	l->whole = NULL;
	l->file = NULL;
	rc = whole_file_commit(whole, &why);
	return rc ? err_set(e, rc, "%s; nothing was imported", why.msg) : ERR_OK;
}

const char *reject_log_first(const struct reject_log *l)
{
	return strbuf_text(&l->first);
}

static int by_count(const void *a, const void *b)
{
	const struct ingest_reason *x = a;
	const struct ingest_reason *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return x->first_line < y->first_line ? -1 : x->first_line > y->first_line;
}

void reject_log_take_reasons(struct reject_log *l, struct ingest_reason **reason, size_t *n)
{
	if (l->n_reason > 1)
		qsort(l->reason, l->n_reason, sizeof *l->reason, by_count);
	*reason = l->reason;
	*n = l->n_reason;
	l->reason = NULL;
	l->n_reason = 0;
}

void reject_log_free(struct reject_log *l)
{
	if (!l)
		return;
	whole_file_abandon(l->whole);
	for (size_t i = 0; i < l->n_reason; i++)
		free(l->reason[i].text);
	free(l->reason);
	free(l->path);
	strbuf_release(&l->first);
	strbuf_release(&l->line);
	free(l);
}
