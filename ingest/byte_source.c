#include "ingest/byte_source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ingest/decompress.h"
#include "ingest/spool.h"

enum { CHUNK_SIZE = 128 * 1024 };

/* A decompression bomb is refused: tables of runs shrink 3 to 30 times, gzip can reach 1032. Small
 * files may do what they like. */
static const uint64_t ratio_free_bytes = UINT64_C(64) << 20;
static const uint64_t ratio_max = 500;

struct byte_source {
	char *name;
	int fd;		  /* -1 of a text in memory */
	const char *text; /* text[text_used..text_len-1] is still to come; NULL: fd brings it */
	size_t text_len, text_used;
	bool is_stdin;
	bool at_eof;
	bool detected; /* what it is packed with */
	bool fingerprinted;
	bool has_comma, has_quote;
	struct stat stat;
	uint64_t n_read; /* bytes from fd */
	uint64_t n_out;	 /* uncompressed */
	uint64_t total;
	uint64_t content_bytes;
	uint64_t max_bytes;		   /* 0: no limit */
	struct decompressor *decompressor; /* NULL: plain */
	size_t from, to;		   /* chunk[from..to-1] is not used yet */
	unsigned char chunk[CHUNK_SIZE];
};

static enum err_code open_file(struct byte_source *s, const char *path, struct err *e)
{
	s->is_stdin = strcmp(path, "-") == 0;
	s->fd = s->is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 && errno == EINTR) /* a pipe that nobody writes to yet */
		return err_set(e, ERR_INTERRUPTED, "%s: interrupted", path);
	if (s->fd < 0)
		return err_set(e, err_of_reading(errno), "%s: cannot open: %s", path,
			       strerror(errno));
	if (fstat(s->fd, &s->stat) != 0)
		return err_set(e, ERR_IO, "%s: cannot read: %s", s->name, strerror(errno));
	if (S_ISDIR(s->stat.st_mode))
		return err_set(e, ERR_PARSE, "%s: a folder, a file is wanted", s->name);
	if (S_ISREG(s->stat.st_mode))
		s->total = (uint64_t)s->stat.st_size;
	return ERR_OK;
}

enum err_code byte_source_open(const char *path, struct byte_source **out, struct err *e)
{
	struct byte_source *s = calloc(1, sizeof *s);
	enum err_code rc;

	if (!s)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", path);
	s->fd = -1;
	s->name = strdup(strcmp(path, "-") == 0 ? "stdin" : path);
	rc = s->name ? open_file(s, path, e)
		     : err_set(e, ERR_NOMEM, "%s: no memory to read it", path);
	if (rc) {
		byte_source_close(s);
		return rc;
	}
	*out = s;
	return ERR_OK;
}

enum err_code byte_source_open_text(const char *text, size_t n, const char *name,
				    struct byte_source **out, struct err *e)
{
	struct byte_source *s = calloc(1, sizeof *s);

	if (!s || !(s->name = strdup(name))) {
		free(s);
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", name);
	}
	s->fd = -1;
	s->text = text;
	s->text_len = n;
	s->total = n;
	*out = s;
	return ERR_OK;
}

void byte_source_limit(struct byte_source *s, uint64_t max_bytes)
{
	s->max_bytes = max_bytes;
}

static ssize_t read_text(struct byte_source *s, void *buf, size_t cap)
{
	size_t left = s->text_len - s->text_used;
	size_t n = left < cap ? left : cap;

	memcpy(buf, s->text + s->text_used, n);
	s->text_used += n;
	return (ssize_t)n;
}

/* Append what comes to the empty or partly filled chunk. */
static enum err_code fill(struct byte_source *s, struct err *e)
{
	size_t room = sizeof s->chunk - s->to;
	ssize_t got = s->text ? read_text(s, s->chunk + s->to, room)
			      : read(s->fd, s->chunk + s->to, room);

