#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/wall_clock.h"
#include "domain/configuration.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"

/* What people type behind flags, and numbers in cells: durations, points of time, sizes, numbers,
 * units, problems, settings. The first byte chooses which. */

static struct application *app;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	app = fuzz_application();
	return 0;
}

static void try_duration(const char *text)
{
	struct err e = {0};
	double s = 0, back = 0;
	char buf[64];

	fuzz_check_error(duration_parse(text, &s, &e), &e);
	if (e.code)
		return;
	fuzz_require(isfinite(s) && s > 0, &e);
	/* What is printed for people to type is no less. */
	duration_format(s, buf, sizeof buf);
	duration_format_up(s, buf, sizeof buf);
	fuzz_require(duration_parse(buf, &back, &e) || back >= s, &e);
}

static void try_point_of_time(const char *text)
{
	struct err e = {0};
	int64_t at = 0;
	char buf[WALL_CLOCK_SIZE];

	fuzz_check_error(wall_clock_parse(text, 1795250000, &at, &e), &e);
	if (!e.code)
		wall_clock_format(at, buf);
}

static void try_number(const char *text)
{
	struct err e = {0}, e_integer = {0}, e_size = {0};
	double x = 0, cell = 0, whole = 0, seconds = 0;
	int64_t i = 0;

	fuzz_check_error(number_parse(text, &x, &e), &e);
	fuzz_require(isfinite(x), &e);
	fuzz_check_error(integer_parse(text, -9, 1000000, &i, &e_integer), &e_integer);
	fuzz_require(i >= -9 && i <= 1000000, &e_integer);
	fuzz_check_error(size_parse(text, &x, &e_size), &e_size);
	fuzz_require(isfinite(x), &e_size);
	if (cell_number(text, &cell) == NUMBER_OK)
		fuzz_require(isfinite(cell), NULL);
	if (cell_clock(text, CLOCK_ANY, '.', &seconds) == CLOCK_OK)
		fuzz_require(isfinite(seconds) && seconds >= 0, NULL);
	if (cell_clock(text, CLOCK_HM, ',', &seconds) == CLOCK_OK)
		fuzz_require(isfinite(seconds) && seconds >= 0, NULL);
	for (int style = 0; style < 4; style++) {
		if (cell_number_in((struct number_style){style & 1 ? ',' : '.', style & 2}, text,
				   &cell) == NUMBER_OK)
			fuzz_require(isfinite(cell), NULL);
	}
	cell_number_evidence(text, true);
	status_from_word(text);
	status_from_exit_code(text);
	if (cell_integer_in(number_style_plain, text, &whole) == NUMBER_OK)
		fuzz_require(whole == trunc(whole) && fabs(whole) <= 0x1p53, NULL);
}

static void try_unit(const char *text)
{
	struct cell_unit u = cell_unit_same;

	if (cell_unit_between(text, "s", &u))
		fuzz_require(isfinite(cell_unit_apply(u, 1)), NULL);
	fuzz_require(time_unit_s(text) >= 0 && size_unit_bytes(text) >= 0, NULL);
}

/* A row that was accepted holds numbers within the limits of its columns. */
static void check_row(const double *row)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (isnan(row[i]) || c->role == COL_DERIVED)
			continue;
		fuzz_require(isfinite(row[i]), NULL);
		fuzz_require(c->type != COL_INT || fabs(row[i]) <= 0x1p53, NULL);
	}
}

static void try_row(const char *text, bool problem)
{
	double *row = calloc(app->n_columns, sizeof *row);
	struct strbuf why = STRBUF_INIT;
	struct err e = {0};

	fuzz_require(row != NULL, NULL);
	configuration_clear(app, row);
	if (problem)
		fuzz_check_error(configuration_set_problem(app, text, false, row, &e), &e);
	else
		fuzz_check_error(configuration_set(app, text, row, &e), &e);
	check_row(row);
	configuration_derive(app, row);
	configuration_legal(app, row, &why);
	configuration_memory_bytes_per_proc(app, row);
	strbuf_release(&why);
	free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = size > 0 ? fuzz_text(data + 1, size - 1) : NULL;

	switch (size > 0 ? data[0] : 0) {
	case 'd':
		try_duration(text);
		break;
	case 't':
		try_point_of_time(text);
		break;
	case 'n':
		try_number(text);
		break;
	case 'u':
		try_unit(text);
		break;
	case 'p':
		try_row(text, true);
		break;
	case 's':
		try_row(text, false);
		break;
	default:
		break;
	}
	free(text);
	return 0;
}
