#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "domain/composition.h"

/* Definitions of components, and a composition of what they define. Whatever is served, its
 * component was among the matches. */

static char root_name[] = "app", root_selector[] = "domain = 'application'";

static void check_node(const struct composition_node *n)
{
	size_t i = 0;

	fuzz_require(n->depth <= COMPOSITION_MAX_DEPTH, NULL);
	while (i < n->n_matches && n->match[i] != n->chosen)
		i++;
	fuzz_require(i < n->n_matches, NULL);
	fuzz_require(n->again || n->n_matches == 1 || n->decided_by, NULL);
	fuzz_require(!n->chosen->takes == !n->argument, NULL);
}

static void compose(const struct component_set *set)
{
	static const struct component_request root = {.name = root_name, .selector = root_selector};
	const struct composition_wish wish = {
		.request = "app", .component = "sweep3d", .flag = "--app"};
	const struct composition_question q = {set, &root, &wish, 1};
	struct composition made = {0};
	struct err e = {0};
	enum err_code rc = composition_resolve(&q, &made, &e);

	fuzz_check_error(rc, &e);
	for (size_t i = 0; i < made.n; i++)
		check_node(&made.node[i]);
	composition_release(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct component_set set = {0};
	struct err e = {0};
	char *text = fuzz_text(data, size);
	enum err_code rc = component_parse(text, "input.conf", &set, &e);

	fuzz_check_error(rc, &e);
	fuzz_require(!rc || set.n == 0, &e);
	if (!rc)
		compose(&set);
	component_set_release(&set);
	free(text);
	return 0;
}
