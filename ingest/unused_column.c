#include "ingest/unused_column.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"
#include "ingest/header_kin.h"
#include "ingest/table_style.h"

enum {
	MAX_ROWS = 20000,
	ROUNDS = 40,
	LEAST_FREEDOM = 3,
	LEAST_REPEATED = 4,
	NO_LEVEL = UNUSED_LEVELS_MAX
};

#define LEAST_RATIO 1.1
#define LEAST_SHARE 0.5
#define LEAST_F 20.0 /* with LEAST_FREEDOM: p < 0.02, with 10: 0.001 */

struct unused_candidate {
	struct unused_column found;
	char level[UNUSED_LEVELS_MAX][UNUSED_TEXT_MAX];
	size_t n_levels; /* UNUSED_LEVELS_MAX + 1: too many */
	uint64_t n_words, n_others;
};

struct seen_row {
	uint64_t configuration;
	double log_s;
	size_t i; /* of its levels */
};

struct unused_search {
	struct unused_candidate *candidate;
	size_t n_candidates;
	bool *is_setting; /* by column: part of the configuration */
	size_t i_time;
	struct seen_row *row;
	unsigned char *level; /* of each row, n_candidates */
	size_t n_rows;
};

/* ---- reading ---- */

/* "gpu" of "gpu012.cluster": the nodes of one kind are called alike. */
static void level_of(const struct unused_candidate *c, const char *text, char *out)
{
	size_t n = strnlen(text, UNUSED_TEXT_MAX - 1);

	if (c->found.personal)
		n = strcspn(text, "0123456789.-,[");
	if (n > UNUSED_TEXT_MAX - 1)
		n = UNUSED_TEXT_MAX - 1;
	memcpy(out, text, n);
	out[n] = '\0';
}

static size_t find_level(struct unused_candidate *c, const char *text)
{
	char level[UNUSED_TEXT_MAX];

	level_of(c, text, level);
	for (size_t l = 0; l < c->n_levels && l < UNUSED_LEVELS_MAX; l++) {
		if (strcmp(c->level[l], level) == 0)
			return l;
	}
	if (c->n_levels >= UNUSED_LEVELS_MAX) {
		c->n_levels = UNUSED_LEVELS_MAX + 1;
		return NO_LEVEL;
	}
	strcpy(c->level[c->n_levels], level);
	return c->n_levels++;
}

/* FNV-1a */
static uint64_t hash_cell(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return (h ^ 0xff) * UINT64_C(1099511628211);
}

static bool read_time(const char *text, double *out)
{
	static const struct number_style comma = {',', true};

	return (cell_number(text, out) == NUMBER_OK ||
		cell_number_in(comma, text, out) == NUMBER_OK ||
		cell_clock(text, CLOCK_HMS, '.', out) == CLOCK_OK) &&
	       *out > 0 && isfinite(*out);
}

static void look_at(struct unused_search *s, const struct table_record *rec)
{
	struct seen_row *row = &s->row[s->n_rows];
	double took;

	if (!read_time(rec->field[s->i_time], &took))
		return;
	*row = (struct seen_row){UINT64_C(14695981039346656037), log(took), s->n_rows};
	for (size_t i = 0; i < rec->n_fields; i++) {
		if (s->is_setting[i])
			row->configuration = hash_cell(row->configuration, rec->field[i]);
	}
	for (size_t k = 0; k < s->n_candidates; k++) {
		struct unused_candidate *c = &s->candidate[k];
		const char *text = rec->field[c->found.i];
		const bool missing = cell_is_missing(text);

		c->n_words += word_is_word(text);
		c->n_others += !missing && !word_is_word(text);
		s->level[s->n_rows * s->n_candidates + k] =
			(unsigned char)(missing ? NO_LEVEL : find_level(c, text));
	}
	s->n_rows++;
}

/* ---- what a column explains ---- */

static int by_configuration(const void *a, const void *b)
{
	const struct seen_row *x = a, *y = b;

	if (x->configuration != y->configuration)
		return x->configuration < y->configuration ? -1 : 1;
	return x->i < y->i ? -1 : 1;
}

static size_t level_at(const struct unused_search *s, size_t k, size_t i)
{
	return s->level[s->row[i].i * s->n_candidates + k];
}

/* One round of backfitting: means of the configurations, then effect[] of the levels. Returns the
 * sum of squares before it; *n, *n_groups: rows that have a level, configurations with such. */