	/* Only a signal that the program catches without SA_RESTART ends a read that waits. */
	if (got < 0 && errno == EINTR)
		return err_set(e, ERR_INTERRUPTED, "%s: interrupted", s->name);
	if (got < 0)
		return err_set(e, ERR_IO, "%s: cannot read: %s", s->name, strerror(errno));
	s->at_eof = got == 0;
	s->to += (size_t)got;
	s->n_read += (uint64_t)got;
	return ERR_OK;
}

/* Look at the first bytes. A pipe may bring them one at a time. */
static enum err_code detect(struct byte_source *s, struct err *e)
{
	enum compression kind;
	enum err_code rc;

	while (s->to < DECOMPRESS_MAGIC_SIZE && !s->at_eof) {
		if ((rc = fill(s, e)))
			return rc;
	}
	if ((rc = decompress_detect(s->chunk, s->to, s->name, &kind, e)))
		return rc;
	s->detected = true;
	if (kind == COMPRESSION_NONE)
		return ERR_OK;
	return decompressor_new(kind, s->name, &s->decompressor, e);
}

static enum err_code read_plain(struct byte_source *s, void *buf, size_t cap, size_t *n,
				struct err *e)
{
	enum err_code rc;

	if (s->from == s->to && !s->at_eof) {
		s->from = s->to = 0;
		if ((rc = fill(s, e)))
			return rc;
	}
	*n = s->to - s->from < cap ? s->to - s->from : cap;
	memcpy(buf, s->chunk + s->from, *n);
	s->from += *n;
	return ERR_OK;
}

static enum err_code check_ratio(const struct byte_source *s, struct err *e)
{
	uint64_t used = byte_source_done(s);

	if (s->n_out <= ratio_free_bytes || s->n_out / ratio_max <= used)
		return ERR_OK;
	return err_set(
		e, ERR_PARSE,
		"%s: unpacks to more than %d times its size, which no table of runs does; if "
		"it is one, unpack it first and pipe it in",
		s->name, (int)ratio_max);
}

static enum err_code read_packed(struct byte_source *s, void *buf, size_t cap, size_t *n,
				 struct err *e)
{
	for (;;) {
		size_t n_in;
		size_t n_out = cap;
		enum err_code rc;

		if (s->from == s->to && !s->at_eof) {
			s->from = s->to = 0;
			if ((rc = fill(s, e)))
				return rc;
		}
		n_in = s->to - s->from; /* 0: the file is at its end */
		*n = 0;
		if (n_in == 0 && decompressor_at_end(s->decompressor))
			return ERR_OK;
		rc = decompressor_run(s->decompressor, s->chunk + s->from, &n_in, buf, &n_out, e);
		if (rc)
			return rc;
		s->from += n_in;
		*n = n_out;
		if (n_out > 0)
			return ERR_OK;
		if (n_in == 0 && s->at_eof)
			return err_set(
				e, ERR_PARSE,
				"%s: the compressed data end too early: the file was cut off",
				s->name);
	}
}

/* A file that somebody appends to while it is read would be recorded under a hash it never had. */
static enum err_code check_unchanged(const struct byte_source *s, struct err *e)
{
	struct stat now;

	if (s->text)
		return ERR_OK;
	if (fstat(s->fd, &now) != 0)
		return err_set(e, ERR_IO, "%s: cannot read: %s", s->name, strerror(errno));
	if (now.st_size == s->stat.st_size && now.st_mtim.tv_sec == s->stat.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == s->stat.st_mtim.tv_nsec)
		return ERR_OK;
	return err_set(e, ERR_PARSE, "%s: changed while it was read: try again when it is complete",
		       s->name);
}

enum err_code byte_source_read(struct byte_source *s, void *buf, size_t cap, size_t *n,
			       struct err *e)
{
	enum err_code rc;

	if (!s->detected && (rc = detect(s, e)))
		return rc;
	rc = s->decompressor ? read_packed(s, buf, cap, n, e) : read_plain(s, buf, cap, n, e);
	if (rc)
		return rc;
	s->n_out += *n;
	if (s->max_bytes > 0 && s->n_out > s->max_bytes)
		return spool_refuse_length(s->name, s->max_bytes, e);
	if (s->fingerprinted && *n == 0)
		return check_unchanged(s, e);
	return s->decompressor ? check_ratio(s, e) : ERR_OK;
}

