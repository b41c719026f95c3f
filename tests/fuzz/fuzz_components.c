#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "domain/composition.h"

/* Definitions of model components, and the composition of whatever they define. */

static void compose(const struct component_set *set)
{
	const struct component_request app = {(char *)(uintptr_t) "app",
					      (char *)(uintptr_t) "domain = 'application'", 0};
	const struct composition_question q = {.set = set, .root = &app};
	struct composition whole = {0};
	struct err e = {0};
	enum err_code rc = composition_resolve(&q, &whole, &e);

	fuzz_check_error(rc, &e);
	if (!rc) {
		fuzz_require(composition_find(&whole, "app") != NULL, NULL);
		composition_release(&whole);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct component_set set = {0};
	struct strbuf name = STRBUF_INIT;
	struct err e = {0};
	char *text = fuzz_text(data, size);
	enum err_code rc = component_parse(text, "input.conf", &set, &e);

	fuzz_check_error(rc, &e);
	fuzz_require(!rc || set.n == 0, &e);
	for (size_t i = 0; i < set.n; i++)
		component_put_name(set.item[i], &name);
	compose(&set);
	strbuf_release(&name);
	component_set_release(&set);
	free(text);
	return 0;
}