static double backfit(const struct unused_search *s, size_t k, double *effect, size_t *n,
		      size_t *n_groups)
{
	double sum[UNUSED_LEVELS_MAX + 1] = {0}, count[UNUSED_LEVELS_MAX + 1] = {0}, rss = 0;

	*n = *n_groups = 0;
	for (size_t from = 0, to; from < s->n_rows; from = to) {
		double mean = 0, in_group = 0;

		for (to = from;
		     to < s->n_rows && s->row[to].configuration == s->row[from].configuration;
		     to++) {
			const size_t l = level_at(s, k, to);

			if (l == NO_LEVEL)
				continue;
			mean += s->row[to].log_s - effect[l];
			in_group++;
		}
		if (in_group == 0)
			continue;
		mean /= in_group;
		*n += (size_t)in_group;
		++*n_groups;
		for (size_t i = from; i < to; i++) {
			const size_t l = level_at(s, k, i);
			const double left = s->row[i].log_s - mean;

			if (l == NO_LEVEL)
				continue;
			rss += (left - effect[l]) * (left - effect[l]);
			sum[l] += left;
			count[l]++;
		}
	}
	for (size_t l = 0; l < UNUSED_LEVELS_MAX; l++)
		effect[l] = count[l] > 0 ? sum[l] / count[l] : 0;
	return rss;
}

/* Are there configurations that were run with several levels? */
static bool is_compared(const struct unused_search *s, size_t k)
{
	for (size_t i = 1; i < s->n_rows; i++) {
		if (s->row[i].configuration == s->row[i - 1].configuration &&
		    level_at(s, k, i) != level_at(s, k, i - 1))
			return true;
	}
	return false;
}

/* The share of what runs of the same configuration differ by that the column explains; 0: too
 * little, or no more than chance. */
static double share_explained(struct unused_search *s, size_t k)
{
	struct unused_candidate *c = &s->candidate[k];
	double effect[UNUSED_LEVELS_MAX + 1] = {0}, before, after, df;
	size_t n, n_groups, slow = 0, fast = 0;

	before = after = backfit(s, k, effect, &n, &n_groups);
	for (int round = 0; round < ROUNDS; round++)
		after = backfit(s, k, effect, &n, &n_groups);
	for (size_t l = 1; l < c->n_levels; l++) {
		slow = effect[l] > effect[slow] ? l : slow;
		fast = effect[l] < effect[fast] ? l : fast;
	}
	df = (double)n - (double)n_groups - (double)(c->n_levels - 1);
	c->found.ratio = exp(effect[slow] - effect[fast]);
	strcpy(c->found.slow, c->level[slow]);
	strcpy(c->found.fast, c->level[fast]);
	if (df < LEAST_FREEDOM || c->found.ratio < LEAST_RATIO ||
	    before - after < LEAST_SHARE * before ||
	    (before - after) / (double)(c->n_levels - 1) < LEAST_F * after / df)
		return 0;
	return (before - after) / before;
}

/* Words for kinds of nodes, and for places where they stand. */
static bool is_kind_of_node(const char *header)
{
	static const char *const word[] = {
		"node_type", "nodetype",  "partition",	"queue",	"arch",
		"cpu",	     "cpu_type",  "cpu_model",	"processor",	"architecture",
		"gpu_type",  "gpu_model", "instance",	"hardware",	"instance_type",
		"hw",	     "computer",  "constraint", "site",		"supercomputer",
		"server",    "node type", "host_type",	"device",	"hpc_system",
		"centre",    "center",	  "network",	"interconnect", NULL};

	return field_kind_of_header(header) == FIELD_MACHINE || text_list_has(word, header);
}

static bool has_levels(const struct unused_candidate *c)
{
	return c->n_levels >= 2 && c->n_levels <= UNUSED_LEVELS_MAX;
}

/* That is read elsewhere: see run_outcome.h. */
static bool says_how_runs_ended(const struct unused_candidate *c)
{
	for (size_t l = 0; l < c->n_levels && l < UNUSED_LEVELS_MAX; l++) {
		const int status = status_from_word(c->level[l]);

		if (strlen(c->level[l]) > 2 && (status == RUN_FAILED || status == RUN_TIMEOUT))
			return true;
	}
	return false;
}

