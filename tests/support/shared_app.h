#ifndef SUPPORT_SHARED_APP_H
#define SUPPORT_SHARED_APP_H
#include "tests/support/check.h"

#include "domain/application.h"

/* The application of all tests of a file, which its set-up makes: TEST_GROUP(set_up, free_app). */
static struct application *app;

static inline int read_sweep3d(void **state)
{
	must(application_read("data/applications/sweep3d.conf", &app, &err));
	return 0;
}

static inline int free_app(void **state)
{
	application_free(app);
	return 0;
}

#endif
