#include "ingest/formats/foreign_format.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What HPL, the High-Performance Linpack, prints: for each test one line
 *
 *     T/V                N    NB     P     Q               Time                 Gflops
 *     WR11C2R4       29184   192     2     4             222.53             7.4463e+01
 *
 * and below it whether the residual passed. Source: HPL 2.3, testing/ptest/HPL_pdtest.c, which
 * makes T/V of: W, the mapping of processes (R, C), look-ahead depth, broadcast (0 1ring, 1 1ringM,
 * 2 2ring, 3 2ringM, 4 blong, 5 blonM), recursive factorisation (L, C, R), its subdivisions, panel
 * factorisation (L, C, R), and the columns at which recursion stops. */

enum { N_HPL_FIELDS = 7, HPL_TAG_LENGTH = 8 };

struct hpl_reader {
	struct foreign_table *out;
	uint64_t line; /* of the test under way; 0: none */
	bool checked, failed;
	uint64_t n_unchecked, n_failed, n_no_memory;
};

static bool is_one_of(char c, const char *letters)
{
	return c && strchr(letters, c);
}

/* "WR11C2R4": nbmin may have two digits. */
static bool is_tag(const struct blank_field *f)
{
	const char *t = f->at;

	if (f->len < HPL_TAG_LENGTH || f->len > HPL_TAG_LENGTH + 3 || t[0] != 'W' ||
	    !is_one_of(t[1], "RC") || !isdigit((unsigned char)t[2]) ||
	    !isdigit((unsigned char)t[3]) || !is_one_of(t[4], "LCR") ||
	    !isdigit((unsigned char)t[5]) || !is_one_of(t[6], "LCR"))
		return false;
	for (size_t i = 7; i < f->len; i++) {
		if (!isdigit((unsigned char)t[i]))
			return false;
	}
	return true;
}

static bool is_header(const char *line)
{
	static const char *const word[N_HPL_FIELDS] = {"T/V", "N",    "NB",    "P",
						       "Q",   "Time", "Gflops"};
	struct blank_field f[N_HPL_FIELDS];

	if (blank_fields(line, f, N_HPL_FIELDS) != N_HPL_FIELDS)
		return false;
	for (size_t i = 0; i < N_HPL_FIELDS; i++) {
		if (!blank_field_is(&f[i], word[i]))
			return false;
	}
	return true;
}

/* Its banner or the header of its results begins a line. */
static bool hpl_recognise(const char *head, size_t n, bool whole)
{
	char line[128];

	(void)n;
	(void)whole;
	for (const char *p = head; *p;) {
		size_t len = strcspn(p, "\r\n");

		if (strncmp(p, "HPLinpack ", strlen("HPLinpack ")) == 0)
			return true;
		if (len < sizeof line) {
			memcpy(line, p, len);
			line[len] = '\0';
			if (is_header(line))
				return true;
		}
		p += len;
		p += strspn(p, "\r\n");
	}
	return false;
}

/* Letters and digits of T/V, and where they stand; the last may be longer. */
static const struct {
	const char *column;
	size_t at;
} tag_part[] = {{"mapping", 1}, {"depth", 2}, {"bcast", 3}, {"rfact", 4},
		{"ndiv", 5},	{"pfact", 6}, {"nbmin", 7}};
enum { N_TAG_PARTS = sizeof tag_part / sizeof tag_part[0] };

static const char *const result_column[N_HPL_FIELDS] = {"", "N", "NB", "P", "Q", "Time", "Gflops"};

static void put_tag(struct foreign_table *t, const struct blank_field *f)
{
	for (size_t i = 0; i < N_TAG_PARTS; i++)
		foreign_table_put_n(t, tag_part[i].column, f->at + tag_part[i].at,
				    i + 1 < N_TAG_PARTS ? 1 : f->len - tag_part[i].at);
}

static void make_columns(struct foreign_table *t)
{
	for (size_t i = 1; i < N_HPL_FIELDS; i++)
		foreign_table_column(t, result_column[i]);
	for (size_t i = 0; i < N_TAG_PARTS; i++)
		foreign_table_column(t, tag_part[i].column);
	foreign_table_column(t, "status");
}

static enum err_code end_test(struct hpl_reader *r, struct err *e)
{
	uint64_t line = r->line;

	if (!line)
		return ERR_OK;
	r->line = 0;
	r->n_unchecked += !r->checked;
	r->n_failed += r->failed;
	foreign_table_put(r->out, "status", r->failed ? "failed" : "ok");
	return foreign_table_end_row(r->out, line, e);
}

static enum err_code begin_test(struct hpl_reader *r, const struct foreign_line *line,
				const struct blank_field *f, size_t n, struct err *e)
{
	enum err_code rc = end_test(r, e);

	if (rc)
		return rc;
	if (n != N_HPL_FIELDS)
		return foreign_table_refuse_row(r->out, line->number, "not a whole line of results",
						"a line of results has T/V, N, NB, P, Q, Time and "
						"Gflops: was the file cut off?",
						line->text, e);
	for (size_t i = 1; i < N_HPL_FIELDS; i++)
		foreign_table_put_n(r->out, result_column[i], f[i].at, f[i].len);
	put_tag(r->out, &f[0]);
	r->line = line->number;
	r->checked = r->failed = false;
	return ERR_OK;
}

/* "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   2.22e-03 ...... PASSED"; before HPL 2.0
 * there are three of them. */
static void take_residual(struct hpl_reader *r, const char *line)
{
	const char *dots = strstr(line, "......");

	if (!r->line || strncmp(line, "||Ax-b||", 8) != 0 || !dots)
		return;
	r->checked |= strstr(dots, "PASSED") || strstr(dots, "FAILED");
	r->failed |= strstr(dots, "FAILED") != NULL;
}

static enum err_code take_line(struct hpl_reader *r, const struct foreign_line *line, struct err *e)
{
	struct blank_field f[N_HPL_FIELDS];
	size_t n = blank_fields(line->text, f, N_HPL_FIELDS);

	if (n > 0 && is_tag(&f[0]))
		return begin_test(r, line, f, n, e);
	take_residual(r, line->text + strspn(line->text, " \t"));
	r->n_no_memory += strstr(line->text, "Memory allocation failed for A, x and b") != NULL;
	return ERR_OK;
}

static void put_notes(const struct hpl_reader *r)
{
	foreign_table_note_count(r->out, "tests whose residual failed, taken as failed",
				 r->n_failed);
	foreign_table_note_count(r->out, "tests without a residual check", r->n_unchecked);
	foreign_table_note_count(
		r->out, "tests skipped as memory was short, of which HPL does not say the size",
		r->n_no_memory);
}

static enum err_code hpl_read(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct hpl_reader r = {.out = out};
	struct foreign_line line;
	enum err_code rc;

	make_columns(out);
	while (!(rc = foreign_input_line(in, &line, e)) && line.text) {
		if (is_header(line.text) && foreign_table_n_rows(out) == 0)
			foreign_table_set_header_line(out, line.number);
		if ((rc = take_line(&r, &line, e)))
			return rc;
	}
	if (!rc && !(rc = end_test(&r, e)))
		put_notes(&r);
	return rc;
}

const struct foreign_format format_hpl = {
	.name = "hpl",
	.title = "output of HPL (High-Performance Linpack)",
	.recognise = hpl_recognise,
	.read = hpl_read,
};
