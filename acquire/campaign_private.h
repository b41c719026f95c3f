#ifndef ACQUIRE_CAMPAIGN_PRIVATE_H
#define ACQUIRE_CAMPAIGN_PRIVATE_H
#include <sys/types.h>
#include "acquire/campaign.h"
#include "acquire/supervised_run.h"

/* What campaign.c is made of. */

/* "2026-11-23T03:04:05Z", the caller's; NULL: no memory. */
char *campaign_utc(int64_t at_s);

/* The folder of an attempt at a run: ROOT/0007.1 */
void campaign_put_run_folder(const char *root, const struct kb_campaign_run *run,
			     struct strbuf *out);

/* ---- launching (campaign_launch.c) ---- */

/* One attempt at a run, on its way. */
struct campaign_launch {
	const struct campaign_target *target;
	const struct kb_campaign *record;
	struct kb_campaign_run
		*run; /* attempt, limit and started_at are set; job comes from here */
	const double *row;
	const char *folder; /* of the attempt */
	const struct progress *progress;
	struct kb *kb;
};
/* Before they are started: what the base knows of those that will share jobs, as long as nobody has
 * heard the jobs' numbers. Errors: NOMEM. */
enum err_code campaign_launch_name(const struct campaign_launch *l, size_t n, struct err *e);
/* n > 1: of Slurm only, which need the same of the machine (campaign_slurm_alike()); in jobs of the
 * plan's runs_per_job each, in one array where those are several. Errors: NOTFOUND, IO (it cannot
 * be started), ARG (no command can be made of the configuration), NOMEM; PARSE: Slurm gave no
 * answer. *pid: a child to be waited for; 0: none. */
enum err_code campaign_launch_start(const struct campaign_launch *l, size_t n, pid_t *pid,
				    struct err *e);
/* What became of an attempt. */
struct campaign_sight {
	enum supervised_state state;
	bool unreached;		   /* NEVER: its job has ended and had not come to it */
	struct supervised_end end; /* if it ended */
};
/* Of n attempts of one campaign, sight[n]. Where Slurm does not answer they are UNKNOWN, and
 * *silence has its words; code 0: it answered. Errors: NOTFOUND (there is no Slurm here), IO, those
 * of kb, NOMEM. */
enum err_code campaign_launch_look(const struct campaign_launch *l, size_t n,
				   struct campaign_sight *sight, struct err *silence,
				   struct err *e);
/* End it. Of Slurm: the job is told to end, with all runs of it and of its array, which takes it a
 * while. Errors: IO (it may run on),
 * NOTFOUND, NOMEM. */
enum err_code campaign_launch_stop(const struct campaign_launch *l, struct err *e);
/* The command as people would type it, words quoted. Errors: as start. */
enum err_code campaign_launch_put(const struct campaign_launch *l, struct strbuf *out,
				  struct err *e);

/* Words in one line, quoted for a shell. */
void campaign_put_words(const struct word_list *words, struct strbuf *out);

/* What is run, and its environment. */
struct expanded_command {
	struct word_list argv;	    /* of Slurm and SMPI the program and its arguments */
	struct word_list variables; /* NAME=TEXT */
};

/* Names and starts runs that are jobs of Slurm (campaign_slurm.c). */
enum err_code campaign_slurm_name(const struct campaign_launch *l, size_t n, struct err *e);
enum err_code campaign_slurm_start(const struct campaign_launch *l,
				   const struct expanded_command *command, size_t n, struct err *e);
/* May two configurations run in one allocation? */
bool campaign_slurm_alike(const struct campaign_target *t, const double *a, const double *b);
enum err_code campaign_slurm_look(const struct campaign_launch *l, size_t n,
				  struct campaign_sight *sight, struct err *silence, struct err *e);
enum err_code campaign_slurm_stop(const struct campaign_launch *l, struct err *e);

/* ---- outcomes (campaign_outcome.c) ---- */

/* What is kept with every run of a campaign beside its configuration. */
struct campaign_origin {
	const struct campaign_target *target;
	const struct kb_campaign *record;
	struct strbuf host, system, processor, version;
	const char *lemnos;
};
/* The version command of the plan is run here. Errors: NOTFOUND, IO (it cannot be), NOMEM. */
enum err_code campaign_origin_read(struct campaign_origin *o, const char *folder,
				   const struct progress *p, struct err *e);
void campaign_origin_release(struct campaign_origin *o);

/* The run ended: read its result, import it and mark the run, in one transaction. run gets its
 * state and all else. Errors: those of kb and of ingest_file() but PARSE, which refuses the run. */
enum err_code campaign_outcome_store(struct kb *kb, const struct campaign_origin *o,
				     const struct campaign_launch *l,
				     const struct supervised_end *end, struct err *e);

#endif
