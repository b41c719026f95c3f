#include "ingest/byte_source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"

/* Streaming decompression of .gz and .zst, several members or frames in a row included. What a
 * file is, its first bytes say, never its name. */

enum { DECOMPRESS_MAGIC_SIZE = 6 }; /* bytes that decompress_detect() wants to see */

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

struct decompressor;

struct decompressor {
	const char *name;
	enum compression kind;
	bool in_member; /* some of a member was read, not yet its end */
	z_stream gzip;
	ZSTD_DStream *zstd;
};

static bool begins_with(const unsigned char *head, size_t n, const char *magic, size_t n_magic)
{
	return n >= n_magic && memcmp(head, magic, n_magic) == 0;
}

/* head: the first n bytes of a file, all of them if it is shorter than DECOMPRESS_MAGIC_SIZE.
 * Errors: PARSE, for formats that people hand us by mistake (xz, bzip2, zip and Excel, UTF-16); the
 * message begins with `name` and says what to do. */
static enum err_code decompress_detect(const unsigned char *head, size_t n, const char *name,
				       enum compression *out, struct err *e)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *advice;
	} foreign[] = {
		{"\xfd"
		 "7zXZ",
		 5, "is xz-compressed: unpack it first (xz -dc FILE | lemnos ingest -)"},
		{"BZh", 3,
		 "is bzip2-compressed: unpack it first (bzip2 -dc FILE | lemnos ingest -)"},
		{"PK\x03\x04", 4, "is a zip archive or an Excel workbook: export the table as CSV"},
		{"PAR1\x15", 5,
		 "is a Parquet file, which Lemnos has no library for: write CSV from it, for "
		 "instance with pandas.read_parquet(FILE).to_csv()"},
		{"ARROW1\0\0", 8,
		 "is an Arrow file, which Lemnos has no library for: write CSV from it, for "
		 "instance with pandas.read_feather(FILE).to_csv()"},
		{"\xd0\xcf\x11\xe0", 4, "is an old Excel workbook: export the table as CSV"},
		{"\0\0\0\0", 4, "no text: it begins with NUL bytes"},
		{"\xff\xfe", 2, "is UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8)"},
		{"\xfe\xff", 2, "is UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8)"},
	};

	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
		if (begins_with(head, n, foreign[i].magic, foreign[i].len))
			return err_set(e, ERR_PARSE, "%s: %s", name, foreign[i].advice);
	}
	if (begins_with(head, n, "\x1f\x8b", 2))
		*out = COMPRESSION_GZIP;
	else if (begins_with(head, n, "\x28\xb5\x2f\xfd", 4))
		*out = COMPRESSION_ZSTD;
	else
		*out = COMPRESSION_NONE;
	return ERR_OK;
}

/* kind is not NONE; name (borrowed) is what messages begin with. Errors: NOMEM. */
static enum err_code decompressor_new(enum compression kind, const char *name,
				      struct decompressor **out, struct err *e)
{
	const int gzip_only = 16; /* inflateInit2(): no zlib or raw streams */
	struct decompressor *d = calloc(1, sizeof *d);
	bool ready = false;

	assert(kind != COMPRESSION_NONE);
	if (d) {
		d->name = name;
		d->kind = kind;
		if (kind == COMPRESSION_GZIP) {
			ready = inflateInit2(&d->gzip, gzip_only + MAX_WBITS) == Z_OK;
		} else {
			d->zstd = ZSTD_createDStream();
			ready = d->zstd != NULL;
		}
	}
	if (!ready) {
		free(d);
		return err_set(e, ERR_NOMEM, "%s: decompression", name);
	}
	*out = d;
	return ERR_OK;
}

static enum err_code gzip_run(struct decompressor *d, const void *in, size_t *n_in, void *out,
			      size_t *n_out, struct err *e)
{
	z_stream *z = &d->gzip;
	uInt given = (uInt)(*n_in < UINT_MAX ? *n_in : UINT_MAX);
	uInt room = (uInt)(*n_out < UINT_MAX ? *n_out : UINT_MAX);
	int rc = Z_OK;

	z->next_in = (Bytef *)(uintptr_t)in; /* zlib reads it only */
	z->avail_in = given;
	z->next_out = out;
	z->avail_out = room;
	if (given > 0)
		d->in_member = true;
	rc = inflate(z, Z_NO_FLUSH);
	*n_in = given - z->avail_in;
	*n_out = room - z->avail_out;
	if (rc == Z_STREAM_END) { /* `cat a.gz b.gz` and pigz make several members */
		d->in_member = false;
		inflateReset(z);
		return ERR_OK;
	}
	if (rc == Z_MEM_ERROR)
		return err_set(e, ERR_NOMEM, "%s: decompression", d->name);
	if (rc != Z_OK && rc != Z_BUF_ERROR)
		return err_set(e, ERR_PARSE, "%s: damaged gzip data: %s", d->name,
			       z->msg ? z->msg : "a preset dictionary is wanted");
	return ERR_OK;
}

