/* Shape matching on the CPU, in doubles. */
#ifndef WEIR_TESTS_REF_SOFT_CLUSTER_H
#define WEIR_TESTS_REF_SOFT_CLUSTER_H

#include "ref_soft.h"

typedef struct ref_clusters {
    const ref_softs *softs;
    const struct soft_cluster *clusters;
    const struct soft_member *members;
    const float *weights;        /* kg, per vertex */
    const uint32_t *part_firsts; /* per vertex, one more at the end */
    const struct soft_part *parts;
} ref_clusters;

/* Where a cluster is, by the quaternion that fits best (Horn 1987): the eigenvector of a 4 x 4
 * matrix, which the kernel does not make. `rotation`: rows, then columns. */
typedef struct ref_fit {
    double centre[3], rotation[3][3];
} ref_fit;
ref_fit ref_soft_match(const ref_clusters *c, uint32_t cluster);
/* What the vertex has moved in the substep after a sweep's shape matching, m. `fits`: per cluster.
 */
vec3 ref_soft_conform(const ref_clusters *c, const ref_fit *fits, uint32_t vertex);

#endif
