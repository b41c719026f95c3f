#include "tests/fuzz/fuzz.h"

#include <stdio.h>

#include <sqlite3.h>

#include "cli/frame/context.h"
#include "cli/history/history.h"
#include "tests/fuzz/small_base.h"

/* A remembered answer (JSON) as an older or another program may have left it in the base, through
 * `lemnos explain`. */

static struct context context;
static sqlite3 *db; /* puts each answer there */
static sqlite3_stmt *put;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *operand[] = {small_base_advice};
	struct err e = {0};

	(void)argc;
	(void)argv;
	small_base_make(fuzz_path());
	fuzz_require(sqlite3_open(fuzz_path(), &db) == SQLITE_OK, NULL);
	sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
	fuzz_require(sqlite3_prepare_v2(db, "UPDATE advice SET answer = ?1", -1, &put, NULL) ==
			     SQLITE_OK,
		     NULL);
	fuzz_require(!kb_open(fuzz_path(), KB_READ, NULL, &context.session.kb, &e), &e);
	context.cmd = &cmd_explain;
	context.operand = operand;
	context.n_operands = 1;
	context.out = fopen("/dev/null", "w");
	context.log = context.out;
	fuzz_require(context.out != NULL, NULL);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};

	fuzz_require(sqlite3_bind_text(put, 1, (const char *)data, (int)size, SQLITE_STATIC) ==
			     SQLITE_OK,
		     NULL);
	sqlite3_step(put);
	sqlite3_reset(put);
	context.format = size % 2 ? FORMAT_JSON : FORMAT_TABLE;
	fuzz_check_error(explanation_run(&context, &e), &e);
	return 0;
}
