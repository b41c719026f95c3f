#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "mining/gp/gaussian_process_private.h"

/* What a part has in a posterior mean is its factor times a function f of the Hilbert space that
 * its kernel reproduces, of norm |f|^2 = alpha' K alpha (Rasmussen and Williams, chapter 6.1).
 * Along a line through c, on which t is the distance in units of the lengths, f''(t) is the inner
 * product of f and the second derivative of the kernel, so that |f''(t)| <= |f| sqrt(k''''(0)): for
 * Matern 5/2 k(t) = sd^2 (1 - 5/6 t^2 + 25/24 t^4 - ...), so that k''''(0) is 25 sd^2; for the
 * squared exponential it is 3 sd^2. By Taylor's theorem f(z) is within |f| sqrt(k''''(0)) t^2 / 2
 * of f(c) + f'(c) (z - c). In the same way |f'(t)| <= |f| sqrt(-k''(0)), at most |f| sqrt(5 / 3)
 * sd: where c is as near as rounding leaves it, f(z) is within that times t of f(c). Levels of an
 * input are not on a line: c has those of z. */

/* The most that this is at the corner of a cell, in units of sd: small cells say more and are
 * more. */
#define CORNER 0.25
/* In lengths; where f does not bend at all one cell will do. */
#define WIDEST 1e6
/* Of inputs that are logs: in narrower cells two configurations hardly meet. */
#define NARROWEST 0.05

/* The table is twice as large. Where there are more, it begins anew. */
enum { MAX_CELLS = 1 << 15 };

/* Cells that are points, in lengths: places that are equal but for rounding share one. */
#define POINT_WIDTH 1e-7

/* All z of which z / width rounds to `at`, by the part's inputs. */
struct grid_cell {
	int32_t at[GP_MAX_INPUTS];
	double mean; /* f at its middle */
	double slope[GP_MAX_INPUTS];
};

struct gp_part_bound {
	const struct gaussian_process *gp; /* borrowed */
	size_t part;
	double width[GP_MAX_INPUTS]; /* of cells, by the part's inputs */
	bool at_points;		     /* cells are points, and slopes are not known */
	double slope;		     /* |f| sqrt(-k''(0)) at most */
	double bend;		     /* |f| sqrt(k''''(0)) / 2 */
	double rounding;	     /* that sums may be off */

	pthread_mutex_t lock; /* over what follows */
	size_t n;
	struct grid_cell *cell;	       /* MAX_CELLS */
	uint16_t place[2 * MAX_CELLS]; /* 1 + which cell; 0: none. Open addressing. */
};

/* ---- how far f may bend ---- */

/* Adds up |f|^2, and |alpha|. */
static enum err_code square_norm(const struct gaussian_process *gp, size_t part, double *out,
				 double *alpha, struct err *e)
{
	const struct gp_points *points = &gp->points;
	double *k = calloc(points->stride + 1, sizeof *k);
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];

	if (!k)
		return err_set(e, ERR_NOMEM, "covariances of %zu points", points->n);
	for (size_t i = 0; i < points->n; i++) {
		double row = 0;

		gp_points_get(&gp->kernel.design, points, i, z, factor);
		gp_part_covariances(&gp->kernel, part, points, points->n, z, factor, k);
		for (size_t j = 0; j < points->n; j++)
			row += gp->alpha[j] * k[j];
		*out += gp->alpha[i] * row;
		*alpha += fabs(gp->alpha[i]);
	}
	free(k);
	return ERR_OK;
}

/* The most that a part may have in the covariance of two of its points. */
static double most_covariance(const struct gaussian_process *gp, size_t part)
{
	const int s = gp->kernel.design.part[part].factor;
	double most = 1;

	for (size_t i = 0; s >= 0 && i < gp->points.n; i++) {
		const double factor = gp->points.factor[(size_t)s * gp->points.stride + i];

		most = fmax(most, factor * factor);
	}
	return most * gp->kernel.variance[part];
}

