#include "ingest/decompress.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

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

enum err_code decompress_detect(const unsigned char *head, size_t n, const char *name,
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

enum err_code decompressor_new(enum compression kind, const char *name, struct decompressor **out,
			       struct err *e)
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

enum err_code decompressor_run(struct decompressor *d, const void *in, size_t *n_in, void *out,
			       size_t *n_out, struct err *e)
{
	return d->kind == COMPRESSION_GZIP ? gzip_run(d, in, n_in, out, n_out, e)
					   : zstd_run(d, in, n_in, out, n_out, e);
}

bool decompressor_at_end(const struct decompressor *d)
{
	return !d->in_member;
}

void decompressor_free(struct decompressor *d)
{
	if (!d)
		return;
	if (d->kind == COMPRESSION_GZIP)
		inflateEnd(&d->gzip);
	else
		ZSTD_freeDStream(d->zstd);
	free(d);
}
