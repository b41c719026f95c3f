#include "ingest/formats/foreign_format.h"

#include <ctype.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What Sweep3D 2.2b prints, one run after another: its decomposition first, CPU and elapsed time at
 * the end. Source: its driver.f. List-directed output has as many blanks as the compiler likes.
 *
 * The number of iterations is not printed, but two grind times are, time per cell, angle and
 * iteration: of those the iterations are worked out. */

enum value { IT_G, JT_G, KT, MM, NPE_I, NPE_J, MK, MMI, N_VALUES };
static const char *const column_name[N_VALUES] = {"it_g",  "jt_g",  "kt", "mm",
						  "npe_i", "npe_j", "mk", "mmi"};

struct sweep3d_run {
	uint64_t line;		 /* 0: no run is under way */
	double value[N_VALUES];	 /* 0: not printed yet */
	double cpu_s, elapsed_s; /* NaN: not printed */
	double least, most;	 /* iterations, by the grind times */
	bool stars;		 /* the grid did not fit its three digits */
	bool at_limit;
};

struct sweep3d_reader {
	struct foreign_table *out;
	struct sweep3d_run run;
	uint64_t n_failed;
};

static const char banner[] = "SWEEP3D - Method 5";

/* Does text look like shape, where a blank is any number of blanks, also none, and # an unsigned
 * whole number, put into value[]? Text behind the shape does not matter. */
static bool matches(const char *text, const char *shape, double *value)
{
	for (; *shape; shape++) {
		if (*shape == ' ') {
			text += strspn(text, " \t");
		} else if (*shape == '#') {
			double x = 0;
			size_t n = strspn(text, "0123456789");

			if (n == 0 || n > 9)
				return false;
			for (; n > 0; n--)
				x = x * 10 + (*text++ - '0');
			*value++ = x;
		} else if (*shape != *text++) {
			return false;
		}
	}
	return true;
}

static bool sweep3d_recognise(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	for (const char *p = head; *p; p += *p == '\n') {
		if (strncmp(p + strspn(p, " \t"), banner, strlen(banner)) == 0)
			return true;
		p += strcspn(p, "\n");
	}
	return false;
}

/* iterations = 1e6 t / (grind * cells * angles * 8 octants), between what the last digit of the
 * printed grind time allows; driver.f. */
static void take_grind(struct sweep3d_run *run, double time_s, const char *text)
{
	double cells = run->value[IT_G] * run->value[JT_G] * run->value[KT] * run->value[MM];
	struct blank_field f;
	double grind_us, half, steps;
	const char *point;
	char word[40];
	size_t decimals = 0;
	long exponent = 0;

	if (blank_fields(text, &f, 1) == 0 || !blank_field_number(&f, &grind_us) ||
	    !(grind_us > 0) || !(time_s > 0) || !(cells > 0))
		return;
	blank_field_copy(&f, word, sizeof word);
	point = strchr(word, '.');
	if (point)
		decimals = strspn(point + 1, "0123456789");
	if (strpbrk(word, "eE"))
		exponent = strtol(strpbrk(word, "eE") + 1, NULL, 10);
	half = 0.5 * pow(10, (double)exponent - (double)decimals);
	steps = 1e6 * time_s / (cells * 8);
	/* single precision: half a digit in a million */
	run->least = fmax(run->least, steps / (grind_us + half) * (1 - 1e-6));
	if (grind_us > half)
		run->most = fmin(run->most, steps / (grind_us - half) * (1 + 1e-6));
}

static enum err_code refuse(struct sweep3d_reader *r, const char *kind, const char *reason,
			    struct err *e)
{
	return foreign_table_refuse_row(r->out, r->run.line, kind, reason, banner, e);
}

static enum err_code end_run(struct sweep3d_reader *r, struct err *e)
{
	const struct sweep3d_run *run = &r->run;
	uint64_t line = run->line;
	char reason[200];
	bool ended = !isnan(run->elapsed_s);

