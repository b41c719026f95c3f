#ifndef API_MESSAGE_STUDIES_H
#define API_MESSAGE_STUDIES_H
#include <stdbool.h>
#include <stddef.h>
#include "api/model_question.h"
#include "api/session.h"
#include "base/err.h"
#include "models/collective_cost.h"
#include "models/transfer_state.h"

/* Studies of files of message times: a ping-pong beside the cost of messages that a model works
 * with, the states of a network, the law of a collective operation. */

/* One size; measured_s NaN where it was not measured. */
struct study_point {
	double bytes, measured_s;
	size_t n; /* measurements, of which the median is taken */
};

struct message_study {
	struct study_point *point; /* by ascending size, each once */
	size_t n;
	bool measured;
};

/* The ping-pong of a file (path NULL: what the base knows of the machine of q); without any, sizes
 * at which the cost of q->remote is worth a look. Errors: those of pingpong_read(), kb, NOMEM. */
enum err_code message_study_read(struct session *session, const struct model_question *q,
				 const char *path, struct message_study *out, struct err *e);
void message_study_release(struct message_study *s);

/* From the ping-pong of a file. Errors: those of pingpong_read() and transfer_states_find(). */
enum err_code transfer_states_read(const char *path, double ideal_share, const struct progress *p,
				   struct transfer_states *out, struct err *e);

/* From a table with the bytes of a message, the number of nodes and the time. Errors: those of
 * number_table_read() and collective_fit_find(). */
enum err_code collective_fit_read(const char *path, struct collective_fit *out, struct err *e);
/* r(n) [bytes/s]; NaN: the time does not grow with the bytes. */
double collective_line_rate(const struct collective_line *line);

#endif
