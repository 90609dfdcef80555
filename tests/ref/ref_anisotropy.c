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

/* Jacobi until nothing is left to rotate; columns of v are the axes. */
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

static double sheet_share(const double variance[3], double neighbours)
{
    double longest = fmax(variance[0], fmax(variance[1], variance[2]));
    double shortest = fmin(variance[0], fmin(variance[1], variance[2]));
    double middle = variance[0] + variance[1] + variance[2] - longest - shortest;
    if (!(middle > 0.0)) return 0.0;
    return (1.0 - smooth_step(0.03, 0.1, shortest / middle)) *
           smooth_step(0.3, 0.6, middle / longest) * smooth_step(3.0, 4.0, neighbours);
}

/* ---- sums ----------------------------------------------------------------------------------- */

typedef struct sums {
    double weight, count, first[3], second[3][3];
} sums;

static void add(sums *s, const double d[3], double radius)
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
                add(&s, (double[]){x * fit->spacing, y * fit->spacing, z * fit->spacing},
                    fit->radius);
    return s;
}

static sums sum_points(const ref_anisotropy *fit, const vec4 *points, uint32_t count, uint32_t i)
{
    sums s = {.count = -1.0};
    for (uint32_t j = 0; j < count; j++) {
        double d[3] = {(double)points[j].x - (double)points[i].x,
                       (double)points[j].y - (double)points[i].y,
                       (double)points[j].z - (double)points[i].z};
        for (int k = 0; k < 3; k++)
            if (fit->period[k] > 0.0) d[k] -= fit->period[k] * round(d[k] / fit->period[k]);
        add(&s, d, fit->radius);
    }
    return s;
}

/* `s` of the point's neighbours, `lattice` of a full one's. */
static void find_radii(const ref_anisotropy *fit, const double variance[3], const sums *s,
                       const sums *lattice, double radii[3])
{
    double full = lattice->second[0][0] / lattice->weight, share = s->weight / lattice->weight;
    double sheet = sheet_share(variance, s->count);
    double stretch = fit->stretch / (1.0 - 0.5 * sheet * (1.0 - smooth_step(0.2, 0.35, share)));
    double longest = fmax(variance[0], fmax(variance[1], variance[2])) / full, sum = 0.0;
    radii[0] = radii[1] = radii[2] = 1.0;
    if (!(longest > 1e-6)) return;
    for (int k = 0; k < 3; k++) {
        radii[k] = log(fmax(variance[k] / full, longest / stretch));
        sum += radii[k] / 3.0;
    }
    double fitted = fmax(sheet, smooth_step(3.0, 8.0, s->count));
    for (int k = 0; k < 3; k++)
        radii[k] = fmin(exp(fitted * (radii[k] - sum)), 2.0);
}

ref_shape ref_anisotropy_fit(const ref_anisotropy *fit, const vec4 *points, uint32_t count,
                             uint32_t i)
{
    ref_shape shape = {0};
    sums s = sum_points(fit, points, count, i);
    sums full = sum_lattice(fit, 100), half = sum_lattice(fit, 0);
    double covariance[3][3], axes[3][3], radii[3], mean[3];
    for (int k = 0; k < 3; k++)
        mean[k] = s.first[k] / s.weight;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            covariance[k][l] = s.second[k][l] / s.weight - mean[k] * mean[l];
    diagonalize(covariance, axes);
    const double variance[3] = {covariance[0][0], covariance[1][1], covariance[2][2]};
    find_radii(fit, variance, &s, &full, radii);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            for (int m = 0; m < 3; m++)
                shape.matrix[k][l] += axes[k][m] * radii[m] * axes[l][m];
    double way = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    double flat = -half.first[0] / half.weight;
    double back = way > 0.0 ? flat * smooth_step(0.5, 1.0, way / flat) / way : 0.0;
    const double own[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
    for (int k = 0; k < 3; k++)
        shape.centre[k] = own[k] + fit->smoothing * mean[k] * (1.0 - back);
    shape.share = fmin(fmax(s.weight / full.weight, 0.3 * sheet_share(variance, s.count)), 1.0);
    shape.neighbours = s.count;
    return shape;
}