static bool are_circumstances(const struct text_table *t, const struct unused_candidate *c)
{
	if (field_is_circumstance(text_table_column(t, c->found.i)))
		return true;
	for (size_t l = 0; l < c->n_levels && l < UNUSED_LEVELS_MAX; l++) {
		if (!word_is_circumstance(c->level[l]))
			return false;
	}
	return has_levels(c);
}

/* Are there four runs of each level or more, none of which is a date or a number? */
static bool is_repeated(const struct unused_search *s, size_t k)
{
	size_t count[UNUSED_LEVELS_MAX + 1] = {0};
	const struct unused_candidate *c = &s->candidate[k];

	for (size_t i = 0; i < s->n_rows; i++)
		count[level_at(s, k, i)]++;
	for (size_t l = 0; l < c->n_levels; l++) {
		if (count[l] < LEAST_REPEATED || (*c->level[l] >= '0' && *c->level[l] <= '9'))
			return false;
	}
	return true;
}

/* What was found is part of the configuration from now on. */
static void take(struct unused_search *s, size_t k, struct unused_column *out, size_t *n)
{
	struct unused_candidate *c = &s->candidate[k];

	out[(*n)++] = c->found;
	c->n_levels = 0;
	if (c->found.untold)
		return;
	for (size_t i = 0; i < s->n_rows; i++) {
		const size_t l = level_at(s, k, i);

		s->row[i].configuration =
			hash_cell(s->row[i].configuration, l == NO_LEVEL ? "" : c->level[l]);
	}
	qsort(s->row, s->n_rows, sizeof *s->row, by_configuration);
}

/* The column that explains most, and then, of what is left, the next. Where nothing can be compared
 * a name may tell. */
static void find_all(struct unused_search *s, const struct text_table *t, struct unused_column *out,
		     size_t *n)
{
	qsort(s->row, s->n_rows, sizeof *s->row, by_configuration);
	for (size_t k = 0; k < s->n_candidates; k++) {
		struct unused_candidate *c = &s->candidate[k];

		c->found.words = c->n_words > c->n_others;
		c->found.circumstance = are_circumstances(t, c);
		if (says_how_runs_ended(c))
			c->n_levels = 0;
		if (!has_levels(c) || is_compared(s, k))
			continue;
		c->found.ratio = (double)NAN;
		strcpy(c->found.slow, c->level[0]);
		strcpy(c->found.fast, c->level[1]);
		c->found.untold =
			!c->found.personal && !is_kind_of_node(text_table_column(t, c->found.i));
		if (c->found.personal ||
		    (c->found.words && (!c->found.untold || is_repeated(s, k))))
			take(s, k, out, n);
	}
	for (;;) {
		size_t best = SIZE_MAX;
		double most = 0;

		for (size_t k = 0; k < s->n_candidates; k++) {
			const double share =
				has_levels(&s->candidate[k]) ? share_explained(s, k) : 0;

			/* of equals one that can be used */
			if (share > most + (s->candidate[k].found.personal ? 1e-9 : 0)) {
				most = share;
				best = k;
			}
		}
		if (best == SIZE_MAX)
			return;
		take(s, best, out, n);
	}
}

/* ---- the table ---- */

static enum err_code allocate(struct unused_search *s, const struct text_table *t,
			      enum column_part (*part)(const void *, size_t), const void *arg,
			      struct err *e)
{
	const size_t n = text_table_n_columns(t);

	s->candidate = calloc(n + 1, sizeof *s->candidate);
	s->is_setting = calloc(n + 1, sizeof *s->is_setting);
	s->row = calloc(MAX_ROWS, sizeof *s->row);
	if (!s->candidate || !s->is_setting || !s->row)
		return err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(t), n);
	for (size_t i = 0; i < n; i++) {
		const char *header = text_table_column(t, i);
		const bool personal = field_is_personal(header);
		const enum column_part is = part(arg, i);

		s->is_setting[i] = is == PART_SETTING;
		if (is == PART_TIME)
			s->i_time = i;
		if (!*header || is != PART_UNUSED || (personal && !field_is_host(header)))
			continue;
		s->candidate[s->n_candidates++].found =
			(struct unused_column){.i = i, .personal = personal};
	}
	s->level = calloc(MAX_ROWS * s->n_candidates + 1, sizeof *s->level);
	return s->level ? ERR_OK : err_set(e, ERR_NOMEM, "%s: its rows", text_table_name(t));
}

