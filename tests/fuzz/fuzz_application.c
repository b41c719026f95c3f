#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"
#include "domain/expr.h"

/* A definition of an application; one that is accepted must be usable. */

static void use(const struct application *a)
{
	struct strbuf why = STRBUF_INIT;
	double *row = calloc(a->n_columns, sizeof *row);
	char table[128];
	double phi[APPLICATION_MAX_TERMS];

	fuzz_require(row != NULL, NULL);
	configuration_clear(a, row);
	configuration_default_workload(a, row);
	for (size_t i = 0; i < a->n_columns; i++) {
		fuzz_require(application_column(a, a->column[i].name) == i, NULL);
		if (a->column[i].type != COL_TEXT && a->column[i].role != COL_DERIVED)
			row[i] = 1;
	}
	configuration_derive(a, row);
	configuration_legal(a, row, &why);
	configuration_memory_bytes_per_proc(a, row);
	application_terms_at(a, row, phi);
	configuration_put_problem(a, row, &why);
	application_table(a, table, sizeof table);
	strbuf_release(&why);
	free(row);
}

/* It is stored as its text: reading that again must give the same application. */
static void read_again(const struct application *a)
{
	struct application *again = NULL;
	struct err e = {0};

	fuzz_require(!application_parse(a->definition, "again", &again, &e), &e);
	fuzz_require(!strcmp(a->sha256, again->sha256), NULL);
	fuzz_require(a->n_columns == again->n_columns, NULL);
	fuzz_require(a->terms.n == again->terms.n, NULL);
	application_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct application *a = NULL;
	struct err e = {0};
	char *text = fuzz_text(data, size);
	enum err_code rc = application_parse(text, "input.conf", &a, &e);

	fuzz_check_error(rc, &e);
	if (!rc) {
		use(a);
		read_again(a);
	}
	application_free(a);
	free(text);
	return 0;
}
