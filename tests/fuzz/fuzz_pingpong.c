#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/ingest.h"

/* A ping-pong file: what it gives is what fits may rely on. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kb_pingpong rows = {0};
	struct err e = {0};
	char sha256[65] = "";
	enum err_code rc = pingpong_read(fuzz_file(data, size), NULL, &rows, sha256, &e);

	fuzz_check_error(rc, &e);
	fuzz_require(rc || rows.n > 0, &e);
	for (size_t i = 0; i < rows.n; i++) {
		fuzz_require(isfinite(rows.message_bytes[i]) && rows.message_bytes[i] >= 0, &e);
		fuzz_require(isfinite(rows.roundtrip_s[i]) && rows.roundtrip_s[i] > 0, &e);
	}
	kb_pingpong_release(&rows);
	return 0;
}
