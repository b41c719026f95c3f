#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include "tests/faults/power_disk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/fault_run.h"

enum { SECTOR = 512, NAME_MAX_SIZE = 256, PATH_SIZE = 1024 };

struct op {
	struct power_op head;
	char name[NAME_MAX_SIZE], name2[NAME_MAX_SIZE];
	const unsigned char *bytes; /* of a write */
};

struct power_log {
	unsigned char *text;
	struct op *op;
	size_t n;
};

/* A file or directory as it is on the disk. */
struct object {
	uint64_t
		number; /* the system gives it again when the object is gone: the last one has it */
	bool is_dir;
	unsigned char *bytes;
	size_t size;
};

struct entry {
	size_t i_dir, i_object;
	char name[NAME_MAX_SIZE];
	bool gone;
};

/* An operation that is not synced yet. */
struct pending {
	const struct op *op;
	size_t i_file, i_dir, i_dir2; /* of its objects when it was done; NONE */
};

struct power_disk {
	struct object *object; /* the first is the working directory */
	size_t n_objects;
	struct entry *entry; /* as they are on the disk; entry_now: as the program sees them */
	size_t n_entries;
	struct entry *now;
	size_t n_now;
	struct pending *pending;
	size_t n_pending, room;
	size_t i_op;
};

static const size_t NONE = (size_t)-1;

static void *grown(void *array, size_t n, size_t size)
{
	void *p = array;

	if ((n & (n - 1)) == 0) /* room for twice as many at 0, 1, 2, 4 ... */
		p = realloc(array, (n ? 2 * n : 1) * size);
	if (!p)
		fault_die("memory");
	return p;
}

static uint64_t next(uint64_t *seed)
{
	uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

double power_uniform(uint64_t *seed)
{
	return (double)(next(seed) >> 11) * 0x1p-53;
}

/* ---- files of this test ---- */

static unsigned char *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	unsigned char *bytes;

	if (!f || fstat(fileno(f), &st) != 0)
		fault_die(path);
	*size = (size_t)st.st_size;
	bytes = malloc(*size + 1);
	if (!bytes || fread(bytes, 1, *size, f) != *size)
		fault_die(path);
	fclose(f);
	return bytes;
}

static void write_whole(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		fault_die(path);
}

/* ---- the record ---- */

static void take_name(char out[NAME_MAX_SIZE], const unsigned char **p, size_t size)
{
	if (size >= NAME_MAX_SIZE)
		fault_die("a name in the record");
	memcpy(out, *p, size);
	out[size] = '\0';
	*p += size;
}

struct power_log *power_log_read(const char *path)
{
	struct power_log *log = calloc(1, sizeof *log);
	size_t size;
	const unsigned char *p, *end;

	if (!log)
		fault_die("memory");
	p = log->text = read_whole(path, &size);
	for (end = p + size; p < end; log->n++) {
		struct op *op;

		log->op = grown(log->op, log->n, sizeof *log->op);
		op = &log->op[log->n];
		*op = (struct op){0};
		memcpy(&op->head, p, sizeof op->head);
		p += sizeof op->head;
		take_name(op->name, &p, op->head.name_size);
		take_name(op->name2, &p, op->head.name2_size);
		op->bytes = p;
		if (op->head.kind == POWER_WRITE)
			p += op->head.size;
	}
	if (p != end)
		fault_die("the record ends early");
	return log;
}

void power_log_free(struct power_log *log)
{
	if (!log)
		return;
	free(log->text);
	free(log->op);
	free(log);
}

size_t power_log_n_ops(const struct power_log *log)
{
	return log->n;
}

enum power_op_kind power_log_kind(const struct power_log *log, size_t i_op)
{
	return log->op[i_op].head.kind;
}

/* ---- objects and entries ---- */

static size_t add_object(struct power_disk *d, uint64_t number, bool is_dir)
{
	d->object = grown(d->object, d->n_objects, sizeof *d->object);
	d->object[d->n_objects] = (struct object){.number = number, .is_dir = is_dir};
	return d->n_objects++;
}