	if (!line)
		return ERR_OK;
	if (run->stars)
		return refuse(
			r, "a grid that was printed as ***",
			"the program prints a grid of more than 999 cells as ***: which it was "
			"is not known",
			e);
	if (ended && isinf(run->most))
		return refuse(r, "an elapsed time without a grind time",
			      "no wall grind time below the elapsed time: was the output cut off?",
			      e);
	if (ended && floor(run->most) != ceil(run->least)) {
		snprintf(reason, sizeof reason,
			 "the iterations cannot be told from the time and the grind times, which "
			 "allow %.2f to %.2f",
			 run->least, run->most);
		return refuse(r, "iterations that cannot be told", reason, e);
	}
	foreign_table_put(r->out, "app", "sweep3d");
	for (size_t i = 0; i < N_VALUES; i++) {
		if (run->value[i] > 0)
			foreign_table_put_number(r->out, column_name[i], run->value[i]);
	}
	if (ended) {
		foreign_table_put_number(r->out, "iterations", floor(run->most));
		foreign_table_put_number(r->out, "runtime_s", run->elapsed_s);
	}
	if (!isnan(run->cpu_s))
		foreign_table_put_number(r->out, "cpu_s", run->cpu_s);
	r->n_failed += !ended;
	foreign_table_put(r->out, "status", ended ? "ok" : run->at_limit ? "timeout" : "failed");
	return foreign_table_end_row(r->out, line, e);
}

static void begin_run(struct sweep3d_reader *r, uint64_t line)
{
	r->run = (struct sweep3d_run){
		.line = line, .cpu_s = (double)NAN, .elapsed_s = (double)NAN, .most = HUGE_VAL};
}

static double seconds_behind(const char *text)
{
	struct blank_field f;
	double x;

	return blank_fields(text, &f, 1) > 0 && blank_field_number(&f, &x) ? x : (double)NAN;
}

/* Everything behind the prefix; NULL: the text does not begin so. */
static const char *behind(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static void take_grid(struct sweep3d_run *run, const char *text)
{
	double x[4];

	if (matches(text, "S#P# - # angles/octant", x)) {
		run->value[MM] = x[2];
	} else if (matches(text, "global grid: # x # x #", x)) {
		run->value[IT_G] = x[0];
		run->value[JT_G] = x[1];
		run->value[KT] = x[2];
	} else if (behind(text, "global grid:") && strchr(text, '*')) {
		run->stars = true;
	} else if (matches(text, "# domains - # x # decomposition", x)) {
		run->value[NPE_I] = x[1];
		run->value[NPE_J] = x[2];
	} else if (matches(text, "# domain pipelined blocks - # k-planes by # angles each", x)) {
		run->value[MK] = x[1];
		run->value[MMI] = x[2];
	}
}

static void take_line(struct sweep3d_run *run, const char *text)
{
	const char *rest;

	text += strspn(text, " \t");
	if ((rest = behind(text, "CPU     time was:")) != NULL)
		run->cpu_s = seconds_behind(rest);
	else if ((rest = behind(text, "Elapsed time was:")) != NULL)
		run->elapsed_s = seconds_behind(rest);
	else if ((rest = behind(text, "CPU grind time:")) != NULL)
		take_grind(run, run->cpu_s, rest);
	else if ((rest = behind(text, "Wall grind time:")) != NULL)
		take_grind(run, run->elapsed_s, rest);
	else if (strstr(text, "DUE TO TIME LIMIT")) /* slurmstepd */
		run->at_limit = true;
	else
		take_grid(run, text);
}

static void make_columns(struct foreign_table *t)
{
	foreign_table_column(t, "app");
	for (size_t i = 0; i < N_VALUES; i++)
		foreign_table_column(t, column_name[i]);
	foreign_table_column(t, "iterations");
	foreign_table_column(t, "runtime_s");
	foreign_table_column(t, "cpu_s");
	foreign_table_column(t, "status");
}

static enum err_code sweep3d_read(struct foreign_input *in, struct foreign_table *out,
				  struct err *e)
{
	struct sweep3d_reader r = {.out = out};
	struct foreign_line line;
	enum err_code rc;

	make_columns(out);
	while (!(rc = foreign_input_line(in, &line, e)) && line.text) {
		if (behind(line.text + strspn(line.text, " \t"), banner)) {
			if ((rc = end_run(&r, e)))
				return rc;
			begin_run(&r, line.number);
		} else if (r.run.line) {
			take_line(&r.run, line.text);
		}
	}
	if (!rc)
		rc = end_run(&r, e);
	foreign_table_note_count(out, "runs without a time at their end, taken as failed",
				 r.n_failed);
	return rc;
}

const struct foreign_format format_sweep3d = {
	.name = "sweep3d",
	.title = "output of Sweep3D 2.2b",
	.recognise = sweep3d_recognise,
	.read = sweep3d_read,
};
