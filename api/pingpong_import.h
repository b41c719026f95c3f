#ifndef API_PINGPONG_IMPORT_H
#define API_PINGPONG_IMPORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"
#include "mining/messages/message_fit.h"
#include "mining/messages/overhead_fit.h"

struct pingpong_import {
	int64_t import_id; /* the new import, or the earlier one of the same content */
	int64_t n_rows;
	bool known; /* the file was imported before: nothing was added */
};

/* A ping-pong file that was read: the base need not be locked meanwhile, which may take long (a
 * pipe). */
struct pingpong_file {
	const char *path; /* the caller's */
	struct kb_pingpong rows;
	char sha256[65];
};

/* p and errors: as for pingpong_read(). */
enum err_code pingpong_file_read(const char *path, const struct progress *p,
				 struct pingpong_file *out, struct err *e);
void pingpong_file_release(struct pingpong_file *f);

/* Keep its rows as facts about a machine. Only facts: the costs are fitted by `calibrate` and
 * `mine`. Inside kb_begin(), or somebody else may bring the same file between look and import. */
enum err_code pingpong_import(struct kb *kb, const struct pingpong_file *f, int64_t machine_id,
			      const char *machine, struct pingpong_import *out, struct err *e);
/* In a transaction of its own; a file that is known already takes no lock. */
enum err_code pingpong_import_alone(struct kb *kb, const struct pingpong_file *f,
				    int64_t machine_id, const char *machine,
				    struct pingpong_import *out, struct err *e);

/* Output of kernels/pingpong: round trips and calls of pairs on one node and on two. */

/* Median of one size. */
struct pingpong_point {
	double bytes, one_way_s, send_s, receive_s;
};

/* Of all pairs of one kind. */
struct message_place {
	struct pingpong_file file; /* its round trips, as facts */
	struct message_call *call; /* [file.rows.n], of the same rows */
	struct pingpong_point *point;
	size_t n_point;
	struct message_fit fit;
	struct overhead_fit calls;
};

struct pingpong_measured {
	struct message_place inside, between; /* file.rows.n 0: no such pair was measured */
	int64_t cores;			      /* of a node; 0: not known */
	double memory_bytes;		      /* likewise */
	bool simulated;			      /* by SMPI */
};

/* Read the file and fit both kinds. Errors: those of number_table_read(), PARSE (no row; nodes of
 * different size are no error: the smallest counts), those of message_fit(). *out must be released
 * in any case. */
enum err_code pingpong_measured_read(const char *path, struct pingpong_measured *out,
				     struct err *e);
void pingpong_measured_release(struct pingpong_measured *m);

#endif
