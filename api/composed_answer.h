#ifndef API_COMPOSED_ANSWER_H
#define API_COMPOSED_ANSWER_H
#include <stddef.h>
#include "domain/application.h"
#include "domain/composition.h"
#include "models/wavefront.h"

/* The answer of a composed model: one configuration at one or several levels of detail. */

/* All pointers are borrowed. */
struct composed_level {
	const struct composition *parts; /* NULL: this level failed, and nothing follows */
	const struct application *app;
	const double *row;	 /* the configuration, complete */
	double Wg_s, Wg_fixup_s; /* per cell and angle, and with flux fix-ups */
	struct sweep_time time;	 /* parts NaN: only the whole is known */
	const char *caveat;	 /* what the time must not be given without; NULL: nothing */
	double difference;	 /* of time_s from the first's, as a fraction of that; NaN: the
				    first itself, or it failed */
};

/* Sets the difference of each. */
void composed_levels_compare(struct composed_level *level, size_t n);
/* Who serves a request; NULL: nobody was asked. */
const struct component *composed_level_serving(const struct composed_level *m, const char *request);

/* {"format_version", "levels": [{"parts", "configuration", "wg_s", "wg_fixup_s", "time_s",
 * "breakdown", "difference", "caveat"}, ...]} of those that did not fail; NULL: out of memory. */
struct json_t;
struct json_t *composed_levels_json(const struct composed_level *level, size_t n);

#endif
