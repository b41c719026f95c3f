#include "kb/kb_run_value.h"

#include <ctype.h>
#include <string.h>

#include "kb/kb_run_table.h"

void run_values_from_row(const struct application *a, sqlite3_stmt *s, int first,
			 struct run_value *value)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		int type;

		value[i] = (struct run_value){.number = (double)NAN};
		if (!run_table_stores(a, i))
			continue;
		type = sqlite3_column_type(s, first);
		if (type == SQLITE_TEXT)
			value[i].text = kb_sql_text(s, first);
		else if (type != SQLITE_NULL)
			value[i].number = sqlite3_column_double(s, first);
		first++;
	}
}

void run_values_put_names(const struct application *a, const char *prefix, struct strbuf *sql)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!run_table_stores(a, i))
			continue;
		strbuf_printf(sql, ", %s", prefix);
		strbuf_put_sql_name(sql, a->column[i].name);
	}
}

/* FNV-1a, 64 bits: Fowler, Noll, Vo, draft-eastlake-fnv. */
static uint64_t fnv(const char *text, bool fold_case)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (fold_case && c < 128)
			c = (unsigned char)tolower(c);
		h = (h ^ c) * 0x100000001b3ULL;
	}
	return h;
}

uint64_t hash_text(const char *text)
{
	return fnv(text, false);
}

uint64_t hash_name(const char *name)
{
	return fnv(name, true);
}

/* The finaliser of splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

uint64_t hash_number_field(uint64_t name, double number)
{
	uint64_t bits;

	if (isnan(number))
		return 0; /* a missing value is as if the column did not exist */
	number += 0.0;	  /* -0.0 and 0.0 are one number */
	memcpy(&bits, &number, sizeof bits);
	return mix(name ^ mix(bits));
}

uint64_t hash_field(uint64_t name, const struct run_value *v)
{
	return v->text ? mix(name ^ mix(hash_text(v->text))) : hash_number_field(name, v->number);
}

uint64_t hash_run(uint64_t machine, const char *source, const char *status, double wall_s,
		  double n_repeats, double repeat)
{
	return machine * 31 + hash_text(source) * 7 + hash_text(status) +
	       hash_number_field(hash_text("wall_s"), wall_s) +
	       hash_number_field(hash_text("n_repeats"), n_repeats) +
	       hash_number_field(hash_text("repeat"), repeat);
}

static uint64_t hash_line(int64_t line)
{
	return hash_number_field(hash_text("line"), (double)line);
}

static uint64_t hash_text_field(const char *name, const char *text)
{
	return text ? mix(hash_text(name) ^ mix(hash_text(text))) : 0;
}

uint64_t hash_row(uint64_t content, int64_t line, const char *computed, const char *extra)
{
	return content + hash_line(line) + hash_text_field("computed", computed) +
	       hash_text_field("extra", extra);
}

uint64_t hash_row_move(uint64_t row_hash, int64_t from_line, int64_t to_line)
{
	return row_hash - hash_line(from_line) + hash_line(to_line);
}
