/* Reference of the mesher in plain C: blocks, order, weights, field and marching cubes, in the
 * order of the shaders, with sums in double precision over all particles. */
#ifndef WEIR_REF_MESH_H
#define WEIR_REF_MESH_H

#include "base.h"
#include "shared/mesh.h"

typedef struct ref_block {
    int32_t x, y, z;
} ref_block;

/* Converts a position to cells from the base node, rounded as in the shaders. */
vec4 ref_mesh_lattice(const struct mesh_params *params, vec4 position);

/* Returns the active blocks in order; release with base_free. */
ref_block *ref_mesh_blocks(const struct mesh_params *params, const vec4 *lattice, uint32_t count,
                           uint32_t *block_count);

/* Computes the index of each particle in the sorted order. */
bool ref_mesh_order(const struct mesh_params *params, const vec4 *lattice, uint32_t count,
                    uint32_t *order);

/* Sets w of every particle to its weight in the field, 0 for spray; neighbours[count] is the number
 * of other particles within reach. Returns the number of spray particles. */
uint32_t ref_mesh_weights(const struct mesh_params *params, uint32_t kind, vec4 *lattice,
                          uint32_t count, float *neighbours);

/* Particles with their weights, and the field made from them. */
typedef struct ref_particles {
    const struct mesh_params *params;
    uint32_t kind; /* MESH_ZHU_BRIDSON, MESH_COLOUR_FIELD or MESH_ANISOTROPIC */
    const vec4 *weighted;
    uint32_t count;
    const float *shapes; /* [8 * count]: matrices as produced by the anisotropy of src/grid */
} ref_particles;

/* Returns the field at a node; *damped reports whether the radius may be damped there. */
double ref_mesh_field(const ref_particles *particles, vec3 node, bool *damped);

/* Returns the weighted mean of a value at a point in cells. */
double ref_mesh_interpolate(const ref_particles *particles, const float *values, vec3 point);

/* A field to be meshed: 512 values per block. */
typedef struct ref_mesh_input {
    const struct mesh_params *params;
    const ref_block *blocks;
    uint32_t block_count;
    const float *field;    /* [512 * block_count] */
    const uint32_t *table; /* marching cubes cases */
    bool decider;
} ref_mesh_input;

typedef struct ref_mesh_output {
    uint32_t vertex_count, triangle_count;
    vec3 *position; /* m */
    vec3 *normal;
    uint32_t *index;
} ref_mesh_output;

bool ref_mesh_extract(const ref_mesh_input *input, ref_mesh_output *output);
void ref_mesh_free(ref_mesh_output *output);

#endif