static size_t find_object(const struct power_disk *d, uint64_t number)
{
	for (size_t i = d->n_objects; i-- > 0;) {
		if (d->object[i].number == number)
			return i;
	}
	return NONE;
}

static struct entry *find_entry(struct entry *list, size_t n, size_t i_dir, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (list[i].i_dir == i_dir && !strcmp(list[i].name, name))
			return &list[i];
	}
	return NULL;
}

/* From now on name in i_dir is i_object; NONE: there is no such name. Kept as gone, so that whoever
 * cleans up knows of all that ever were. */
static void set_entry(struct entry **list, size_t *n, size_t i_dir, const char *name,
		      size_t i_object)
{
	struct entry *e = find_entry(*list, *n, i_dir, name);

	if (!e) {
		*list = grown(*list, *n, sizeof **list);
		e = &(*list)[(*n)++];
		*e = (struct entry){.i_dir = i_dir};
		memcpy(e->name, name, strlen(name) + 1);
	}
	e->i_object = i_object;
	e->gone = i_object == NONE;
}

static void apply_entry(struct entry **list, size_t *n, const struct pending *p)
{
	const struct entry *e;

	switch (p->op->head.kind) {
	case POWER_CREATE:
	case POWER_MKDIR:
	case POWER_LINK:
		set_entry(list, n, p->i_dir, p->op->name, p->i_file);
		break;
	case POWER_UNLINK:
		set_entry(list, n, p->i_dir, p->op->name, NONE);
		break;
	case POWER_RENAME:
		/* Of what it names, whether or not the name it had is known to the disk. */
		e = find_entry(*list, *n, p->i_dir, p->op->name);
		set_entry(list, n, p->i_dir2, p->op->name2,
			  p->i_file != NONE ? p->i_file : (e && !e->gone ? e->i_object : NONE));
		set_entry(list, n, p->i_dir, p->op->name, NONE);
		break;
	default:
		break;
	}
}

static void resize(struct object *o, size_t size)
{
	unsigned char *bytes = realloc(o->bytes, size + 1);

	if (!bytes)
		fault_die("memory");
	if (size > o->size)
		memset(bytes + o->size, 0, size - o->size);
	o->bytes = bytes;
	o->size = size;
}

/* torn: of its sectors each with this chance; NULL: all. */
static void apply_content(struct object *o, const struct op *op, uint64_t *torn)
{
	size_t end = op->head.offset + op->head.size;

	if (op->head.kind == POWER_TRUNCATE) {
		resize(o, op->head.size);
		return;
	}
	if (end > o->size)
		resize(o, end);
	for (size_t at = op->head.offset; at < end;) {
		size_t to = (at / SECTOR + 1) * SECTOR;

		if (to > end)
			to = end;
		if (!torn || power_uniform(torn) < 0.5)
			memcpy(o->bytes + at, op->bytes + (at - op->head.offset), to - at);
		at = to;
	}
}

static bool is_content(const struct op *op)
{
	return op->head.kind == POWER_WRITE || op->head.kind == POWER_TRUNCATE;
}

/* ---- time goes on ---- */

static void forget_pending(struct power_disk *d, size_t i_object)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_pending; i++) {
		struct pending *p = &d->pending[i];

		if (is_content(p->op) ? p->i_file != i_object
				      : p->i_dir != i_object && p->i_dir2 != i_object)
			d->pending[n++] = *p;
		else if (is_content(p->op))
			apply_content(&d->object[i_object], p->op, NULL);
		else
			apply_entry(&d->entry, &d->n_entries, p);
	}
	d->n_pending = n;
}

static void add_pending(struct power_disk *d, struct pending p)
{
	if (d->n_pending == d->room) {
		d->room = 2 * d->room + 1;
		d->pending = realloc(d->pending, d->room * sizeof *d->pending);
	}
	if (!d->pending)
		fault_die("memory");
	d->pending[d->n_pending++] = p;
}