static enum err_code measure(struct gp_part_bound *b, struct err *e)
{
	const struct gp_kernel *k = &b->gp->kernel;
	const double fourth = k->design.part[b->part].shape == GP_MATERN_52 ? 25 : 3;
	const double sd = sqrt(k->variance[b->part]);
	const double most = most_covariance(b->gp, b->part);
	double square = 0, alpha = 0, norm, width;
	enum err_code rc = ERR_OK;

	if (b->at_points) { /* the norm of a sum is at most the sum of norms */
		for (size_t i = 0; i < b->gp->points.n; i++)
			alpha += fabs(b->gp->alpha[i]);
		square = alpha * alpha * most;
	} else if ((rc = square_norm(b->gp, b->part, &square, &alpha, e))) {
		return rc;
	}
	b->rounding = (double)b->gp->points.n * DBL_EPSILON * alpha * most;
	norm = sqrt(fmax(square, 0) + alpha * b->rounding);
	b->bend = sqrt(fourth) * norm * sd / 2;
	b->slope = sqrt(5.0 / 3) * norm * sd;
	/* the square of the distance of a corner is n_inputs (width / 2)^2 */
	width = fmin(2 * sqrt(CORNER * sd / (b->bend * (double)k->n_inputs[b->part])), WIDEST);
	for (size_t i = 0; i < k->n_inputs[b->part]; i++)
		b->width[i] = (b->at_points ? POINT_WIDTH : width) /
			      k->per_length[b->part][k->input[b->part][i]];
	return ERR_OK;
}

static bool is_level(const struct gp_part_bound *b, size_t i)
{
	const struct gp_kernel *k = &b->gp->kernel;

	return k->design.categorical >> k->input[b->part][i] & 1;
}

static bool is_worth_it(const struct gp_part_bound *b)
{
	if (b->at_points)
		return true;
	for (size_t i = 0; i < b->gp->kernel.n_inputs[b->part]; i++) {
		if (b->width[i] < NARROWEST)
			return false;
	}
	return true;
}

enum err_code gp_part_bound_new(const struct gaussian_process *gp, size_t part, bool at_points,
				struct gp_part_bound **out, struct err *e)
{
	struct gp_part_bound *b;
	enum err_code rc;

	*out = NULL;
	if (!at_points && gp->kernel.design.part[part].inputs & gp->kernel.design.categorical)
		return ERR_OK;
	b = calloc(1, sizeof *b);
	if (b)
		b->cell = calloc(MAX_CELLS, sizeof *b->cell);
	if (!b || !b->cell) {
		free(b);
		return err_set(e, ERR_NOMEM, "bound of a Gaussian process");
	}
	b->gp = gp;
	b->part = part;
	b->at_points = at_points;
	pthread_mutex_init(&b->lock, NULL);
	if ((rc = measure(b, e)) || !is_worth_it(b))
		gp_part_bound_free(b);
	else
		*out = b;
	return rc;
}

void gp_part_bound_free(struct gp_part_bound *b)
{
	if (!b)
		return;
	pthread_mutex_destroy(&b->lock);
	free(b->cell);
	free(b);
}

/* ---- cells ---- */

static uint64_t hash(const int32_t *at, size_t n)
{
	uint64_t state = 0;

	for (size_t i = 0; i < n; i++) {
		state ^= (uint64_t)(uint32_t)at[i];
		state = splitmix_next(&state);
	}
	return state;
}

/* The input of a cell's middle. */
static double middle_of(const struct gp_part_bound *b, const int32_t *at, size_t i)
{
	return is_level(b, i) ? at[i] : at[i] * b->width[i];
}

/* Its mean and slope. */
static void look_at(const struct gp_part_bound *b, struct grid_cell *c)
{
	const struct gaussian_process *gp = b->gp;
	const struct gp_kernel *k = &gp->kernel;
	double middle[GP_MAX_INPUTS] = {0};

	for (size_t i = 0; i < k->n_inputs[b->part]; i++)
		middle[k->input[b->part][i]] = middle_of(b, c->at, i);
	c->mean = b->at_points ? gp_part_mean(gp, b->part, middle)
			       : gp_part_slope(k, b->part, &gp->points, gp->points.n, middle,
					       gp->alpha, c->slope);
}

