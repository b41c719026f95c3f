/* The log of what was learnt, read back: nearest entries, and files that are none. Rank 0 has the
 * file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tune/tune_check.h"
#include "tune/tune_history.h"

static char path[64];

static void write_file(const char *text)
{
	FILE *out = fopen(path, "w");

	fputs(text, out);
	fclose(out);
}

static int lines(void)
{
	FILE *in = fopen(path, "r");
	int n = 0, ch;

	while (in && (ch = getc(in)) != EOF)
		n += ch == '\n';
	if (in)
		fclose(in);
	return n;
}

static struct ltune_history_key key_of(int cells)
{
	return (struct ltune_history_key){.machine = "here",
					  .mpi = "mpi-1",
					  .set = "neighbourhood",
					  .procs = 4,
					  .nodes = 1,
					  .ndims = 2,
					  .halo = 1,
					  .type_bytes = 8,
					  .grid = {2, 2},
					  .cells = {cells, cells},
					  .msg_bytes = 8.0 * cells};
}

static void nearest_entry_is_found(struct checks *c, const struct ltune_function_set *set)
{
	struct ltune_history_key near = key_of(100), far = key_of(1000), asked = key_of(128);
	double estimate_s[20], log_s[20], sd[20], level_sd, sd_near;
	int tests[20] = {0}, n;
	struct ltune_error e = {0};

	remove(path);
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "no file");
	check(c, n == 0, "%d entries in no file", n);
	for (int f = 0; f < 20; f++)
		estimate_s[f] = NAN;
	estimate_s[3] = 0.5;
	estimate_s[7] = 0.25;
	check_ok(c, ltune_history_append(path, &near, set, estimate_s, tests, 7, &e), &e, "append");
	estimate_s[3] = 5;
	check_ok(c, ltune_history_append(path, &far, set, estimate_s, tests, 7, &e), &e, "append");
	check(c, lines() == 5, "%d lines, not a header and 4 rows", lines());
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c,
	      n == 2 && isnan(log_s[0]) && fabs(log_s[3] - log(0.5)) < 1e-12 &&
		      fabs(log_s[7] - log(0.25)) < 1e-12,
	      "%d entries, or others", n);
	sd_near = sd[3];
	check(c, sd_near > 0.05 && level_sd > 0.2,
	      "an entry of another shape is believed as its own");
	check_ok(c, ltune_history_nearest(path, &near, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c, n == 2 && fabs(sd[3] - 0.05) < 1e-12 && fabs(level_sd - 0.2) < 1e-12,
	      "the same shape again: sd %g", sd[3]);
	asked = key_of(900);
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c, n == 2 && fabs(log_s[3] - log(5.0)) < 1e-12, "not the nearest");
	/* Newer entries of one shape go before older ones. */
	estimate_s[3] = 0.75;
	estimate_s[7] = NAN;
	check_ok(c, ltune_history_append(path, &near, set, estimate_s, tests, 3, &e), &e, "append");
	check_ok(c, ltune_history_nearest(path, &near, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c, n == 2 && fabs(log_s[3] - log(0.75)) < 1e-12, "not the newest");
	/* What the nearest does not have comes from the next one, on the level of what both have:
	 * there function 3 took 5 and function 7 took 0.25, here function 3 took 0.75. */
	check(c, fabs(log_s[7] - log(0.25)) < 1e-12, "a function of the same shape");
	asked = far;
	estimate_s[9] = 0.5;
	check_ok(c, ltune_history_append(path, &near, set, estimate_s, tests, 3, &e), &e, "append");
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c,
	      n == 3 && fabs(log_s[3] - log(5.0)) < 1e-12 &&
		      fabs(log_s[9] - log(0.5) - 0.5 * (log(5.0 / 0.75) + log(0.25 / 0.25))) <
			      1e-12,
	      "%d entries, %g", n, log_s[9]);
	check(c, sd[9] > 2 * sd[3], "sd %g of what is far, %g of what is near", sd[9], sd[3]);
	/* Another machine, MPI or number of dimensions tells nothing. */
	asked = near;
	strcpy(asked.machine, "there");
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c, n == 0, "another machine");
	asked = near;
	strcpy(asked.mpi, "mpi-2");
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c, n == 0, "another MPI");
	asked = near;
	asked.ndims = 3;
	check_ok(c, ltune_history_nearest(path, &asked, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	check(c, n == 0, "another number of dimensions");
}

static void files_that_are_no_log_are_refused(struct checks *c,
					      const struct ltune_function_set *set)
{
	struct ltune_history_key key = key_of(100);
	double estimate_s[20] = {1}, log_s[20], sd[20], level_sd;
	int tests[20] = {0}, n;
	struct ltune_error e = {0};
	FILE *out;

	write_file("a,b,c\n1,2,3\n");
	check_refused(c, ltune_history_nearest(path, &key, set, log_s, sd, &level_sd, &n, &e),
		      LTUNE_FORMAT, &e, ":1: not the log");
	check_refused(c, ltune_history_append(path, &key, set, estimate_s, tests, 0, &e),
		      LTUNE_FORMAT, &e, ":1: not the log");
	check(c, lines() == 2, "a foreign file was written to");
	for (int f = 1; f < 20; f++)
		estimate_s[f] = NAN;
	remove(path);
	check_ok(c, ltune_history_append(path, &key, set, estimate_s, tests, 0, &e), &e, "append");
	out = fopen(path, "a");
	fputs("here,mpi-1,1,4,2", out); /* cut off */
	fclose(out);
	check_refused(c, ltune_history_nearest(path, &key, set, log_s, sd, &level_sd, &n, &e),
		      LTUNE_FORMAT, &e, ":3: not a row");
	out = fopen(path, "a");
	fputs("\n", out);
	fclose(out);
	check_refused(c, ltune_history_nearest(path, &key, set, log_s, sd, &level_sd, &n, &e),
		      LTUNE_FORMAT, &e, ":3: not a row");
	check_refused(c, ltune_history_append("/nowhere/log", &key, set, estimate_s, tests, 0, &e),
		      LTUNE_IO, &e, "/nowhere/log");
}

/* Candidates, filled in as `lemnos predict --from` does: its medians and half of its intervals. */
static void predictions_are_a_history(struct checks *c, const struct ltune_function_set *set)
{
	struct ltune_history_key key = key_of(100);
	double log_s[20], sd[20], level_sd;
	char line[2048], *rows = calloc(30, sizeof line);
	int n, at = 0, row = 0;
	struct ltune_error e = {0};
	FILE *in;

	check_ok(c, ltune_history_candidates(path, &key, set, &e), &e, "candidates");
	check(c, lines() == 21, "%d lines, not a header and 20 candidates", lines());
	in = fopen(path, "r");
	while (fgets(line, sizeof line, in)) {
		line[strcspn(line, "\n")] = '\0';
		at += sprintf(rows + at, "%s%s\n", line,
			      row == 0	 ? ",predicted_s,lo_s,hi_s,support"
			      : row == 3 ? ",,,,"
					 : ",0.5,0.25,1,inside");
		row++;
	}
	fclose(in);
	write_file(rows);
	check_ok(c, ltune_history_nearest(path, &key, set, log_s, sd, &level_sd, &n, &e), &e,
		 "read");
	/* ln 4 / 3.29 = 0.4214, and the 0.05 of a start against another */
	check(c,
	      n == 19 && isnan(log_s[2]) && fabs(log_s[0] - log(0.5)) < 1e-12 &&
		      fabs(sd[0] - hypot(log(4.0) / 3.29, 0.05)) < 1e-9,
	      "%d predictions, sd %g", n, sd[0]);
	check_refused(c, ltune_history_append(path, &key, set, log_s, (int[20]){0}, 0, &e),
		      LTUNE_FORMAT, &e, "predictions, not a log");
	rows[at - 4] = ','; /* a cell too many */
	write_file(rows);
	check_refused(c, ltune_history_nearest(path, &key, set, log_s, sd, &level_sd, &n, &e),
		      LTUNE_FORMAT, &e, ":21: not a row");
	check_refused(c, ltune_history_candidates("/nowhere/file", &key, set, &e), LTUNE_IO, &e,
		      "/nowhere/file");
	free(rows);
	remove(path);
}

/* A whole start after another: what the first one logged, the second one begins from. */
static void second_start_tests_less(struct checks *c, struct ltune_function_set *set)
{
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_error e = {0};
	struct ltune_options o;
	struct ltune_report report[2];
	double buffer[36];
	int grid[2];
	MPI_Comm comm = cart(2, (int[]){0, 0}, grid);

	if (c->rank == 0)
		remove(path);
	ltune_topology_create(comm, &topology, &e);
	ltune_vector_register(2, (int[]){4, 4}, 1, MPI_DOUBLE, buffer, &vector, &e);
	ltune_options_init(&o);
	o.logic = "brute";
	o.tests = 1;
	o.machine = "a machine, \"quoted\"";
	for (int k = 0; k < 2; k++) {
		struct ltune_request *r = NULL;

		o.log = o.history = path;
		check_ok(c, ltune_request_create(topology, vector, set, &o, &r, &e), &e, "request");
		for (int i = 0; i < 25; i++)
			check_ok(c, ltune_request_start(r, &e), &e, "start");
		ltune_request_report(r, &report[k]);
		check_ok(c, ltune_request_free(&r, &e), &e, "free");
		o.logic = "elimination";
		o.iterations = 25;
	}
	check(c, report[0].chosen && report[0].tests >= 12, "brute force: %ld tests",
	      report[0].tests);
	check(c, report[1].tests < report[0].tests, "%ld tests after %ld", report[1].tests,
	      report[0].tests);
	if (c->rank == 0)
		check(c, lines() > 1 + 12, "%d lines in the log", lines());
	ltune_topology_free(&topology, &e);
	ltune_vector_free(&vector);
	MPI_Comm_free(&comm);
}

void test_histories(struct checks *c)
{
	struct ltune_function_set *set = NULL;
	struct ltune_error e = {0};

	snprintf(path, sizeof path, "tune_history_%d.csv", c->rank);
	check_ok(c, ltune_set_neighbourhood(&set, &e), &e, "set");
	nearest_entry_is_found(c, set);
	files_that_are_no_log_are_refused(c, set);
	predictions_are_a_history(c, set);
	second_start_tests_less(c, set);
	ltune_function_set_free(&set);
	remove(path);
}
