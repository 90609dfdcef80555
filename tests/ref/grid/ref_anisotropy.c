#include "ref_anisotropy.h"

void ref_eigenvalues(const double a[3][3], double values[3])
{
    static const double third_turn = 2.0943951023931953;
    double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    double q = (a[0][0] + a[1][1] + a[2][2]) / 3.0;
    double x = a[0][0] - q, y = a[1][1] - q, z = a[2][2] - q;
    double p = sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
    values[0] = values[1] = values[2] = q;
    if (p == 0.0) return;
    double det = x * (y * z - a[1][2] * a[1][2]) - a[0][1] * (a[0][1] * z - a[1][2] * a[0][2]) +
                 a[0][2] * (a[0][1] * a[1][2] - y * a[0][2]);
    double r = fmin(fmax(det / (2.0 * p * p * p), -1.0), 1.0), phi = acos(r) / 3.0;
    values[2] = q + 2.0 * p * cos(phi);
    values[0] = q + 2.0 * p * cos(phi + third_turn);
    values[1] = 3.0 * q - values[0] - values[2];
}

/* ---- axes ----------------------------------------------------------------------------------- */

/* Diagonalizes `a` by Jacobi rotations, until no off-diagonal term is left; the columns of v are
 * the axes. */
static void diagonalize(double a[3][3], double v[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] = i == k;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0.0) continue;
                double angle = 0.5 * atan2(2.0 * a[p][q], a[q][q] - a[p][p]);
                double c = cos(angle), s = sin(angle);
                for (int k = 0; k < 3; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    double x = a[k][p], y = a[k][q], u = v[k][p], w = v[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                    v[k][p] = c * u - s * w;
                    v[k][q] = s * u + c * w;
                }
            }
}