static void do_op(struct power_disk *d, const struct op *op)
{
	struct pending p = {.op = op, .i_file = NONE, .i_dir2 = NONE};
	const struct entry *e;

	if (op->head.kind == POWER_START)
		d->object[0].number = op->head.dir;
	p.i_dir = find_object(d, op->head.dir);
	switch (op->head.kind) {
	case POWER_CREATE:
	case POWER_MKDIR:
		p.i_file = add_object(d, op->head.file, op->head.kind == POWER_MKDIR);
		break;
	case POWER_RENAME:
		e = find_entry(d->now, d->n_now, p.i_dir, op->name);
		p.i_dir2 = find_object(d, op->head.dir2);
		p.i_file = e && !e->gone ? e->i_object : NONE;
		break;
	case POWER_LINK:
	case POWER_UNLINK:
	case POWER_WRITE:
	case POWER_TRUNCATE:
	case POWER_SYNC:
		p.i_file = find_object(d, op->head.file);
		break;
	default:
		return;
	}
	if (op->head.kind == POWER_SYNC) {
		if (p.i_file != NONE)
			forget_pending(d, p.i_file);
		return;
	}
	if (is_content(op) ? p.i_file == NONE : p.i_dir == NONE)
		return; /* nothing of ours */
	if (!is_content(op))
		apply_entry(&d->now, &d->n_now, &p);
	add_pending(d, p);
}

void power_disk_advance(struct power_disk *d, const struct power_log *log, size_t end)
{
	for (; d->i_op < end; d->i_op++)
		do_op(d, &log->op[d->i_op]);
}

struct power_disk *power_disk_new(const char *const *name, size_t n_names)
{
	struct power_disk *d = calloc(1, sizeof *d);
	struct stat st;

	if (!d)
		fault_die("memory");
	add_object(d, 0, true);
	for (size_t i = 0; i < n_names; i++) {
		size_t i_object;
		struct object *o;

		if (stat(name[i], &st) != 0)
			continue;
		i_object =
			add_object(d, (uint64_t)st.st_dev * 0x9e3779b97f4a7c15u + st.st_ino, false);
		o = &d->object[i_object];
		o->bytes = read_whole(name[i], &o->size);
		set_entry(&d->entry, &d->n_entries, 0, name[i], i_object);
		set_entry(&d->now, &d->n_now, 0, name[i], i_object);
	}
	return d;
}

void power_disk_free(struct power_disk *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n_objects; i++)
		free(d->object[i].bytes);
	free(d->object);
	free(d->entry);
	free(d->now);
	free(d->pending);
	free(d);
}

/* ---- the power fails ---- */

/* How the unsynced is treated: nothing kept, all kept, all up to some moment, or each by a draw. */
struct fate {
	uint64_t draw;
	enum { NOTHING, EVERYTHING, PREFIX, EACH } how;
	double share;
	size_t end; /* of the prefix */
};

static struct fate make_fate(uint64_t draw, size_t n_pending)
{
	struct fate f = {.draw = draw, .how = EVERYTHING};
	double u;

	if (draw == POWER_ALL_KEPT)
		return f;
	u = power_uniform(&f.draw);
	f.how = u < 0.2 ? NOTHING : u < 0.3 ? EVERYTHING : u < 0.5 ? PREFIX : EACH;
	f.share = 0.1 + 0.8 * power_uniform(&f.draw);
	f.end = (size_t)(power_uniform(&f.draw) * (double)(n_pending + 1));
	return f;
}

static bool is_kept(struct fate *f, size_t i)
{
	switch (f->how) {
	case NOTHING:
		return false;
	case PREFIX:
		return i < f->end;
	case EACH:
		return power_uniform(&f->draw) < f->share;
	default:
		return true;
	}
}

/* One write in four that is kept though it might be lost is torn. */
static uint64_t *tear(struct fate *f)
{
	return f->how == EACH && power_uniform(&f->draw) < 0.25 ? &f->draw : NULL;
}

struct state {
	struct object *object; /* contents of their own */
	struct entry *entry;
	size_t n_entries;
};

static struct state after_loss(const struct power_disk *d, uint64_t draw)
{
	struct fate f = make_fate(draw, d->n_pending);
	struct state s = {.object = calloc(d->n_objects + 1, sizeof *s.object)};

