#include "mining/numerics/mining_init.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>

void mining_init(void)
{
	gsl_set_error_handler_off();
}

const char *mining_gsl_version(void)
{
	return gsl_version;
}