static double smooth_step(double low, double high, double x)
{
    double t = fmin(fmax((x - low) / (high - low), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static double sheet_share(const double variance[3], double least, double neighbours)
{
    double longest = fmax(variance[0], fmax(variance[1], variance[2]));
    double shortest = fmin(variance[0], fmin(variance[1], variance[2]));
    double middle = variance[0] + variance[1] + variance[2] - longest - shortest;
    if (!(middle > 0.0)) return 0.0;
    return (1.0 - smooth_step(0.03, 0.1, shortest / middle)) *
           smooth_step(0.3, 0.6, middle / longest) * smooth_step(3.0, least, neighbours);
}

/* ---- sums ----------------------------------------------------------------------------------- */

typedef struct sums {
    double weight, count, first[3], second[3][3];
} sums;

static void add_offset(sums *s, const double d[3], double radius)
{
    double way = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / radius;
    if (way >= 1.0) return;
    double w = 1.0 - way * way * way;
    s->weight += w;
    s->count += 1.0;
    for (int i = 0; i < 3; i++) {
        s->first[i] += w * d[i];
        for (int k = 0; k < 3; k++)
            s->second[i][k] += w * d[i] * d[k];
    }
}

static sums sum_lattice(const ref_anisotropy *fit, int highest_x)
{
    sums s = {0};
    int n = (int)(fit->radius / fit->spacing) + 1;
    for (int x = -n; x <= highest_x; x++)
        for (int y = -n; y <= n; y++)
            for (int z = -n; z <= n; z++)
                add_offset(&s, (double[]){x * fit->spacing, y * fit->spacing, z * fit->spacing},
                           fit->radius);
    return s;
}

static sums sum_points(const ref_anisotropy *fit, const vec4 *points, uint32_t count, uint32_t i,
                       double radius)
{
    sums s = {.count = -1.0};
    for (uint32_t j = 0; j < count; j++) {
        double d[3] = {(double)points[j].x - (double)points[i].x,
                       (double)points[j].y - (double)points[i].y,
                       (double)points[j].z - (double)points[i].z};
        for (int k = 0; k < 3; k++)
            if (fit->period[k] > 0.0) d[k] -= fit->period[k] * round(d[k] / fit->period[k]);
        add_offset(&s, d, radius);
    }
    return s;
}

/* Classifies the neighbourhood for the radii: `full` is the variance of a full lattice, `share` the
 * weight over that of a full lattice, `fitted` how much of the fitted shape counts, `sheet` how
 * sheet-like it is. */
typedef struct shape_class {
    double full, share, fitted, sheet;
} shape_class;

static void find_radii(const ref_anisotropy *fit, const double variance[3], shape_class of,
                       double radii[3])
{
    double stretch =
        fit->stretch / (1.0 - 0.5 * of.sheet * (1.0 - smooth_step(0.2, 0.35, of.share)));
    double longest = fmax(variance[0], fmax(variance[1], variance[2])) / of.full, sum = 0.0;
    radii[0] = radii[1] = radii[2] = 1.0;
    if (!(longest > 1e-6)) return;
    for (int k = 0; k < 3; k++) {
        radii[k] = log(fmax(variance[k] / of.full, longest / stretch));
        sum += radii[k] / 3.0;
    }
    for (int k = 0; k < 3; k++)
        radii[k] = fmin(exp(of.fitted * (radii[k] - sum)), 2.0);
}

/* Mean position, principal axes and the variances along them. */
typedef struct point_spread {
    double mean[3], axes[3][3], variance[3];
} point_spread;

static point_spread spread_of(const sums *s)
{
    point_spread found;
    double covariance[3][3];
    for (int k = 0; k < 3; k++)
        found.mean[k] = s->first[k] / s->weight;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            covariance[k][l] = s->second[k][l] / s->weight - found.mean[k] * found.mean[l];
    diagonalize(covariance, found.axes);
    for (int k = 0; k < 3; k++)
        found.variance[k] = covariance[k][k];
    return found;
}

/* Adds the ellipsoid with these radii to the shape's matrix, scaled by `times`. */
static void add_shape(ref_shape *shape, const point_spread *of, const double radii[3], double times)
{
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            for (int m = 0; m < 3; m++)
                shape->matrix[k][l] += times * of->axes[k][m] * radii[m] * of->axes[l][m];
}

ref_shape ref_anisotropy_fit(const ref_anisotropy *fit, const vec4 *points, uint32_t count,
                             uint32_t i)
{
    ref_shape shape = {0};
    sums s = sum_points(fit, points, count, i, fit->radius);
    sums full = sum_lattice(fit, 100), half = sum_lattice(fit, 0);
    double radii[3], wide = 0.0, share = s.weight / full.weight;
    point_spread near = spread_of(&s);
    double sheet = sheet_share(near.variance, 4.0, s.count);
    shape_class look = {full.second[0][0] / full.weight, share,
                        fmax(sheet, smooth_step(3.0, 8.0, s.count)), sheet};
    find_radii(fit, near.variance, look, radii);
    share = fmin(fmax(share, 0.3 * sheet), 1.0);
    if (fit->reach > 1.0 && share < 0.2) {
        double wide_radii[3];
        sums far = sum_points(fit, points, count, i, fit->reach * fit->radius);
        point_spread found = spread_of(&far);
        const double *to = found.mean;
        double way = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]) / fit->radius;
        wide = sheet_share(found.variance, 5.0, far.count) * (1.0 - smooth_step(0.14, 0.2, share)) *
               (1.0 - smooth_step(0.13, 0.18, way / fit->reach));
        look = (shape_class){look.full, share, 1.0, 1.0};
        find_radii(fit, found.variance, look, wide_radii);
        add_shape(&shape, &found, wide_radii, wide);
    }
    add_shape(&shape, &near, radii, 1.0 - wide);
    const double *mean = near.mean;
    double way = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    double flat = -half.first[0] / half.weight;
    double back = way > 0.0 ? flat * smooth_step(0.5, 1.0, way / flat) / way : 0.0;
    const double own[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
    for (int k = 0; k < 3; k++)
        shape.centre[k] = own[k] + fit->smoothing * mean[k] * (1.0 - back);
    shape.share = fmax(share, 0.3 * wide);
    shape.neighbours = s.count;
    return shape;
}
