/* Reference of shape matching on the CPU, in double precision. */
#ifndef WEIR_TESTS_REF_SHAPE_MATCHING_H
#define WEIR_TESTS_REF_SHAPE_MATCHING_H

#include "ref_deformable.h"

typedef struct ref_clusters {
    const ref_deformables *deformables;
    const struct deformable_cluster *clusters;
    const struct deformable_member *members;
    const float *cluster_masses;        /* kg, per vertex */
    const uint32_t *membership_offsets; /* per vertex, with one extra entry at the end */
    const struct deformable_membership *memberships;
} ref_clusters;

/* The pose of a cluster by the best-fitting quaternion (Horn 1987), an eigenvector of a 4 x 4
 * matrix that the shader does not build. `rotation` is in row-major order. */
typedef struct ref_cluster_transform {
    double centre[3], rotation[3][3];
} ref_cluster_transform;
ref_cluster_transform ref_shape_match_fit(const ref_clusters *c, uint32_t cluster);
/* Returns the displacement of the vertex in the substep after shape matching in one sweep, m.
 * `fits`: per cluster. */
vec3 ref_shape_match_apply(const ref_clusters *c, const ref_cluster_transform *fits,
                           uint32_t vertex);

#endif