static enum err_code zstd_run(struct decompressor *d, const void *in, size_t *n_in, void *out,
			      size_t *n_out, struct err *e)
{
	ZSTD_inBuffer source = {in, *n_in, 0};
	ZSTD_outBuffer target = {out, *n_out, 0};
	size_t rc = ZSTD_decompressStream(d->zstd, &target, &source);

	*n_in = source.pos;
	*n_out = target.pos;
	if (ZSTD_isError(rc)) {
		if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
			return err_set(e, ERR_NOMEM, "%s: decompression", d->name);
		return err_set(e, ERR_PARSE, "%s: damaged zstd data: %s", d->name,
			       ZSTD_getErrorName(rc));
	}
	/* 0: a frame is complete and flushed. Without any progress nothing is known anew. */
	if (source.pos > 0 || target.pos > 0)
		d->in_member = rc != 0;
	return ERR_OK;
}

/* Turn in[0..*n_in-1] into out[0..*n_out-1]; both counts come back as used. Errors: PARSE (damaged
 * data), NOMEM. */
static enum err_code decompressor_run(struct decompressor *d, const void *in, size_t *n_in,
				      void *out, size_t *n_out, struct err *e)
{
	return d->kind == COMPRESSION_GZIP ? gzip_run(d, in, n_in, out, n_out, e)
					   : zstd_run(d, in, n_in, out, n_out, e);
}

/* May the input end here? False in the middle of a member: the file was cut off. */
static bool decompressor_at_end(const struct decompressor *d)
{
	return !d->in_member;
}

static void decompressor_free(struct decompressor *d)
{
	if (!d)
		return;
	if (d->kind == COMPRESSION_GZIP)
		inflateEnd(&d->gzip);
	else
		ZSTD_freeDStream(d->zstd);
	free(d);
}

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

struct length_limit {
	uint64_t max_bytes; /* 0: none */
	const char *remedy; /* NULL: there is none */
};

static bool is_too_long(const struct length_limit *limit, uint64_t n)
{
	return limit->max_bytes > 0 && n > limit->max_bytes;
}

static enum err_code refuse_length(const char *name, const struct length_limit *limit,
				   struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "%s: more than %" PRIu64
		       " bytes, the most that is read: does it end at all?%s%s%s",
		       name, limit->max_bytes, limit->remedy ? " (" : "",
		       limit->remedy ? limit->remedy : "", limit->remedy ? ")" : "");
}

/* Before an endless pipe of what is no table fills the disk: its first bytes. */
static enum err_code check_first(const char *buf, size_t n, const char *name, struct err *e)
{
	enum compression kind;

	return decompress_detect((const unsigned char *)buf, n, name, &kind, e);
}

static enum err_code copy(int from, int to, const char *name, const struct length_limit *limit,
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
		else if (is_too_long(limit, n_copied + (uint64_t)got))
			rc = refuse_length(name, limit, e);
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

/* Copy all that a pipe brings into a nameless temporary file ($TMPDIR, else /tmp), so that it can
 * be read twice in constant memory. *out is open at its beginning. Errors:
 * IO (says where space is missing), PARSE (longer than the limit; begins as no table does),
 * INTERRUPTED. */
static enum err_code spool(int from, const char *name, const struct length_limit *limit,
			   const struct progress *p, int *out, struct err *e)
{
	const char *folder = getenv("TMPDIR");
	enum err_code rc;
	int fd = -1;

	if (!folder || !*folder)
		folder = "/tmp";
	if ((rc = open_temporary(folder, name, &fd, e)))
		return rc;
	rc = copy(from, fd, name, limit, folder, p, e);
	if (!rc && lseek(fd, 0, SEEK_SET) != 0)
		rc = err_set(e, ERR_IO, "%s: %s", name, strerror(errno));
	if (rc) {
		close(fd);
		return rc;
	}
	*out = fd;
	return ERR_OK;
}

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
	struct length_limit limit;
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

void byte_source_limit(struct byte_source *s, uint64_t max_bytes, const char *remedy)
{
	s->limit = (struct length_limit){max_bytes, remedy};
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
	if (is_too_long(&s->limit, s->n_out))
		return refuse_length(s->name, &s->limit, e);
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

		if ((rc = spool(s->fd, s->name, &s->limit, p, &fd, e)))
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