/* Where the cell stands in `place`, or is to stand: 0 there. The lock is the caller's. */
static size_t place_of(const struct gp_part_bound *b, const int32_t *at, uint64_t hashed)
{
	const size_t size = b->gp->kernel.n_inputs[b->part] * sizeof *at;
	const size_t mask = 2 * MAX_CELLS - 1;
	size_t i = hashed & mask;

	while (b->place[i] && memcmp(b->cell[b->place[i] - 1].at, at, size))
		i = (i + 1) & mask;
	return i;
}

/* The lock is the caller's. Another thread may have added it meanwhile. */
static void add(struct gp_part_bound *b, const struct grid_cell *c, uint64_t hashed)
{
	size_t i;

	if (b->n == MAX_CELLS) {
		memset(b->place, 0, sizeof b->place);
		b->n = 0;
	}
	i = place_of(b, c->at, hashed);
	if (b->place[i])
		return;
	b->cell[b->n++] = *c;
	b->place[i] = (uint16_t)b->n;
}

/* Fills in the cell at c->at, which is looked at if it is not known, by several threads at once. */
static void find(struct gp_part_bound *b, struct grid_cell *c)
{
	const uint64_t hashed = hash(c->at, b->gp->kernel.n_inputs[b->part]);
	size_t known;

	pthread_mutex_lock(&b->lock);
	known = b->place[place_of(b, c->at, hashed)];
	if (known)
		*c = b->cell[known - 1];
	pthread_mutex_unlock(&b->lock);
	if (known)
		return;
	look_at(b, c);
	pthread_mutex_lock(&b->lock);
	add(b, c, hashed);
	pthread_mutex_unlock(&b->lock);
}

/* f(c) + f'(c) (z - c) for the cell c of z; *t2: the square of its distance. */
static double tangent(const struct gp_part_bound *b, const struct grid_cell *c, const double *z,
		      double *t2)
{
	const struct gp_kernel *k = &b->gp->kernel;
	double mean = c->mean;

	*t2 = 0;
	for (size_t i = 0; i < k->n_inputs[b->part]; i++) {
		const size_t input = k->input[b->part][i];
		const double apart = z[input] - middle_of(b, c->at, i);
		const double t = apart * k->per_length[b->part][input];

		if (!b->at_points)
			mean += c->slope[i] * apart;
		*t2 += t * t;
	}
	return mean;
}

double gp_part_bound_least(struct gp_part_bound *b, const double *z, const double *factor)
{
	const struct gp_kernel *k = &b->gp->kernel;
	const int s = k->design.part[b->part].factor;
	const double f = s >= 0 ? factor[s] : 1;
	struct grid_cell cell = {0};
	double t2, mean;

	for (size_t i = 0; i < k->n_inputs[b->part]; i++) {
		const double at_z = z[k->input[b->part][i]];
		const double place = rint(is_level(b, i) ? at_z : at_z / b->width[i]);

		/* NaN as well */
		if (!(fabs(place) < INT32_MAX) || (is_level(b, i) && place != at_z))
			return -INFINITY;
		cell.at[i] = (int32_t)place;
	}
	find(b, &cell);
	mean = tangent(b, &cell, z, &t2);
	return f * mean -
	       fabs(f) * ((b->at_points ? b->slope * sqrt(t2) : b->bend * t2) + b->rounding);
}

/* ---- of many shifts at once ---- */

/* Beyond this a look through them takes longer than it saves: they begin anew. */
enum { MAX_CENTRES = 1024 };

/* Places that were looked at: each by its z, then by the mean and the slopes of each shift. */
struct gp_shifted_bound {
	const struct gp_part_bound *of; /* borrowed */
	double *shift;			/* n_shifts * n_inputs of the part */
	size_t n_shifts, n, last;
	double radius2; /* of the cell of a centre, in lengths, squared */
	double *centre[MAX_CENTRES];
};

