#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"

/* What the fuzzers share. Each fuzz_TARGET.c feeds one parser with what libFuzzer makes up; run.sh
 * runs them. A finding is a crash, a sanitizer's report, a leak, too much time or memory, or a
 * broken promise of the parser (fuzz_require). */

/* libFuzzer's side: called for each input; called once. Both return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Stops with a report unless ok, which library code promised; e may be NULL. */
#define fuzz_require(ok, e) ((ok) ? (void)0 : fuzz_fail(#ok, (e), __FILE__, __LINE__))
_Noreturn void fuzz_fail(const char *what, const struct err *e, const char *file, int line);

/* The input as a text: up to its first NUL. Free it. */
char *fuzz_text(const uint8_t *data, size_t size);
/* The input as a file of this process; the path is the same for every input. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* A path beside it; removed at the end, with SQLite's companions. */
const char *fuzz_path(void);

/* A failed call has a code and says why; a good one has neither. */
void fuzz_check_error(enum err_code rc, const struct err *e);

/* The application sweep3d as it ships; fuzzers run at the top of the tree. */
struct application *fuzz_application(void);
#endif
