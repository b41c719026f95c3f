#ifndef TUNE_CHECK_H
#define TUNE_CHECK_H

/* Checks of the tests that run under mpirun. Every process checks; failures are added up. */

#include "tune/lemnos_tune.h"

struct checks {
	int rank, size;
	int quick; /* a few cases only: processes that wait actively share processors */
	long passed, failed, unavailable;
};

/* A check with what is checked as a sentence (printf). The first failures of a process are told. */
void check(struct checks *c, int ok, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* LTUNE_OK, or what e says is told. */
void check_ok(struct checks *c, enum ltune_code rc, const struct ltune_error *e, const char *what);
/* The error that is wanted; e->message holds `says`. e is cleared. */
void check_refused(struct checks *c, enum ltune_code got, enum ltune_code wanted,
		   struct ltune_error *e, const char *says);

/* A Cartesian communicator of all processes. */
MPI_Comm cart(int ndims, const int *periodic, int *grid);

/* A clock that is wound by the functions of a test: *(double *)clock_data. */
double wound_clock(void *clock_data);

void test_exchange(struct checks *c);
void test_collectives(struct checks *c);
void test_objects(struct checks *c);
void test_requests(struct checks *c);
void test_histories(struct checks *c);
void test_allocations(struct checks *c);

#endif
