#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "domain/dataset.h"
#include "ingest/import_application.h"
#include "ingest/ingest.h"

/* A table of runs through the complete import: records, fields, mapping, units, checks, the base.
 * The first byte of the input chooses the flags, the rest is the file. Imports are dry runs, so
 * that each input meets the same base. */

static struct kb *kb;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct application *a = fuzz_application();
	struct err e = {0};

	(void)argc;
	(void)argv;
	fuzz_require(!kb_open(fuzz_path(), KB_CREATE, NULL, &kb, &e), &e);
	fuzz_require(!kb_put_application(kb, a, NULL, &e), &e);
	application_free(a);
	return 0;
}

static const char *const map[] = {"SimTime=runtime_s", "n=it_g", NULL};
static const char *const unit[] = {"runtime_s=ms", NULL};
static const char *const problem[] = {"m", "n", NULL};
static const char *const tunable[] = {"mb", "layout", NULL};
static const char *const text[] = {"layout", NULL};
static const char *const column[] = {"nodes", NULL};
static const struct ad_hoc qr = {.name = "qr",
				 .target = "time",
				 .target_unit_s = 1,
				 .problem = problem,
				 .tunable = tunable,
				 .categorical = text,
				 .resource_column = column,
				 .resource_field = column};

static struct ingest_options options_of(uint8_t choice)
{
	struct ingest_options o = {.path = "input.csv", .source = -1, .dry_run = true};

	o.machine = choice & 1 ? "box" : NULL;
	o.strict = choice & 2;
	o.keep_personal = choice & 2;
	o.decimal = (char)(choice & 32 ? choice & 64 ? ',' : '.' : 0);
	o.delimiter = (char)(choice & 128 ? '|' : 0);
	switch (choice >> 2 & 3) {
	case 1:
		o.ad_hoc = &qr;
		o.app = "qr";
		break;
	case 2:
		o.map = map;
		o.app = "sweep3d";
		break;
	case 3:
		o.unit = unit;
		o.app = "sweep3d";
		break;
	default: /* the app column, or the only application */
		break;
	}
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ingest_options o;
	struct ingest_result result = {0};
	struct err e = {0};
	char *input;
	enum err_code rc;

	if (size == 0)
		return 0;
	o = options_of(data[0]);
	input = fuzz_text(data + 1, size - 1);
	if (data[0] & 16)
		o.path = fuzz_file(data + 1, size - 1); /* NUL bytes too, and packed */
	else
		o.text = input;
	rc = ingest_file(kb, &o, &result, &e);
	fuzz_check_error(rc, &e);
	fuzz_require(rc || result.n_rows > 0 || result.already_import, &e);
	fuzz_require(result.import.n_refused <= result.n_rows, &e);
	ingest_result_release(&result);
	free(input);
	return 0;
}
