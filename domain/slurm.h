#ifndef DOMAIN_SLURM_H
#define DOMAIN_SLURM_H
#include <stddef.h>

/* What a job script for Slurm wants to know of a machine: the group `slurm` of its definition, all
 * of it optional. */
struct slurm {
	char *partition; /* NULL: the cluster's default */
	char *account;	 /* NULL: the user's default */
	char *launcher;	 /* what starts the processes: "srun" unless given */
	char **option;	 /* further directives: "--qos=debug" */
	size_t n_option;
	char **setup; /* shell lines that run first: "module load openmpi" */
	size_t n_setup;
	double startup_s; /* from the job's start to that of the timed part [s]; 60 unless given */
};

#endif