enum err_code gp_shifted_bound_new(const struct gp_part_bound *of, const double *shift,
				   size_t n_shifts, struct gp_shifted_bound **out, struct err *e)
{
	const struct gp_kernel *k = &of->gp->kernel;
	const size_t n_inputs = k->n_inputs[of->part];
	struct gp_shifted_bound *b = calloc(1, sizeof *b);

	if (b)
		b->shift = calloc(n_shifts * n_inputs + 1, sizeof *b->shift);
	if (!b || !b->shift) {
		free(b);
		return err_set(e, ERR_NOMEM, "bound of a Gaussian process at %zu shifts", n_shifts);
	}
	b->of = of;
	b->n_shifts = n_shifts;
	b->radius2 = CORNER * sqrt(k->variance[of->part]) / of->bend;
	for (size_t s = 0; s < n_shifts; s++) {
		for (size_t i = 0; i < n_inputs; i++)
			b->shift[s * n_inputs + i] =
				shift[s * k->design.n_inputs + k->input[of->part][i]];
	}
	*out = b;
	return ERR_OK;
}

static void forget_centres(struct gp_shifted_bound *b)
{
	while (b->n > 0)
		free(b->centre[--b->n]);
}

void gp_shifted_bound_free(struct gp_shifted_bound *b)
{
	if (!b)
		return;
	forget_centres(b);
	free(b->shift);
	free(b);
}

/* The square of the distance of z from a centre; beyond the radius more than that will do. */
static double distance2(const struct gp_shifted_bound *b, const double *centre, const double *z)
{
	const struct gp_kernel *k = &b->of->gp->kernel;
	const size_t part = b->of->part;
	double t2 = 0;

	for (size_t i = 0; i < k->n_inputs[part] && t2 <= b->radius2; i++) {
		const size_t input = k->input[part][i];
		const double t = (z[input] - centre[i]) * k->per_length[part][input];

		t2 += t * t;
	}
	return t2;
}

/* A centre within the radius; NULL: there is none. Neighbours are asked about one after the other.
 */
static const double *find_centre(struct gp_shifted_bound *b, const double *z, double *t2)
{
	for (size_t i = 0; i < b->n; i++) {
		const size_t at = b->last >= i ? b->last - i : b->last + b->n - i;

		*t2 = distance2(b, b->centre[at], z);
		if (*t2 <= b->radius2) {
			b->last = at;
			return b->centre[at];
		}
	}
	return NULL;
}

/* NULL: out of memory. */
static const double *add_centre(struct gp_shifted_bound *b, const double *z)
{
	const struct gaussian_process *gp = b->of->gp;
	const struct gp_kernel *k = &gp->kernel;
	const size_t part = b->of->part, n = k->n_inputs[part];
	double *centre = calloc(n + b->n_shifts * (n + 1), sizeof *centre);
	double *to, at[GP_MAX_INPUTS] = {0};

	if (!centre)
		return NULL;
	to = centre + n;
	for (size_t i = 0; i < n; i++)
		centre[i] = z[k->input[part][i]];
	for (size_t s = 0; s < b->n_shifts; s++, to += n + 1) {
		for (size_t i = 0; i < n; i++)
			at[k->input[part][i]] = centre[i] + b->shift[s * n + i];
		to[0] = gp_part_slope(k, part, &gp->points, gp->points.n, at, gp->alpha, to + 1);
	}
	if (b->n == MAX_CENTRES)
		forget_centres(b);
	b->last = b->n;
	return b->centre[b->n++] = centre;
}

bool gp_shifted_bound_least(struct gp_shifted_bound *b, const double *z, double *least)
{
	const struct gp_kernel *k = &b->of->gp->kernel;
	const size_t part = b->of->part, n = k->n_inputs[part];
	double t2 = 0, apart[GP_MAX_INPUTS];
	const double *centre = find_centre(b, z, &t2), *from;

	if (!centre) {
		centre = add_centre(b, z);
		t2 = 0;
	}
	if (!centre)
		return false;
	for (size_t i = 0; i < n; i++)
		apart[i] = z[k->input[part][i]] - centre[i];
	from = centre + n;
	for (size_t s = 0; s < b->n_shifts; s++, from += n + 1) {
		double mean = from[0];

		for (size_t i = 0; i < n; i++)
			mean += from[1 + i] * apart[i];
		least[s] = mean - b->of->bend * t2 - b->of->rounding;
	}
	return true;
}
