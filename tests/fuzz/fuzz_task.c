#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "domain/task_description.h"

/* A task execution description. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct task_description *t = NULL;
	struct err e = {0};
	char *text = fuzz_text(data, size);
	enum err_code rc = task_description_parse(text, "input.conf", &t, &e);

	fuzz_check_error(rc, &e);
	fuzz_require(rc || (t->name && *t->name), &e);
	task_description_free(t);
	free(text);
	return 0;
}
