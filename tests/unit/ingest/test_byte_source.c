#include "tests/support/check.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "ingest/byte_source.h"
#include "tests/unit/ingest/file_fixture.h"

CLOSABLE(byte_source)

/* Read to the end in pieces of `piece` bytes; how many there were. */
static enum err_code drain(size_t piece, uint64_t *n_bytes, struct err *e)
{
	CLOSED(byte_source) *s = NULL;
	char buf[4096];
	size_t n = 1;
	enum err_code rc = byte_source_open(path, &s, e);

	*n_bytes = 0;
	while (!rc && n > 0) {
		rc = byte_source_read(s, buf, piece, &n, e);
		if (!rc)
			*n_bytes += n;
	}
	return rc;
}

static void check_refused(const char *message)
{
	uint64_t n;

	must_fail(drain(4096, &n, &err), ERR_PARSE, message);
	assert_non_null(strstr(err.msg, path)); /* the file is named */
}

static size_t gzip_of(const char *data, size_t n, char *out, size_t cap)
{
	z_stream z = {0};

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	z.next_in = (Bytef *)(uintptr_t)data;
	z.avail_in = (uInt)n;
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)cap;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return cap - z.avail_out;
}

#define IN_FIXTURE(name) TEST_WITH(name, make_file, remove_file)

