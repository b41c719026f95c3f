#include "ingest/formats/foreign_format.h"

#include <stdlib.h>
#include <string.h>

/* What the OSU micro-benchmarks print. osu_latency sends a message there and one of the same size
 * back, and prints half of the time: the one-way latency. Its other tests time something else than
 * a round trip. Source: OSU Micro-Benchmarks 7.5, c/mpi/pt2pt/standard/osu_latency.c, where the
 * value is t_total * 1e6 / (2 * iterations). */

enum osu_section { NO_SECTION, LATENCY, OTHER_TEST };

struct osu_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	enum osu_section section;
	char test[60]; /* the first that is not osu_latency */
	bool microseconds;
};

/* "# OSU MPI Latency Test v7.5", "# OSU MPI-CUDA Latency Test v5.6": what follows the # . */
static bool is_latency(const char *title)
{
	const char *p = title;

	if (strncmp(p, "OSU MPI", 7) != 0)
		return false;
	p += 7;
	if (*p == '-')
		p += strcspn(p, " ");
	return strncmp(p, " Latency Test", strlen(" Latency Test")) == 0;
}

/* The text behind "# OSU"; NULL: the line is no title. */
static const char *title_of(const char *line)
{
	if (*line != '#')
		return NULL;
	line++;
	line += strspn(line, " \t");
	return strncmp(line, "OSU ", 4) == 0 ? line : NULL;
}

/* A title, and below it, behind further comments, a size and a value: a CSV table may have kept the
 * title as a comment. */
static bool osu_recognise(const char *head, size_t n, bool whole)
{
	bool titled = false;
	char line[256];

	for (const char *p = head; *p;) {
		size_t len = strcspn(p, "\r\n");
		struct blank_field f[2];
		double x;

		if (p + len == head + n && !whole)
			return false;
		titled |= title_of(p) != NULL;
		if (titled && *p != '#' && len > 0) {
			memcpy(line, p, len < sizeof line ? len : sizeof line - 1);
			line[len < sizeof line ? len : sizeof line - 1] = '\0';
			return blank_fields(line, f, 2) >= 2 && blank_field_number(&f[0], &x) &&
			       blank_field_number(&f[1], &x);
		}
		p += len;
		p += strspn(p, "\r\n");
	}
	return titled;
}

static void begin_section(struct osu_reader *r, const char *title)
{
	r->section = is_latency(title) ? LATENCY : OTHER_TEST;
	r->microseconds = false;
	if (r->section == OTHER_TEST && !*r->test) {
		size_t n = strlen(title) < sizeof r->test ? strlen(title) : sizeof r->test - 1;

		memcpy(r->test, title, n);
		r->test[n] = '\0';
	}
}

/* "# Size          Latency (us)", "# Size       Avg Latency(us)" */
static bool is_header(const char *line)
{
	return *line == '#' && strstr(line, "Size") && strstr(line, "Latency");
}

static enum err_code take_row(struct osu_reader *r, const struct foreign_line *line, struct err *e)
{
	struct blank_field f[2];
	double bytes, latency_us;
	size_t n = blank_fields(line->text, f, 2);

	if (n == 0 || !blank_field_number(&f[0], &bytes))
		return ERR_OK; /* what mpirun says in between */
	if (n < 2 || !blank_field_number(&f[1], &latency_us))
		return foreign_input_fault(r->in, line->number, e,
					   "a size without a latency: was the file cut off?");
	if (!r->microseconds)
		return foreign_input_fault(r->in, line->number, e,
					   "no header '# Size Latency (us)' above says the unit");
	foreign_table_put_n(r->out, "message_bytes", f[0].at, f[0].len);
	foreign_table_put_number(r->out, "roundtrip_us", 2 * latency_us);
	return foreign_table_end_row(r->out, line->number, e);
}

static enum err_code take_line(struct osu_reader *r, const struct foreign_line *line, struct err *e)
{
	const char *title = title_of(line->text);

	if (title)
		begin_section(r, title);
	else if (r->section == LATENCY && is_header(line->text))
		r->microseconds = strstr(line->text, "(us)") != NULL;
	else if (r->section == LATENCY && *line->text != '#')
		return take_row(r, line, e);
	return ERR_OK;
}

static enum err_code osu_read(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct osu_reader r = {.in = in, .out = out};
	struct foreign_line line;
	enum err_code rc;

	while (!(rc = foreign_input_line(in, &line, e)) && line.text) {
		if ((rc = take_line(&r, &line, e)))
			return rc;
	}
	if (!rc && foreign_table_n_rows(out) == 0 && *r.test)
		rc = err_set(e, ERR_PARSE,
			     "%s: '%s' times no round trip of one message; osu_latency does",
			     foreign_input_name(in), r.test);
	return rc;
}

const struct foreign_format format_osu = {
	.name = "osu",
	.title = "output of the OSU micro-benchmarks",
	.recognise = osu_recognise,
	.read = osu_read,
	.is_pingpong = true,
};
