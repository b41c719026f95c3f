#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/tune/tune_check.h"

void check(struct checks *c, int ok, const char *fmt, ...)
{
	va_list args;
	char text[400];

	if (ok) {
		c->passed++;
		return;
	}
	if (++c->failed > 5)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	fprintf(stderr, "  FAIL  process %d of %d: %s\n", c->rank, c->size, text);
}

void check_ok(struct checks *c, enum ltune_code rc, const struct ltune_error *e, const char *what)
{
	check(c, rc == LTUNE_OK, "%s: %s", what, e->message);
}

void check_refused(struct checks *c, enum ltune_code got, enum ltune_code wanted,
		   struct ltune_error *e, const char *says)
{
	check(c, got == wanted, "code %d (%s), not %d, for \"%s\"", (int)got, e->message,
	      (int)wanted, says);
	check(c, e->code == got && strstr(e->message, says), "\"%s\" does not say \"%s\"",
	      e->message, says);
	*e = (struct ltune_error){0};
}

MPI_Comm cart(int ndims, const int *periodic, int *grid)
{
	MPI_Comm comm;
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	memset(grid, 0, (size_t)ndims * sizeof *grid);
	MPI_Dims_create(size, ndims, grid);
	MPI_Cart_create(MPI_COMM_WORLD, ndims, grid, periodic, 0, &comm);
	return comm;
}

double wound_clock(void *clock_data)
{
	return *(double *)clock_data;
}

int main(int argc, char **argv)
{
	const struct {
		const char *name;
		void (*run)(struct checks *);
	} tests[] = {
		{"exchange", test_exchange},   {"collectives", test_collectives},
		{"objects", test_objects},     {"requests", test_requests},
		{"histories", test_histories}, {"allocations", test_allocations},
	};
	struct checks c = {0};
	long mine[3], all[3];
	int n_run = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c.size);
	c.quick = argc > 2 && !strcmp(argv[2], "quick");
	for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++) {
		if (argc > 1 && strcmp(argv[1], "all") != 0 && strcmp(argv[1], tests[t].name) != 0)
			continue;
		tests[t].run(&c);
		n_run++;
	}
	mine[0] = c.passed;
	mine[1] = c.failed;
	mine[2] = c.unavailable;
	MPI_Allreduce(mine, all, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (c.rank == 0)
		printf("%d processes: %ld passed, %ld failed, %ld unavailable\n", c.size, all[0],
		       all[1], all[2]);
	MPI_Finalize();
	return all[1] || !n_run;
}