IN_FIXTURE(the_fingerprint_is_the_sha256_of_the_uncompressed_content)
{
	/* FIPS 180-2, appendix B.1: SHA-256("abc"). */
	static const char abc[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	struct byte_source *s;
	char packed[128];
	char hex[DIGEST_HEX_SIZE];
	char buf[8];
	size_t n;

	for (int kind = 0; kind < 3; kind++) {
		if (kind == 0)
			put("abc", 3);
		else if (kind == 1)
			put(packed, gzip_of("abc", 3, packed, sizeof packed));
		else
			put(packed, ZSTD_compress(packed, sizeof packed, "abc", 3, 1));
		must(byte_source_open(path, &s, &err));
		must(byte_source_fingerprint(s, NULL, hex, &err));
		assert_string_equal(hex, abc);
		assert_int_equal(byte_source_content_bytes(s), 3);
		must(byte_source_read(s, buf, sizeof buf, &n, &err));
		assert_int_equal(n, 3);
		assert_memory_equal(buf, "abc", 3);
		must(byte_source_read(s, buf, sizeof buf, &n, &err));
		assert_int_equal(n, 0);
		byte_source_close(s);
	}
}

IN_FIXTURE(pieces_of_any_size_give_all_the_bytes)
{
	enum { N = 300000 }; /* more than two chunks of the reader */
	HEAP char *data = malloc(N);
	HEAP char *packed = malloc(N + 1024);
	uint64_t n;

	for (int i = 0; i < N; i++)
		data[i] = (char)('0' + i % 71 * 13 % 71);
	for (size_t piece = 1; piece <= 4096; piece = piece * 3 + 1) {
		put(data, N);
		must(drain(piece, &n, &err));
		assert_int_equal(n, N);
		put(packed, ZSTD_compress(packed, N + 1024, data, N, 1));
		must(drain(piece, &n, &err));
		assert_int_equal(n, N);
		put(packed, gzip_of(data, N, packed, N + 1024));
		must(drain(piece, &n, &err));
		assert_int_equal(n, N);
	}
}

IN_FIXTURE(cut_off_data_are_an_error_at_any_length)
{
	static const char text[] = "it_g,jt_g,kt\n50,50,50\n50,50,51\n";
	char gz[256];
	char zst[256];
	size_t n_gz = gzip_of(text, strlen(text), gz, sizeof gz);
	size_t n_zst = ZSTD_compress(zst, sizeof zst, text, strlen(text), 1);

	/* From the fourth byte on they are known for what they are. */
	for (size_t n = 4; n < n_gz; n++) {
		put(gz, n);
		check_refused("end too early: the file was cut off");
	}
	for (size_t n = 4; n < n_zst; n++) {
		put(zst, n);
		check_refused("end too early: the file was cut off");
	}
}

IN_FIXTURE(damaged_data_are_an_error)
{
	static const char text[] = "it_g,jt_g,kt\n50,50,50\n50,50,51\n";
	char packed[256];
	size_t n = gzip_of(text, strlen(text), packed, sizeof packed);

	packed[n - 6] ^= 1; /* in the checksum */
	put(packed, n);
	check_refused("damaged gzip data: incorrect data check");
	memcpy(packed + n, "rubbish", 7);
	packed[n - 6] ^= 1;
	put(packed, n + 7);
	check_refused("damaged gzip data: incorrect header check");
	n = ZSTD_compress(packed, sizeof packed, text, strlen(text), 1);
	packed[5] ^= 0x40;
	put(packed, n);
	check_refused("damaged zstd data");
}

IN_FIXTURE(a_decompression_bomb_is_refused)
{
	enum { ZEROS = 100 << 20 };
	HEAP char *zeros = zeroed(1, ZEROS);
	HEAP char *packed = malloc(1 << 20);

	put(packed, gzip_of(zeros, ZEROS, packed, 1 << 20)); /* 1 : 1030 */
	check_refused("unpacks to more than 500 times its size");
	put(packed, ZSTD_compress(packed, 1 << 20, zeros, ZEROS, 1));
	check_refused("unpacks to more than 500 times its size");
}

IN_FIXTURE(foreign_formats_are_named_with_the_way_out)
{
	put("\xfd"
	    "7zXZ\0\0\4",
	    8);
	check_refused("is xz-compressed: unpack it first");
	put("BZh91AY", 7);
	check_refused("is bzip2-compressed");
	put("PK\3\4....", 8);
	check_refused("is a zip archive or an Excel workbook: export the table as CSV");
	put("PAR1\x15\4", 6);
	check_refused("is a Parquet file, which Lemnos has no library for: write CSV from it");
	put("ARROW1\0\0\xff", 9);
	check_refused("is an Arrow file, which Lemnos has no library for: write CSV from it");
	put("\xff\xfei\0t\0", 6);
	check_refused("is UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8)");
}

IN_FIXTURE(a_missing_file_is_an_error_of_the_input)
{
	struct byte_source *s;

	must_say(byte_source_open("/nowhere/runs.csv", &s, &err), ERR_PARSE,
		 "/nowhere/runs.csv: cannot open: No such file or directory");
}

IN_FIXTURE(a_file_that_changes_while_it_is_read_is_refused)
{
	CLOSED(byte_source) *s;
	struct err e = {0};
	char hex[DIGEST_HEX_SIZE];
	char buf[16];
	size_t n = 1;
	enum err_code rc = ERR_OK;

	put("abc", 3);
	check_ok(byte_source_open(path, &s, &e), &e);
	check_ok(byte_source_fingerprint(s, NULL, hex, &e), &e);
	put("abcdef", 6);
	while (!rc && n > 0)
		rc = byte_source_read(s, buf, sizeof buf, &n, &e);
	assert_int_equal(rc, ERR_PARSE);
	assert_non_null(strstr(e.msg, "changed while it was read"));
}

static void ignore_signal(int number)
{
}

/* Again and again: the first one may come before the wait. */
static void send_signals(bool on)
{
	const struct itimerval soon = {{0, 10000}, {0, 10000}};
	const struct itimerval never = {0};
	const struct sigaction caught = {.sa_handler = ignore_signal};

	sigaction(SIGALRM, &caught, NULL);
	setitimer(ITIMER_REAL, on ? &soon : &never, NULL);
}

/* fingerprinted: what the pipe brings would be kept first. */
static void expect_interrupted_read(bool fingerprinted)
{
	int saved = dup(STDIN_FILENO);
	struct byte_source *s = NULL;
	struct err e = {0};
	char buf[16], hex[DIGEST_HEX_SIZE];
	int pipe_fd[2];
	size_t n = 0;

	assert_int_equal(pipe(pipe_fd), 0);
	dup2(pipe_fd[0], STDIN_FILENO);
	check_ok(byte_source_open("-", &s, &e), &e);
	send_signals(true);
	assert_int_equal(fingerprinted ? byte_source_fingerprint(s, NULL, hex, &e)
				       : byte_source_read(s, buf, sizeof buf, &n, &e),
			 ERR_INTERRUPTED);
	send_signals(false);
	assert_string_equal(e.msg, "stdin: interrupted");
	byte_source_close(s);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
}

IN_FIXTURE(a_signal_ends_the_wait_for_standard_input)
{
	expect_interrupted_read(false);
	expect_interrupted_read(true);
}

IN_FIXTURE(a_signal_ends_the_wait_for_who_writes_to_a_pipe)
{
	struct byte_source *s = NULL;

	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	send_signals(true);
	must_fail(byte_source_open(path, &s, &err), ERR_INTERRUPTED, "");
	send_signals(false);
	assert_null(s);
	assert_non_null(strstr(err.msg, ": interrupted"));
}

IN_FIXTURE(a_text_in_memory_is_read_twice_like_a_file)
{
	CLOSED(byte_source) *s = NULL;
	char hex[DIGEST_HEX_SIZE];
	char buf[16];
	size_t n = 0;

	must(byte_source_open_text("abc and what is not asked for", 3, "made", &s, &err));
	must(byte_source_fingerprint(s, NULL, hex, &err));
	/* FIPS 180-2, appendix B.1 */
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	must(byte_source_read(s, buf, sizeof buf, &n, &err));
	assert_int_equal(n, 3);
	assert_memory_equal(buf, "abc", 3);
	must(byte_source_read(s, buf, sizeof buf, &n, &err));
	assert_int_equal(n, 0);
	assert_string_equal(byte_source_name(s), "made");
}

IN_FIXTURE(what_goes_on_beyond_the_limit_is_refused)
{
	struct byte_source *s = NULL;
	struct err e = {0};
	char hex[DIGEST_HEX_SIZE];

	for (uint64_t limit = 3; limit < 6; limit++) {
		check_ok(byte_source_open_text("abcd", 4, "made", &s, &e), &e);
		byte_source_limit(s, limit, "--max-bytes SIZE reads more");
		assert_int_equal(byte_source_fingerprint(s, NULL, hex, &e),
				 limit < 4 ? ERR_PARSE : ERR_OK);
		byte_source_close(s);
		if (limit < 4)
			assert_non_null(strstr(e.msg, "more than 3 bytes"));
		e = (struct err){0};
	}
}

IN_FIXTURE(an_endless_device_ends_at_the_limit)
{
	struct byte_source *s = NULL;
	char hex[DIGEST_HEX_SIZE];

	must(byte_source_open("/dev/urandom", &s, &err));
	byte_source_limit(s, 1 << 20, NULL);
	assert_int_equal(byte_source_fingerprint(s, NULL, hex, &err), ERR_PARSE);
	byte_source_close(s);
	must(byte_source_open("/dev/zero", &s, &err));
	must_fail(byte_source_fingerprint(s, NULL, hex, &err), ERR_PARSE, "NUL");
	byte_source_close(s);
}
