#ifndef INGEST_FIXTURE_H
#define INGEST_FIXTURE_H
/* A knowledge base in a folder of its own that knows sweep3d, and imports into it. */
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include "ingest/ingest.h"

#define CSV "tests/fixtures/csv/"

struct scratch {
	char folder[64];
	char path[128];	 /* of the last file that scratch_file() named */
	char given[128]; /* of the last text that given() wrote */
	struct kb *kb;
	struct application *sweep3d;
	int64_t sweep3d_id;
	struct ingest_result result;
	struct err e;
};

static inline char *scratch_file(struct scratch *s, const char *name)
{
	snprintf(s->path, sizeof s->path, "%s/%s", s->folder, name);
	return s->path;
}

static inline void scratch_open(struct scratch *s)
{
	*s = (struct scratch){.folder = "/tmp/lemnos-ingest-XXXXXX"};
	assert_non_null(mkdtemp(s->folder));
	must(kb_open(scratch_file(s, "base.kb"), KB_CREATE, NULL, &s->kb, &err));
	must(application_read("data/applications/sweep3d.conf", &s->sweep3d, &err));
	must(kb_put_application(s->kb, s->sweep3d, &s->sweep3d_id, &err));
}

static inline void scratch_close(struct scratch *s)
{
	char command[128];

	ingest_result_release(&s->result);
	application_free(s->sweep3d);
	kb_close(s->kb);
	snprintf(command, sizeof command, "rm -rf %s", s->folder);
	assert_int_equal(system(command), 0);
}

/* Of one test: *state is a scratch of its own. */
static inline int scratch_set_up(void **state)
{
	struct scratch *s = zeroed(1, sizeof *s);

	scratch_open(s);
	*state = s;
	return 0;
}

static inline int scratch_tear_down(void **state)
{
	scratch_close(*state);
	free(*state);
	return 0;
}

/* Import with the options given; what came of it is in s->result and s->e. */
static inline enum err_code import(struct scratch *s, struct ingest_options o)
{
	ingest_result_release(&s->result);
	s->e = (struct err){0};
	return ingest_file(s->kb, &o, &s->result, &s->e);
}

/* A file "given.csv" of these bytes. */
static inline const char *given_bytes(struct scratch *s, const char *bytes, size_t n)
{
	snprintf(s->given, sizeof s->given, "%s/given.csv", s->folder);
	write_bytes(s->given, bytes, n);
	return s->given;
}

static inline const char *given(struct scratch *s, const char *text)
{
	return given_bytes(s, text, strlen(text));
}

static inline enum err_code import_text(struct scratch *s, const char *text)
{
	return import(s, (struct ingest_options){.path = given(s, text), .source = -1});
}

/* One value of the run table as text; "" is NULL. condition may be NULL. */
struct asked {
	const char *column;
	size_t i_column;
	size_t n_rows;
	char text[8][256];
};

static inline bool note_value(void *arg, size_t n, const char *const *value)
{
	struct asked *a = arg;

	if (a->i_column == SIZE_MAX) {
		for (size_t i = 0; i < n; i++) {
			if (strcmp(value[i], a->column) == 0)
				a->i_column = i;
		}
		assert_true(a->i_column < n);
		return true;
	}
	if (a->n_rows < sizeof a->text / sizeof a->text[0])
		snprintf(a->text[a->n_rows], sizeof a->text[0], "%s",
			 value[a->i_column] ? value[a->i_column] : "");
	a->n_rows++;
	return true;
}

/* A column of all runs of sweep3d, failed ones too, in run order. */
static inline struct asked runs_column(struct scratch *s, const char *column)
{
	const struct kb_filter all = {.all_status = true, .excluded_too = true};
	struct asked a = {.column = column, .i_column = SIZE_MAX};

	must(kb_walk_runs(s->kb, s->sweep3d, &all, note_value, &a, &err));
	return a;
}

static inline int64_t n_runs(struct scratch *s)
{
	return (int64_t)runs_column(s, "run_id").n_rows;
}

static inline void check_contains(const char *text, const char *wanted)
{
	if (!strstr(text, wanted)) {
		print_error("'%s'\n    does not contain\n'%s'\n", text, wanted);
		fail();
	}
}

/* How many rows were refused for this reason (as the summary words it). */
static inline int64_t n_refused_for(const struct scratch *s, const char *reason)
{
	for (size_t i = 0; i < s->result.n_reason; i++) {
		if (strcmp(s->result.reason[i].text, reason) == 0)
			return s->result.reason[i].n;
	}
	for (size_t i = 0; i < s->result.n_reason; i++)
		print_error("reason: %s\n", s->result.reason[i].text);
	return 0;
}

#endif
