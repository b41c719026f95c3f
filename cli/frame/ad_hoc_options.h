#ifndef CLI_AD_HOC_OPTIONS_H
#define CLI_AD_HOC_OPTIONS_H
#include <stdbool.h>
#include "base/err.h"
#include "cli/frame/options.h"
#include "domain/application.h"

/* An application class told by flags of `ingest`. */
extern const struct option_spec opt_ad_hoc_target, opt_ad_hoc_problem, opt_ad_hoc_tunable,
	opt_ad_hoc_resource, opt_ad_hoc_categorical, opt_ad_hoc_constraint, opt_ad_hoc_grid,
	opt_ad_hoc_candidates;

struct ad_hoc_options {
	struct ad_hoc spec; /* points into the lists below and into argv */
	bool given;
	char **problem, **tunable, **categorical;
	char **resource_column, **resource_field;
	char **grid, **candidates;
	const char **constraint;
};

/* unit: the values of --unit, for the unit of the target. Errors: USAGE (--target without --app or
 * without a problem, a resource that is not COLUMN=FIELD). Release in any case. */
enum err_code ad_hoc_options_read(const struct options *o, char *const *unit,
				  struct ad_hoc_options *out, struct err *e);
void ad_hoc_options_release(struct ad_hoc_options *a);

#endif
