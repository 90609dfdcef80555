/* Reference of blocks, order, weights and field, written for certainty and not for speed. */
#include "ref_mesh.h"

#include <stdlib.h>

static float on_axis(float p, float origin, float rest, float inverse)
{
    volatile float a = p - origin;
    volatile float b = a - rest;
    return b * inverse;
}

vec4 ref_mesh_lattice(const struct mesh_params *m, vec4 p)
{
    float inverse = m->origin_low_bits.w;
    return (vec4){on_axis(p.x, m->origin.x, m->origin_low_bits.x, inverse),
                  on_axis(p.y, m->origin.y, m->origin_low_bits.y, inverse),
                  on_axis(p.z, m->origin.z, m->origin_low_bits.z, inverse), 1.0f};
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int32_t floor_block(float value)
{
    return (int32_t)floorf(value) >> 3;
}

static uint32_t super_of(const struct mesh_params *m, ref_block b)
{
    return (uint32_t)(b.x >> 3) +
           m->super_blocks_x * ((uint32_t)(b.y >> 3) + m->super_blocks_y * (uint32_t)(b.z >> 3));
}

static uint64_t rank_of(const struct mesh_params *m, ref_block b)
{
    uint32_t child = (uint32_t)((b.x & 7) | (b.y & 7) << 3 | (b.z & 7) << 6);
    return (uint64_t)super_of(m, b) * MESH_BLOCKS_PER_SUPER_BLOCK + child;
}

ref_block *ref_mesh_blocks(const struct mesh_params *m, const vec4 *q, uint32_t count,
                           uint32_t *block_count)
{
    size_t ranks = (size_t)m->super_blocks_x * m->super_blocks_y * m->super_blocks_z *
                   MESH_BLOCKS_PER_SUPER_BLOCK;
    ref_block *all = base_alloc(ranks, sizeof *all), *list = NULL;
    uint8_t *touched = base_alloc(ranks, 1);
    float far = m->reach + 0.01f;
    *block_count = 0;
    for (uint32_t i = 0; all && touched && i < count; i++)
        for (int32_t z = floor_block(q[i].z - m->reach - 0.01f); z <= floor_block(q[i].z + far);
             z++)
            for (int32_t y = floor_block(q[i].y - m->reach - 0.01f); y <= floor_block(q[i].y + far);
                 y++)
                for (int32_t x = floor_block(q[i].x - m->reach - 0.01f);
                     x <= floor_block(q[i].x + far); x++) {
                    uint64_t rank = rank_of(m, (ref_block){x, y, z});
                    touched[rank] = 1;
                    all[rank] = (ref_block){x, y, z};
                }
    list = base_alloc(ranks, sizeof *list);
    for (size_t i = 0; list && all && touched && i < ranks; i++)
        if (touched[i]) list[(*block_count)++] = all[i];
    base_free(all);
    base_free(touched);
    return list;
}

/* ---- order ---------------------------------------------------------------------------------- */

typedef struct keyed {
    uint64_t bin;
    uint32_t fine, index;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->bin != y->bin) return x->bin < y->bin ? -1 : 1;
    if (x->fine != y->fine) return x->fine < y->fine ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Returns the position of a coordinate within its bin, in steps of 1/1024 bin. */
static uint32_t fine_on_axis(const struct mesh_params *m, float q)
{
    volatile float bins = q * (m->bin_shift == 3 ? 0.125f : 0.25f);
    volatile float fraction = bins - floorf(bins);
    return (uint32_t)(fraction * 1023.99f);
}

bool ref_mesh_order(const struct mesh_params *m, const vec4 *q, uint32_t count, uint32_t *order)
{
    keyed *all = base_alloc(count, sizeof *all);
    if (!all) return false;
    for (uint32_t i = 0; i < count; i++) {
        int32_t x = (int32_t)floorf(q[i].x), y = (int32_t)floorf(q[i].y),
                z = (int32_t)floorf(q[i].z);
        uint64_t rank = rank_of(m, (ref_block){x >> 3, y >> 3, z >> 3});
        uint32_t bin = (uint32_t)((x >> 2 & 1) | (y >> 2 & 1) << 1 | (z >> 2 & 1) << 2);
        all[i] = (keyed){rank * 8 + (m->bin_shift == 3 ? 0 : bin),
                         fine_on_axis(m, q[i].x) | fine_on_axis(m, q[i].y) << 10 |
                             fine_on_axis(m, q[i].z) << 20,
                         i};
    }
    qsort(all, count, sizeof *all, compare_keyed);
    for (uint32_t i = 0; i < count; i++)
        order[i] = all[i].index;
    base_free(all);
    return true;
}

/* ---- weights -------------------------------------------------------------------------------- */

static double spline(double r, double reach)
{
    double q = r / reach, a = fmax(1.0 - q, 0.0), b = fmax(0.5 - q, 0.0);
    return a * a * a - 4.0 * b * b * b;
}

static double blob(double r, double reach)
{
    double t = fmax(1.0 - r * r / (reach * reach), 0.0);
    return t * t * t;
}

typedef struct offset {
    double x, y, z, squared;
} offset;

static offset offset_between(vec4 a, vec4 b)
{
    offset d = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z, 0};
    d.squared = d.x * d.x + d.y * d.y + d.z * d.z;
    return d;
}

