#ifndef DOMAIN_CAMPAIGN_PLAN_H
#define DOMAIN_CAMPAIGN_PLAN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/objective.h"
#include "base/strbuf.h"

/* The plan of a measurement campaign, as people write it: docs/man/lemnos-campaign.5. This is the
 * text alone; what its names mean in an application is campaign_space.h. */

/* A text of the plan and its line, for messages. */
struct plan_text {
	char *text; /* NULL: not given */
	unsigned line;
};

/* Levels of one column, of a group of columns (grid), or of the whole problem ("problem"). */
struct plan_factor {
	char *column;
	char **level; /* as written; of a range one: "8..64*2" */
	size_t n_levels;
	unsigned line;
};

enum plan_design { PLAN_FULL, PLAN_FRACTIONAL, PLAN_LATIN_HYPERCUBE, PLAN_ADAPTIVE, PLAN_DESIGNS };
const char *plan_design_name(int design); /* "full", ... */

enum plan_launcher { PLAN_LOCAL, PLAN_MPIRUN, PLAN_COMMAND, PLAN_SLURM, PLAN_SMPI, PLAN_LAUNCHERS };

enum plan_result {
	PLAN_WALL,  /* the time of the command itself */
	PLAN_REGEX, /* the last match of a pattern with one group */
	PLAN_CSV,   /* a column below a header that has it, in the last line */
	PLAN_LINE,  /* a field of the last line that starts so */
	PLAN_RESULTS
};

/* A question whose answer the adaptive design is to improve. */
struct plan_question {
	char *problem;
	double deadline_s; /* INFINITY: none */
	enum objective objective;
	double weight;
	unsigned line;
};

/* A list of texts, one of each argument; n = 0: not given. */
struct plan_words {
	char **word;
	size_t n;
	unsigned line;
};

struct campaign_plan {
	char *origin; /* names the text in messages */
	char *text;   /* all of it */
	char sha256[65];

	char *name;
	char *application, *machine;
	struct plan_factor *factor;
	size_t n_factors;
	struct plan_text problem, constants; /* "50x50x50", "mk=5,grid=2x2" */
	struct plan_words constraints;
	int64_t repeats;
	struct {
		int64_t runs;	   /* 0: no limit */
		double node_hours; /* likewise */
		double wall_s;	   /* likewise, of all runs together */
	} budget;
	struct {
		enum plan_design kind;
		int64_t size;		/* configurations; 0: as the kind has it */
		int64_t initial, batch; /* adaptive, configurations; 0: a default */
		unsigned line;
	} design;
	struct plan_question *question;
	size_t n_questions;
	uint64_t seed;

	struct plan_words command; /* the program and its arguments, with places {mk} */
	struct plan_words version; /* a command whose first line of output is kept with the runs */
	struct plan_words keep;	   /* names of environment variables kept with the runs */
	struct plan_words set;	   /* NAME=TEXT: variables that the program gets, with places */
	struct {
		enum plan_launcher kind;
		struct plan_words with;	   /* command: put before the program, with places */
		struct plan_words options; /* mpirun, slurm: further options */
		int64_t in_flight;	   /* slurm: jobs at a time */
		int64_t runs_per_job;	   /* slurm: one after another in an allocation */
		int64_t array;	  /* slurm: jobs that are submitted as one array; 1: none */
		double cpu_scale; /* smpi: computation measured, times this; 0: it takes no time */
		unsigned line;
	} launcher;
	struct {
		enum plan_result kind;
		struct plan_text pattern; /* regex: with one group; line: how it starts */
		char *column;		  /* csv */
		int64_t field;		  /* line: from 1 */
		double unit_s;
		unsigned line;
	} result;
	struct {
		double quantile; /* of the prediction */
		double factor;	 /* times which a run may take */
		double fixed_s;	 /* where nothing is predicted; 0: no limit then */
		double least_s;	 /* no limit is shorter */
	} timeout;
};

/* Errors: PARSE (file, line, what would be right), NOMEM. */
enum err_code campaign_plan_parse(const char *text, const char *origin, struct campaign_plan **out,
				  struct err *e);
/* Errors: those, NOTFOUND (no such file), IO, INTERRUPTED. */
enum err_code campaign_plan_read(const char *path, struct campaign_plan **out, struct err *e);
void campaign_plan_free(struct campaign_plan *p);

/* What is wrong with a campaign's name, which also names its folder and its jobs; NULL: nothing. */
const char *campaign_name_fault(const char *name);

/* "ORIGIN:LINE: what", an error of what the plan's texts mean. */
enum err_code campaign_plan_fail(const struct campaign_plan *p, unsigned line, enum err_code code,
				 struct err *e, const char *what);

#endif