static enum err_code read_rows(struct unused_search *s, struct text_table *t, struct err *e)
{
	struct table_record rec;
	enum err_code rc = text_table_rewind(t, e);

	while (!rc && s->n_rows < MAX_ROWS && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		if (!rec.bad)
			look_at(s, &rec);
	}
	return rc ? rc : text_table_rewind(t, e);
}

enum err_code unused_columns_find(struct text_table *t,
				  enum column_part (*part)(const void *arg, size_t i),
				  const void *arg, struct unused_column **out, size_t *n,
				  struct err *e)
{
	struct unused_search s = {.i_time = SIZE_MAX};
	enum err_code rc = ERR_OK;

	*out = NULL;
	*n = 0;
	if ((rc = allocate(&s, t, part, arg, e)) || s.i_time == SIZE_MAX || s.n_candidates == 0 ||
	    (rc = read_rows(&s, t, e)))
		goto done;
	if ((*out = calloc(s.n_candidates, sizeof **out)))
		find_all(&s, t, *out, n);
	else
		rc = err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(t), s.n_candidates);
done:
	free(s.candidate);
	free(s.is_setting);
	free(s.row);
	free(s.level);
	return rc;
}

/* ---- in words ---- */

static const char untold[] =
	"', and no configuration was run with both, so that nothing tells whether it matters";

void unused_column_drop_untold(struct strbuf *notes, const char *header)
{
	struct strbuf before = STRBUF_INIT;
	char *line = notes->buf, *end;

	text_put_safe(&before, header, false);
	strbuf_puts(&before, ": '");
	for (; line && *line && !before.failed && !notes->failed; line = end) {
		const char *said = strstr(line, untold);

		end = line + strcspn(line, "\n");
		end += *end == '\n';
		if (strncmp(line, before.buf, before.len) != 0 || !said || said > end)
			continue;
		notes->len -= (size_t)(end - line);
		memmove(line, end, strlen(end) + 1);
		break;
	}
	strbuf_release(&before);
}

/* "queue: runs of the same configuration take x3 as long with 'old' as with 'new': ..." */
void unused_column_put_note(const struct unused_column *c, const char *header, bool taken,
			    const struct application *known, struct strbuf *notes)
{
	const bool defined = known && !known->ad_hoc; /* flags of new applications are refused */

	text_put_safe(notes, header, false);
	strbuf_puts(notes, isnan(c->ratio) ? ": '" : ": runs of the same configuration take ");
	if (!isnan(c->ratio))
		strbuf_printf(notes, "x%.3g as long with '", c->ratio);
	text_put_safe(notes, c->slow, false);
	strbuf_puts(notes, isnan(c->ratio) ? "' and '" : "' as with '");
	text_put_safe(notes, c->fast, false);
	if (c->personal) {
		strbuf_printf(notes,
			      "': two kinds of node? It is not used: make a column of the kind, "
			      "and name it in %s\n",
			      defined ? "the definition" : "--tunable");
	} else if (field_kind_of_header(header) == FIELD_MACHINE) {
		strbuf_puts(notes, "', and --machine makes one of them: without it each is a "
				   "machine of its own\n");
	} else if (c->untold) {
		strbuf_printf(notes, "%s. It is not used: %s names it\n", untold,
			      defined ? "a tunable of the definition" : "--tunable");
	} else if (c->circumstance) {
		strbuf_puts(notes, "', and no submission can ask for either. It is not used: "
				   "predictions are of both\n");
	} else if (taken) {
		strbuf_puts(notes, "': taken as a tunable (");
		header_kin_put_map(header, "extra", notes);
		strbuf_puts(notes, " if it makes no difference)\n");
	} else if (header_kin_resource(header, true) && c->words) {
		strbuf_puts(notes, "', and it is not used: as numbers it would be a resource\n");
	} else if (header_kin_resource(header, true)) {
		strbuf_printf(notes,
			      "', and it is not used: as a resource it is named by "
			      "--resource %.60s=%s, of a new application\n",
			      header, header_kin_resource(header, true));
	} else if (defined) {
		strbuf_printf(notes,
			      "', and it is not used: a tunable or problem column of its name in "
			      "the definition makes it one (lemnos apps show %s --definition), "
			      "else keep such runs apart (--machine)\n",
			      known->name);
	} else {
		strbuf_puts(notes, "', and it is not used: name it in --tunable or --problem of a "
				   "new application, or keep such runs apart\n");
	}
}
