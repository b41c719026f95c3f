#ifndef DOMAIN_TASK_PRIVATE_H
#define DOMAIN_TASK_PRIVATE_H
#include "domain/conf.h"
#include "domain/task_description.h"

/* Private to domain/: the parts of a task execution description, each from its group (NULL:
 * nothing). Like the functions of conf.h they do nothing after an error. */

/* The variables as columns of expressions and templates. */
extern const struct expr_scope task_scope;

void task_run_read(struct conf *c, const config_setting_t *g, enum task_method method,
		   struct task_program *out);
void task_run_release(struct task_program *r);
void task_trace_read(struct conf *c, const config_setting_t *g, struct task_trace *out);
void task_database_read(struct conf *c, const config_setting_t *g, struct task_database *out);
void task_database_release(struct task_database *d);
/* processor = { ... }; memory = { ... }; */
void task_hardware_read(struct conf *c, const config_setting_t *top, struct task_processor *p,
			struct memory_shape *m);

/* A number that must be there and lie in [min, max]; a whole one. */
double task_number(struct conf *c, const config_setting_t *g, const char *key, double min,
		   double max);
int64_t task_count(struct conf *c, const config_setting_t *g, const char *key, int64_t absent,
		   int64_t min, int64_t max);
/* An expression over the variables; NULL when absent. */
struct expr *task_expr(struct conf *c, const config_setting_t *g, const char *key);

#endif
