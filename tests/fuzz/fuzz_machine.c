#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/machine.h"

/* A definition of a machine. What is accepted has a name to print and finite figures. */

static void check(const struct machine *m)
{
	struct machine *again = NULL;
	struct err e = {0};

	fuzz_require(!machine_name_fault(m->name), NULL);
	fuzz_require(m->nodes >= 0 && m->cores_per_node >= 0, NULL);
	fuzz_require(isfinite(m->memory_bytes_per_node) && m->memory_bytes_per_node >= 0, NULL);
	for (size_t i = 0; i < m->n_segment; i++)
		fuzz_require(isfinite(m->segment[i].intercept_s) &&
				     isfinite(m->segment[i].s_per_byte),
			     NULL);
	fuzz_require(!machine_parse(m->definition, "again", &again, &e), &e);
	fuzz_require(!strcmp(m->sha256, again->sha256), NULL);
	machine_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine *m = NULL;
	struct err e = {0};
	char *text = fuzz_text(data, size);
	enum err_code rc = machine_parse(text, "input.conf", &m, &e);

	fuzz_check_error(rc, &e);
	if (!rc)
		check(m);
	machine_free(m);
	free(text);
	return 0;
}
