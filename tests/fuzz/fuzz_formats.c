#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/foreign_file.h"
#include "ingest/ingest.h"

/* The readers of what other programs write. The first byte of the input chooses: 0 the format that
 * is recognised, n the n-th of the list; by its highest bit that what was read is imported, as a
 * dry run; by the next what the user says of it: all regions, the metric "time", patterns. The rest
 * is the file. */

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

static const char *format_name(uint8_t choice)
{
	const struct foreign_format *f = NULL;
	size_t n = 0;

	while (foreign_format_at(n))
		n++;
	if (choice > 0)
		f = foreign_format_at((choice - 1u) % n);
	return f ? f->name : foreign_format_auto;
}

/* Lines go up, cells are texts, a refused row says why. */
static void check_table(const struct foreign_table *t)
{
	size_t n = foreign_table_n_columns(t);
	const char **field = calloc(n + 1, sizeof *field);

	fuzz_require(field != NULL, NULL);
	fuzz_require(foreign_table_n_rows(t) > 0, NULL);
	for (size_t i = 0; i < n; i++)
		fuzz_require(foreign_table_column_name(t, i) != NULL, NULL);
	for (size_t i = 0; i < foreign_table_n_rows(t); i++) {
		struct foreign_record row = foreign_table_row(t, i, field);

		fuzz_require(row.line >= 1, NULL);
		fuzz_require(!row.bad == !row.bad_kind, NULL);
		for (size_t k = 0; k < n; k++)
			fuzz_require(field[k] != NULL, NULL);
	}
	free(field);
}

static const char patterns[] =
	"begin = ^run\n# a run\nn = ^n: ([0-9]+)\ntime_s = time[:=] *([0-9.e+-]+)\n";
static const struct foreign_choice all = {
	.region = "*", .metric = "time", .patterns = patterns, .patterns_name = "patterns"};
static const struct foreign_choice nothing = {.region = NULL};

static void read_table(const char *path, const char *name, const struct foreign_choice *choice)
{
	static const char *const match[] = {"JobName=*_n{n}", NULL};
	struct foreign_choice said = *choice;
	const struct foreign_format *format = NULL;
	struct byte_source *source = NULL;
	struct foreign_table *t = NULL;
	char sha256[DIGEST_HEX_SIZE];
	struct err e = {0};
	enum err_code rc;

	if (strstr(name, "sacct"))
		said.match = match;
	fuzz_require(!byte_source_open(path, &source, &e), &e);
	if (!(rc = byte_source_fingerprint(source, NULL, sha256, &e)) &&
	    !(rc = foreign_file_format(source, name, &format, &e)) && format)
		rc = foreign_file_read(source, format, 1 << 20, &said, NULL, &t, &e);
	fuzz_check_error(rc, &e);
	fuzz_require(!t == (rc || !format), &e);
	if (t)
		check_table(t);
	foreign_table_free(t);
	byte_source_close(source);
}

static void import_table(const char *path, const char *name, const struct foreign_choice *choice)
{
	struct ingest_options o = {.path = path,
				   .app = "sweep3d",
				   .machine = "box",
				   .source = -1,
				   .format = name,
				   .region = choice->region,
				   .metric = choice->metric,
				   .foreign_max_bytes = 1 << 20,
				   .dry_run = true};
	struct ingest_result result = {0};
	struct err e = {0};
	enum err_code rc = ingest_file(kb, &o, &result, &e);

	fuzz_check_error(rc, &e);
	fuzz_require(rc || result.n_rows > 0 || result.already_import, &e);
	fuzz_require(result.import.n_refused <= result.n_rows, &e);
	ingest_result_release(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct foreign_choice *choice;
	const char *path;

	if (size == 0)
		return 0;
	path = fuzz_file(data + 1, size - 1);
	choice = data[0] & 64 ? &all : &nothing;
	if (data[0] & 128)
		import_table(path, format_name(data[0] & 63), choice);
	else
		read_table(path, format_name(data[0] & 63), choice);
	return 0;
}
