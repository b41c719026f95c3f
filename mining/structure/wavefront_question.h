#ifndef MINING_WAVEFRONT_QUESTION_H
#define MINING_WAVEFRONT_QUESTION_H
#include "base/err.h"
#include "domain/application.h"
#include "mining/structure/wavefront_time.h"
#include "models/sweep.h"

/* A complete row of a wavefront class in the words of models/sweep.h: *sweep, and iterations,
 * groups and timesteps of *run, whose times are left as they are. Errors: ARG (no such class; a
 * count that is missing or more than the models count to: named). */
enum err_code wavefront_question(const struct application *app, const double *row,
				 struct sweep *sweep, struct sweep_run *run, struct err *e);

/* The same of a class whose columns are bound (wavefront_time_bind()), for many rows. */
enum err_code wavefront_question_at(const struct application *app, const size_t column[WC_COUNT],
				    const double *row, struct sweep *sweep, struct sweep_run *run,
				    struct err *e);

/* The error that says so of a class without the columns. */
enum err_code wavefront_question_refuse(const struct application *app, struct err *e);

#endif
