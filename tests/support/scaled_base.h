#ifndef TESTS_SCALED_BASE_H
#define TESTS_SCALED_BASE_H
#include <stdint.h>
#include "api/session.h"
#include "domain/application.h"

/* A base with the runs of a made-up application q on a machine m: problem n = 1000, 2000, 4000;
 * nodes 1, 2, 4, 8; tile 16, 32, 64; two repeats 0.3 % above and below scaled_base_time_s(). On one
 * node n = 4000 is not legal. */
struct scaled_base {
	struct session session;
	struct application *app;
	int64_t app_id;
	char kb[128];
};

double scaled_base_time_s(double n, double nodes, double tile);

/* TEST_GROUP(scaled_base_setup, scaled_base_teardown), of tests of api/; *state is a struct
 * scaled_base. */
int scaled_base_setup(void **state);
int scaled_base_teardown(void **state);

#endif
