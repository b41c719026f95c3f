#ifndef DOMAIN_SLURM_WORDS_H
#define DOMAIN_SLURM_WORDS_H
#include <stdbool.h>

/* What Slurm's commands print about a job, for all who read it. Source: squeue(1) and sacct(1) of
 * Slurm 22.05 to 24.11, "JOB STATE CODES". */

/* Slurm has more words: each stands for one of these. */
enum slurm_state {
	SLURM_UNKNOWN, /* Slurm could not be asked, or says a word that we do not know */
	SLURM_PENDING, /* waits, also to be run again */
	SLURM_RUNNING, /* suspended and completing ones as well */
	SLURM_COMPLETED,
	SLURM_FAILED,
	/* Cut at a time that was set before it ran, its limit's or its deadline's (--deadline): the
	 * job would have taken longer than it did. */
	SLURM_TIMEOUT,
	SLURM_OUT_OF_MEMORY,
	SLURM_CANCELLED, /* by somebody, for a reason that we do not know */
	SLURM_NODE_FAIL, /* the machine failed, not the job */
	SLURM_PREEMPTED,
	SLURM_GONE, /* Slurm was asked and knows no such job (any more) */
	SLURM_N_STATES
};

/* "pending", "out-of-memory": ours. */
const char *slurm_state_name(enum slurm_state state);
/* Slurm's word, in any case: "CANCELLED by 1000", and "OUT_OF_ME+" where a column was too narrow,
 * of five letters or more that can only mean one state; UNKNOWN: something else. */
enum slurm_state slurm_state_read(const char *words);
/* It will not change any more: neither unknown, pending nor running. */
bool slurm_state_is_final(enum slurm_state state);

/* "[days-][hours:]minutes:seconds" in seconds, without their fraction; "1-02:03", as people give
 * limits, is days, hours and minutes. NaN: "UNLIMITED", "INVALID", or no such time. Source:
 * sbatch(1), --time; sacct(1), Elapsed. */
double slurm_duration_s(const char *text);
/* "2026-07-11T12:00:07" in seconds since 1970-01-01, of the clock that Slurm printed it by; NaN:
 * "Unknown", "None", or another SLURM_TIME_FORMAT. */
double slurm_date_s(const char *text);
/* "22000K", "1.50G", "4000Mc" in bytes: powers of 1024, as Slurm counts; *per is what is left of
 * the text ("c", "n"). A number without a letter is in unit [bytes]. NaN: no such size. */
double slurm_bytes(const char *text, double unit, const char **per);

#endif