static void look_at(struct byte_source *s, const unsigned char *buf, size_t n, struct digest *d)
{
	digest_update(d, buf, n);
	s->has_comma = s->has_comma || memchr(buf, ',', n);
	s->has_quote = s->has_quote || memchr(buf, '"', n);
}

static enum err_code hash_all(struct byte_source *s, const struct progress *p, struct digest *d,
			      struct err *e)
{
	unsigned char *buf = malloc(CHUNK_SIZE);
	enum err_code rc = buf ? ERR_OK : err_set(e, ERR_NOMEM, "%s: no memory", s->name);
	size_t n = 1;

	for (unsigned i = 0; !rc && n > 0; i++) {
		if (i % 16 == 0 &&
		    !progress_step(p, "checking", byte_source_done(s), byte_source_total(s)))
			rc = err_set(e, ERR_INTERRUPTED, "%s: interrupted", s->name);
		else if (!(rc = byte_source_read(s, buf, CHUNK_SIZE, &n, e)))
			look_at(s, buf, n, d);
	}
	free(buf);
	return rc;
}

static enum err_code rewind_source(struct byte_source *s, struct err *e)
{
	decompressor_free(s->decompressor);
	s->decompressor = NULL;
	if (!s->fingerprinted)
		s->content_bytes = s->n_out;
	s->n_read = s->n_out = 0;
	s->from = s->to = 0;
	s->at_eof = s->detected = false;
	s->text_used = 0;
	if (!s->text && lseek(s->fd, 0, SEEK_SET) != 0)
		return err_set(e, ERR_IO, "%s: cannot read again: %s", s->name, strerror(errno));
	return ERR_OK;
}

/* stdin may be a file of which somebody has read a part: what is left of it counts. */
static bool must_spool(const struct byte_source *s)
{
	if (s->text)
		return false;
	return !S_ISREG(s->stat.st_mode) || lseek(s->fd, 0, SEEK_CUR) != 0;
}

enum err_code byte_source_fingerprint(struct byte_source *s, const struct progress *p,
				      char hex[DIGEST_HEX_SIZE], struct err *e)
{
	struct digest *d;
	enum err_code rc;

	if (must_spool(s)) {
		int fd;

		if ((rc = spool(s->fd, s->name, s->max_bytes, p, &fd, e)))
			return rc;
		if (!s->is_stdin)
			close(s->fd);
		s->fd = fd;
		s->is_stdin = false;
		if (fstat(fd, &s->stat) != 0)
			return err_set(e, ERR_IO, "%s: %s", s->name, strerror(errno));
		s->total = (uint64_t)s->stat.st_size;
	}
	d = digest_new();
	if (!d)
		return err_set(e, ERR_NOMEM, "%s: no memory", s->name);
	if (!(rc = hash_all(s, p, d, e)) && !(rc = rewind_source(s, e))) {
		digest_final(d, hex);
		s->fingerprinted = true;
	}
	digest_free(d);
	return rc;
}

enum err_code byte_source_rewind(struct byte_source *s, struct err *e)
{
	assert(s->fingerprinted);
	return rewind_source(s, e);
}

bool byte_source_has_comma(const struct byte_source *s)
{
	return s->has_comma;
}

bool byte_source_has_quote(const struct byte_source *s)
{
	return s->has_quote;
}

const char *byte_source_name(const struct byte_source *s)
{
	return s->name;
}

uint64_t byte_source_done(const struct byte_source *s)
{
	return s->n_read - (s->to - s->from);
}

uint64_t byte_source_total(const struct byte_source *s)
{
	return s->total;
}

uint64_t byte_source_content_bytes(const struct byte_source *s)
{
	return s->content_bytes;
}

void byte_source_close(struct byte_source *s)
{
	if (!s)
		return;
	decompressor_free(s->decompressor);
	if (s->fd >= 0 && !s->is_stdin)
		close(s->fd);
	free(s->name);
	free(s);
}
