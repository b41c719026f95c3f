#ifndef DOMAIN_CAMPAIGN_SPACE_H
#define DOMAIN_CAMPAIGN_SPACE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/campaign_plan.h"
#include "domain/configuration_axes.h"
#include "domain/machine.h"

/* A campaign's plan in the terms of its application: configurations as rows, and the command of
 * each. Words of text columns that no run has had yet are added to the application's levels. */
struct campaign_command;
struct campaign_space {
	const struct campaign_plan *plan; /* borrowed */
	struct application *app;	  /* borrowed */
	struct configuration_axes axes;	  /* one of each factor, in their order */
	double *constant;		  /* [n_columns], NaN where the plan says nothing */
	struct expr **constraint;	  /* of the plan, over the columns */
	double cores_per_node;		  /* of the machine; 0: not known */
	bool one_node;			  /* runs on this machine: a node, unless the plan says */
	size_t *n_levels;		  /* of each factor */
	unsigned char *nominal;		  /* of each factor: its levels are words */
	struct campaign_command *command;
};

/* Everything in the plan is checked: names, levels, constraints, templates, questions. Errors:
 * PARSE (file, line, what would be right), NOMEM. */
enum err_code campaign_space_open(const struct campaign_plan *p, struct application *a,
				  const struct machine *m, struct campaign_space *out,
				  struct err *e);
void campaign_space_release(struct campaign_space *s);

/* The configuration of these levels, one of each factor: row[n_columns], completed and derived.
 * False: it cannot be, or may not by the application or the plan; *why (may be NULL) says so. */
bool campaign_space_row(const struct campaign_space *s, const size_t *level, double *row,
			struct strbuf *why);

/* "mk=5 npe_i=2 npe_j=2": the columns of the factors in a row. */
void campaign_space_put(const struct campaign_space *s, const double *row, struct strbuf *out);
/* Does the configuration have the problem of question i? */
bool campaign_space_asks(const struct campaign_space *s, size_t i_question, const double *row,
			 struct err *e);

/* Nodes and processors of a row; 1 where the application has no such column. */
double campaign_nodes(const struct application *a, const double *row);
double campaign_procs(const struct application *a, const double *row);

/* Texts that end with NULL. */
struct word_list {
	char **word;
	size_t n;
};
void word_list_release(struct word_list *w);
/* Errors: NOMEM. */
enum err_code word_list_add(struct word_list *w, const char *text, struct err *e);

/* The program and its arguments, what the launcher puts before it, and the variables NAME=TEXT that
 * it gets, filled in for a row and the run's number. A text of the data in them is harmless to a
 * shell, which `with` may lead to (ssh). Errors: ARG (a place without a value, a text that cannot
 * stand in a command), NOMEM. */
enum err_code campaign_space_command(const struct campaign_space *s, const double *row, size_t run,
				     struct word_list *out, struct err *e);
enum err_code campaign_space_with(const struct campaign_space *s, const double *row, size_t run,
				  struct word_list *out, struct err *e);
enum err_code campaign_space_variables(const struct campaign_space *s, const double *row,
				       size_t run, struct word_list *out, struct err *e);

/* Can all three be made for this row? Errors: PARSE (file and line of the one that cannot), NOMEM.
 */
enum err_code campaign_space_check_command(const struct campaign_space *s, const double *row,
					   struct err *e);

#endif
