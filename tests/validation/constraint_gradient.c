/* G0: the gradient of C. Only the middle particle of a cluster exceeds rest density, so one
   iteration moves each particle k, including the middle one, by omega C grad_k C / (sum of the
   squared gradients + epsilon). The gradient is computed by finite differences of densities,
   read from many static copies of the cluster out of each other's range. */
#include "validate_internal.h"

#define PI 3.14159265358979323846
#define D 0.05
#define H (2.0 * D)
#define OMEGA 0.05
#define EPSILON 0.01
#define LOW_REST_DENSITY 0.5      /* rest density that no particle exceeds */
#define MAX_CLUSTER_PARTICLES 13u /* particles of a cluster; the first is its middle */
#define STENCIL 4u                /* displacements of a coordinate, for a fourth-order difference */
#define MOVE_M (0.02 * H)         /* m */
#define COPY_DISTANCE (6.0 * D)   /* m, between copies */

static const double moves[STENCIL] = {-2, -1, 1, 2}; /* in units of MOVE */
static const double weights[STENCIL] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

typedef struct cluster {
    const char *name;
    uint32_t dimensions, count; /* of the cluster's particles */
    uint32_t copies_per_axis;   /* copies along an axis */
    double rest;                /* rest density that only the middle exceeds */
} cluster;

static const cluster clusters[] = {{"3-D", 3, 13, 6, 1.04}, {"2-D", 2, 7, 8, 0.98}};

/* Neighbours in all directions, at different distances. */
static vec3 cluster_offset(const cluster *c, uint32_t k)
{
    if (k == 0) return vec3_make(0, 0, 0);
    double r = D * (0.85 + 0.03 * k), angle = 2.4 * k, z = 0.0;
    if (c->dimensions == 2) angle = 2.0 * PI * k / (c->count - 1) + 0.05 * k;
    if (c->dimensions == 3) z = 2.0 * (k - 0.5) / (c->count - 1) - 1.0;
    double across = r * sqrt(1.0 - z * z);
    return vec3_make((float)(across * cos(angle)), (float)(across * sin(angle)), (float)(r * z));
}

static vec3 cluster_centre(const cluster *c, uint32_t copy)
{
    const double half = 0.5 * (c->copies_per_axis - 1);
    uint32_t row = copy / c->copies_per_axis, layer = row / c->copies_per_axis;
    double x = copy % c->copies_per_axis - half, y = row % c->copies_per_axis - half,
           z = layer - half;
    return vec3_make((float)(x * COPY_DISTANCE), (float)(y * COPY_DISTANCE),
                     c->dimensions == 3 ? (float)(z * COPY_DISTANCE) : 0.0f);
}

/* Writes copy 0 with the undisplaced cluster, then STENCIL copies for each coordinate of each
   particle. */
static void write_clusters(validate *v, const cluster *c)
{
    const uint32_t copies = 1 + c->count * c->dimensions * STENCIL;
    for (uint32_t copy = 0; copy < copies; ++copy) {
        const uint32_t moved = (copy + STENCIL - 1) / STENCIL; /* coordinate, from 1 */
        for (uint32_t k = 0; k < c->count; ++k) {
            vec3 at = vec3_add(cluster_centre(c, copy), cluster_offset(c, k));
            float by = copy ? (float)(moves[(copy - 1) % STENCIL] * MOVE_M) : 0.0f;
            if (moved == 1 + k * c->dimensions) at.x += by;
            if (moved == 2 + k * c->dimensions) at.y += by;
            if (moved == 3 + k * c->dimensions && c->dimensions == 3) at.z += by;
            validate_add_point(v, at, vec3_make(0, 0, 0));
        }
    }
    validate_write_points(v, "gradient");
}

static validate_world *run_clusters(validate *v, const cluster *c, double rest)
{
    double size = 0.5 * (c->copies_per_axis + 1) * COPY_DISTANCE;
    char *json = base_format(
        "{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 240,"
        " 'domain': {'min': [%g, %g, %g], 'max': [%g, %g, %g]},"
        " 'solver': {'pre_stabilization': 0, 'dimensions': %u, 'kernel': 'wendland', "
        "'support_radius': 2,"
        " 'lattice_density_ratio': %g, 'substeps': 1, 'iterations': 1, 'relaxation': %g,"
        " 'constraint_softening': %g, 'artificial_pressure': 0, 'max_correction': 1},"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'file': 'gradient.npy'}}]}",
        D, -size, -size, -size, size, size, size, c->dimensions, rest, OMEGA, EPSILON);
    return validate_open_run(v, json, 1);
}

/* Returns C of the middle particle of a copy. */
static double constraint_of(const validate_world *still, const cluster *c, uint32_t copy)
{
    return (double)still->density[copy * c->count] / 1000.0 * c->rest / LOW_REST_DENSITY - 1.0;
}

static void check_gradient(validate *v, const cluster *c, const validate_world *still,
                           const validate_world *pushed)
{
    double gradient[MAX_CLUSTER_PARTICLES * 3] = {0}, squares = EPSILON / (H * H), worst = 0.0,
                                            most = 0.0;
    const uint32_t coordinates = c->count * c->dimensions;
    WEIR_ASSERT(c->count <= MAX_CLUSTER_PARTICLES && c->dimensions <= 3);
    for (uint32_t i = 0; i < coordinates; ++i) {
        for (uint32_t s = 0; s < STENCIL; ++s)
            gradient[i] += weights[s] * constraint_of(still, c, 1 + i * STENCIL + s) / MOVE_M;
        squares += gradient[i] * gradient[i];
    }
    for (uint32_t k = 0; k < c->count; ++k) {
        vec3 start = vec3_add(cluster_centre(c, 0), cluster_offset(c, k));
        vec3 moved = vec3_sub(pushed->x[k], start);
        const float got[3] = {moved.x, moved.y, moved.z};
        for (uint32_t axis = 0; axis < c->dimensions; ++axis) {
            double expected =
                -OMEGA * constraint_of(still, c, 0) * gradient[k * c->dimensions + axis] / squares;
            worst = fmax(worst, fabs((double)got[axis] - expected));
            most = fmax(most, fabs(expected));
        }
    }
    validate_at_most(
        v, worst / most, 1e-3,
        "%s: correction, error against finite differences of C, relative to the largest correction",
        c->name);
}

void validate_gradient(validate *v)
{
    for (size_t i = 0; i < BASE_COUNT(clusters); ++i) {
        const cluster *c = &clusters[i];
        write_clusters(v, c);
        validate_world *still = run_clusters(v, c, LOW_REST_DENSITY);
        validate_world *pushed = run_clusters(v, c, c->rest);
        check_gradient(v, c, still, pushed);
        validate_close(still);
        validate_close(pushed);
    }
}
