#ifndef CLI_FAILURE_OUTPUT_H
#define CLI_FAILURE_OUTPUT_H
#include "api/answer.h"
#include "base/strbuf.h"

/* What failed runs say against configurations, for people, from an answer. */

/* A line about a choice of an answer (that its runs failed, that they were all cut), and one about
 * what was left out; nothing where nothing is. */
void failure_put_warning(struct strbuf *s, const struct answer_choice *choice);
void failure_put_outlasted(struct strbuf *s, const struct answer_choice *choice);
void failure_put_left_out(struct strbuf *s, const struct answer_search *search);

#endif
