/* Reference of shape matching. */
#include "ref_shape_matching.h"

/* Computes the position of a member, m, relative to the start position of the cluster's first
 * member. */
static void member_position(const ref_clusters *c, uint32_t cluster, uint32_t vertex, double to[3])
{
    uint32_t first = c->members[c->clusters[cluster].first].vertex;
    const vec4 *p = &c->deformables->states[vertex].position,
               *o = &c->deformables->states[first].position;
    const vec4 *moved = &c->deformables->displacements[vertex];
    to[0] = (double)p->x - (double)o->x + (double)moved->x;
    to[1] = (double)p->y - (double)o->y + (double)moved->y;
    to[2] = (double)p->z - (double)o->z + (double)moved->z;
}

/* Diagonalizes m by Jacobi rotations: the columns of `v` become the eigenvectors of m, and its
 * diagonal the eigenvalues. */
static void diagonalize(double m[4][4], double v[4][4])
{
    for (int sweep = 0; sweep < 40; sweep++)
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                double angle = 0.5 * atan2(2.0 * m[p][q], m[q][q] - m[p][p]);
                double cosine = cos(angle), sine = sin(angle);
                for (int k = 0; k < 4; k++) {
                    double a = m[k][p], b = m[k][q];
                    m[k][p] = cosine * a - sine * b, m[k][q] = sine * a + cosine * b;
                }
                for (int k = 0; k < 4; k++) {
                    double a = m[p][k], b = m[q][k];
                    m[p][k] = cosine * a - sine * b, m[q][k] = sine * a + cosine * b;
                    a = v[k][p], b = v[k][q];
                    v[k][p] = cosine * a - sine * b, v[k][q] = sine * a + cosine * b;
                }
            }
}

/* Finds the best rotation; `s` is the sum of mass (kg) times start position (rows) times current
 * position (columns). */
static void find_rotation(double s[3][3], double rotation[3][3])
{
    double m[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {0, 0, 0, s[2][2] - s[0][0] - s[1][1]}};
    double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    int best = 0;
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < p; q++)
            m[p][q] = m[q][p];
    diagonalize(m, v);
    for (int k = 1; k < 4; k++)
        if (m[k][k] > m[best][best]) best = k;
    double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
    double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(rotation, r, sizeof r);
}

ref_cluster_transform ref_shape_match_fit(const ref_clusters *c, uint32_t index)
{
    const struct deformable_cluster *cluster = &c->clusters[index];
    ref_cluster_transform fit = {0};
    double sum[3][3] = {{0}}, mass = 0.0, p[3];
    for (uint32_t m = cluster->first; m < cluster->first + cluster->count; m++) {
        uint32_t v = c->members[m].vertex;
        member_position(c, index, v, p);
        mass += (double)c->cluster_masses[v];
        for (int k = 0; k < 3; k++)
            fit.centre[k] += (double)c->cluster_masses[v] * p[k];
    }
    for (int k = 0; k < 3; k++)
        fit.centre[k] /= mass;
    for (uint32_t m = cluster->first; m < cluster->first + cluster->count; m++) {
        const struct deformable_member *member = &c->members[m];
        const double q[3] = {(double)member->x, (double)member->y, (double)member->z};
        member_position(c, index, member->vertex, p);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++)
                sum[r][k] +=
                    (double)c->cluster_masses[member->vertex] * q[r] * (p[k] - fit.centre[k]);
    }
    find_rotation(sum, fit.rotation);
    return fit;
}

vec3 ref_shape_match_apply(const ref_clusters *c, const ref_cluster_transform *fits,
                           uint32_t vertex)
{
    const vec4 *moved = &c->deformables->displacements[vertex];
    uint32_t first = c->membership_offsets[vertex], end = c->membership_offsets[vertex + 1];
    double sum[3] = {0}, p[3];
    for (uint32_t i = first; i < end && moved->w > 0.0f; i++) {
        const struct deformable_membership *part = &c->memberships[i];
        const struct deformable_member *member = &c->members[part->member];
        const double q[3] = {(double)member->x, (double)member->y, (double)member->z};
        const ref_cluster_transform *fit = &fits[part->cluster];
        member_position(c, part->cluster, vertex, p);
        for (int r = 0; r < 3; r++) {
            double goal = fit->centre[r];
            for (int k = 0; k < 3; k++)
                goal += fit->rotation[r][k] * q[k];
            sum[r] += (double)c->clusters[part->cluster].stiffness * (goal - p[r]) / (end - first);
        }
    }
    return vec3_make(moved->x + (float)sum[0], moved->y + (float)sum[1], moved->z + (float)sum[2]);
}