uint32_t ref_mesh_weights(const struct mesh_params *m, uint32_t kind, vec4 *q, uint32_t count,
                          float *neighbours)
{
    uint32_t spray = 0;
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0.0, reach = (double)m->kernel;
        uint32_t near = 0;
        for (uint32_t j = 0; j < count; j++) {
            double r2 = offset_between(q[i], q[j]).squared;
            sum += spline(sqrt(r2), reach);
            near += r2 < reach * reach;
        }
        neighbours[i] = (float)(near - 1);
        bool is_spray = near < m->spray_neighbours + 1;
        q[i].w = is_spray ? 0.0f : kind == MESH_ZHU_BRIDSON ? 1.0f : (float)(1.0 / sum);
        spray += is_spray;
    }
    return spray;
}

/* ---- field ---------------------------------------------------------------------------------- */

/* Returns the largest eigenvalue of a symmetric matrix by Jacobi rotations. */
static double largest_eigenvalue(double a[3][3])
{
    for (int sweep = 0; sweep < 32; sweep++)
        for (int p = 0; p < 2; p++)
            for (int r = p + 1; r < 3; r++) {
                if (fabs(a[p][r]) < 1e-300) continue;
                double theta = (a[r][r] - a[p][p]) / (2.0 * a[p][r]);
                double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 3; k++) {
                    double u = a[k][p], v = a[k][r];
                    a[k][p] = c * u - s * v;
                    a[k][r] = s * u + c * v;
                }
                for (int k = 0; k < 3; k++) {
                    double u = a[p][k], v = a[r][k];
                    a[p][k] = c * u - s * v;
                    a[r][k] = s * u + c * v;
                }
            }
    return fmax(a[0][0], fmax(a[1][1], a[2][2]));
}

static bool mean_offset(const struct mesh_params *m, const vec4 *q, uint32_t count,
                        const double at[3], double mean[4])
{
    mean[0] = mean[1] = mean[2] = mean[3] = 0.0;
    for (uint32_t j = 0; j < count; j++) {
        double d[3] = {(double)q[j].x - at[0], (double)q[j].y - at[1], (double)q[j].z - at[2]};
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double w = (double)q[j].w * blob(sqrt(r2), (double)m->reach);
        for (int k = 0; k < 3; k++)
            mean[k] += w * d[k];
        mean[3] += w;
    }
    for (int k = 0; k < 3; k++)
        mean[k] /= mean[3];
    return mean[3] > 0.0;
}