	if (!s.object)
		fault_die("memory");
	for (size_t i = 0; i < d->n_objects; i++) {
		s.object[i] = d->object[i];
		s.object[i].bytes = NULL;
		s.object[i].size = 0;
		resize(&s.object[i], d->object[i].size);
		if (d->object[i].size)
			memcpy(s.object[i].bytes, d->object[i].bytes, d->object[i].size);
	}
	for (size_t i = 0; i < d->n_entries; i++) {
		const struct entry *e = &d->entry[i];

		set_entry(&s.entry, &s.n_entries, e->i_dir, e->name, e->gone ? NONE : e->i_object);
	}
	for (size_t i = 0; i < d->n_pending; i++) {
		const struct pending *p = &d->pending[i];

		if (!is_kept(&f, i))
			continue;
		if (is_content(p->op))
			apply_content(&s.object[p->i_file], p->op, tear(&f));
		else
			apply_entry(&s.entry, &s.n_entries, p);
	}
	return s;
}

static void state_release(const struct power_disk *d, struct state *s)
{
	for (size_t i = 0; i < d->n_objects; i++)
		free(s->object[i].bytes);
	free(s->object);
	free(s->entry);
}

static bool is_shared_memory(const char *name)
{
	const char *end = strrchr(name, '-');

	return end && !strcmp(end, "-shm");
}

static void join(char path[PATH_SIZE], const char *folder, const char *name)
{
	snprintf(path, PATH_SIZE, "%s%s%s", folder, *folder ? "/" : "", name);
}

/* Names in i_dir that ever were, and what is in them. */
static void remove_all(const struct entry *list, size_t n, size_t i_dir, const char *folder)
{
	char path[PATH_SIZE];

	for (size_t i = 0; i < n; i++) {
		if (list[i].i_dir != i_dir)
			continue;
		join(path, folder, list[i].name);
		for (size_t k = 0; k < n; k++) {
			if (list[k].i_dir == list[i].i_object && list[k].i_dir != 0 &&
			    !list[i].gone)
				remove_all(list, n, list[i].i_object, path);
		}
		if (remove(path) != 0 && errno != ENOENT && errno != ENOTDIR)
			fault_die(path);
	}
}

static void put_all(const struct state *s, size_t i_dir, const char *folder, uint64_t seed)
{
	char path[PATH_SIZE];

	for (size_t i = 0; i < s->n_entries; i++) {
		const struct entry *e = &s->entry[i];
		struct object *o = &s->object[e->gone ? 0 : e->i_object];

		if (e->gone || e->i_dir != i_dir)
			continue;
		join(path, folder, e->name);
		for (size_t k = 0; is_shared_memory(e->name) && k < o->size; k++)
			o->bytes[k] = (unsigned char)next(&seed);
		if (!o->is_dir)
			write_whole(path, o->bytes, o->size);
		else if (mkdir(path, 0777) != 0)
			fault_die(path);
		else
			put_all(s, e->i_object, path, seed);
	}
}

void power_disk_lay_out(const struct power_disk *d, uint64_t draw)
{
	struct state s = after_loss(d, draw);

	put_all(&s, 0, "", draw);
	state_release(d, &s);
}

void power_disk_clean(const struct power_disk *d)
{
	remove_all(d->now, d->n_now, 0, "");
}

/* Of the names in the working directory. */
const char *power_disk_differs(const struct power_disk *d)
{
	static char name[NAME_MAX_SIZE];
	struct state s = after_loss(d, POWER_ALL_KEPT);
	bool same = true;

	for (size_t i = 0; same && i < s.n_entries; i++) {
		const struct entry *e = &s.entry[i];
		const struct object *o = e->gone ? NULL : &s.object[e->i_object];
		size_t size;
		unsigned char *bytes;

		if (e->i_dir != 0 || is_shared_memory(e->name) || (o && o->is_dir))
			continue;
		memcpy(name, e->name, sizeof name);
		same = (access(name, F_OK) == 0) == !e->gone;
		if (!same || !o)
			continue;
		bytes = read_whole(name, &size);
		same = size == o->size && memcmp(bytes, o->bytes, size) == 0;
		free(bytes);
	}
	state_release(d, &s);
	return same ? NULL : name;
}
