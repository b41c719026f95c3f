#include "api/breakdown_json.h"

#include <stddef.h>

#include <jansson.h>

#include "api/json_text.h"

static const struct part {
	const char *key;
	size_t offset;
} parts[] = {
	{"compute_s", offsetof(struct breakdown, compute_s)},
	{"comm_s", offsetof(struct breakdown, comm_s)},
	{"fill_s", offsetof(struct breakdown, fill_s)},
	{"sync_s", offsetof(struct breakdown, sync_s)},
	{"other_s", offsetof(struct breakdown, other_s)},
};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

static double *part_of(struct breakdown *b, const struct part *p)
{
	return (double *)(void *)((char *)b + p->offset);
}

struct json_t *breakdown_json(const struct breakdown *b)
{
	struct breakdown copy = *b;
	json_t *object = json_object();
	int failed = 0;

	for (size_t i = 0; i < N_PARTS; i++)
		failed |= json_object_set_new(object, parts[i].key,
					      out_json_real(*part_of(&copy, &parts[i])));
	if (failed) {
		json_decref(object);
		return NULL;
	}
	return object;
}

struct breakdown breakdown_from_json(const struct json_t *object)
{
	struct breakdown b = {0};

	for (size_t i = 0; i < N_PARTS; i++)
		*part_of(&b, &parts[i]) = json_number_value(json_object_get(object, parts[i].key));
	return b;
}
