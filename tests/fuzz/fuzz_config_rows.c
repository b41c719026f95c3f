#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"
#include "ingest/config_reader.h"

/* A file of configurations, as `predict --from` reads it. */

static struct application *app;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	app = fuzz_application();
	return 0;
}

static enum err_code read_rows(struct config_reader *r, double *row, struct err *e)
{
	const char *raw = "", *machine = NULL, *bad = NULL;
	enum err_code rc;

	while (!(rc = config_reader_next(r, &raw, row, &machine, &bad, e)) && raw) {
		fuzz_require(!bad || strlen(bad) > 0, e);
		if (bad)
			continue;
		configuration_derive(app, row);
		configuration_legal(app, row, NULL);
	}
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config_reader *r = NULL;
	struct err e = {0};
	double *row = calloc(app->n_columns, sizeof *row);
	enum err_code rc = config_reader_open(fuzz_file(data, size), app, &r, &e);

	fuzz_require(row != NULL, NULL);
	if (!rc)
		rc = read_rows(r, row, &e);
	fuzz_check_error(rc, &e);
	config_reader_close(r);
	free(row);
	return 0;
}
