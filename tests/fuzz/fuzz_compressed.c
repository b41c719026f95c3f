#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "ingest/byte_source.h"

/* A file, packed or not, through byte_source: read twice, as an import does. */

enum { BUFFER_SIZE = 64 * 1024 };

static uint64_t read_to_the_end(struct byte_source *s, enum err_code *rc, struct err *e)
{
	static char buf[BUFFER_SIZE];
	uint64_t n_all = 0;
	size_t n = 1;

	while (!*rc && n > 0) {
		if (!(*rc = byte_source_read(s, buf, sizeof buf, &n, e)))
			n_all += n;
	}
	return n_all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct byte_source *s = NULL;
	struct err e = {0};
	char hex[DIGEST_HEX_SIZE] = "";
	enum err_code rc = byte_source_open(fuzz_file(data, size), &s, &e);
	uint64_t n_all = 0;

	fuzz_require(!rc, &e);
	if (!(rc = byte_source_fingerprint(s, NULL, hex, &e)))
		n_all = read_to_the_end(s, &rc, &e);
	fuzz_check_error(rc, &e);
	if (!rc) {
		fuzz_require(n_all == byte_source_content_bytes(s), NULL);
		fuzz_require(strlen(hex) == DIGEST_HEX_SIZE - 1, NULL);
	}
	byte_source_close(s);
	return 0;
}