/* Differentiates the mean position itself numerically, independently of the shader's formula. */
static double damping_factor(const struct mesh_params *m, const vec4 *q, uint32_t count, vec3 node)
{
    double at[3] = {(double)node.x, (double)node.y, (double)node.z}, j[3][3], s[3][3];
    double step = 1e-3;
    for (int axis = 0; axis < 3; axis++) {
        double low[4], high[4], back[3] = {at[0], at[1], at[2]}, ahead[3] = {at[0], at[1], at[2]};
        back[axis] -= step;
        ahead[axis] += step;
        if (!mean_offset(m, q, count, back, low) || !mean_offset(m, q, count, ahead, high))
            return 1.0;
        for (int k = 0; k < 3; k++) /* the mean itself moves along with the point */
            j[k][axis] = (high[k] - low[k]) / (2.0 * step) + (k == axis ? 1.0 : 0.0);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            s[a][b] = 0.5 * (j[a][b] + j[b][a]);
    double g = fmin(fmax((3.5 - largest_eigenvalue(s)) / 3.1, 0.0), 1.0);
    return g * g * g - 3.0 * g * g + 3.0 * g;
}

/* Returns the kernel's argument s times h, |A^-1 d|, and the determinant of A, by Cramer's rule. */
static double ellipsoid_distance(const float *shape, const offset *d, double *determinant)
{
    double xx = (double)shape[0], xy = (double)shape[1], xz = (double)shape[2],
           yy = (double)shape[3], yz = (double)shape[4], zz = (double)shape[5];
    double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    double x =
        d->x * (yy * zz - yz * yz) - xy * (d->y * zz - yz * d->z) + xz * (d->y * yz - yy * d->z);
    double y =
        xx * (d->y * zz - yz * d->z) - d->x * (xy * zz - yz * xz) + xz * (xy * d->z - d->y * xz);
    double z =
        xx * (yy * d->z - d->y * yz) - xy * (xy * d->z - d->y * xz) + d->x * (xy * yz - yy * xz);
    *determinant = det;
    return sqrt(x * x + y * y + z * z) / fabs(det);
}

static double ellipsoid_sum(const ref_particles *particles, vec4 x)
{
    double sum = 0.0, determinant;
    for (uint32_t j = 0; j < particles->count; j++) {
        offset d = offset_between(x, particles->weighted[j]);
        double r = ellipsoid_distance(particles->shapes + 8 * (size_t)j, &d, &determinant);
        sum += (double)particles->weighted[j].w / determinant *
               spline(r, (double)particles->params->kernel);
    }
    return sum;
}

double ref_mesh_field(const ref_particles *particles, vec3 node, bool *damped)
{
    const struct mesh_params *m = particles->params;
    const vec4 *q = particles->weighted;
    uint32_t count = particles->count;
    double at[3] = {(double)node.x, (double)node.y, (double)node.z}, mean[4], colour = 0.0;
    *damped = false;
    if (particles->kind == MESH_ANISOTROPIC)
        return (double)m->iso - ellipsoid_sum(particles, (vec4){node.x, node.y, node.z, 0.0f});
    if (particles->kind == MESH_COLOUR_FIELD) {
        vec4 x = {node.x, node.y, node.z, 0.0f};
        for (uint32_t j = 0; j < count; j++)
            colour +=
                (double)q[j].w * spline(sqrt(offset_between(x, q[j]).squared), (double)m->reach);
        return (double)m->iso - colour;
    }
    if (!mean_offset(m, q, count, at, mean)) return (double)m->outside;
    double distance = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    double radius = (double)m->radius;
    *damped = distance < radius && mean[3] < (double)m->damping_max_weight;
    return distance - (*damped ? radius * damping_factor(m, q, count, node) : radius);
}

double ref_mesh_interpolate(const ref_particles *particles, const float *values, vec3 point)
{
    const struct mesh_params *m = particles->params;
    const vec4 *q = particles->weighted;
    uint32_t count = particles->count;
    double sum = 0.0, weight = 0.0, reach = (double)m->reach;
    vec4 x = {point.x, point.y, point.z, 0.0f};
    for (uint32_t j = 0; j < count; j++) {
        double r = sqrt(offset_between(x, q[j]).squared);
        bool blobs = particles->kind == MESH_ZHU_BRIDSON;
        double w = blobs ? blob(r, reach) : spline(r, reach);
        w *= particles->kind == MESH_ANISOTROPIC ? (double)(q[j].w > 0.0f) : (double)q[j].w;
        sum += w * (double)values[j];
        weight += w;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}
