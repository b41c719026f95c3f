#ifndef TESTS_MINING_SHARED_QR_H
#define TESTS_MINING_SHARED_QR_H
#include "mining/numerics/mining_init.h"
#include "tests/unit/mining/qr_application.h"

/* One QR application for all tests of a file, with TEST_GROUP(qr_set_up, qr_tear_down). */
static struct application *app;

static inline int qr_set_up(void **state)
{
	mining_init();
	app = qr_application();
	return 0;
}

static inline int qr_tear_down(void **state)
{
	application_free(app);
	return 0;
}

#endif
