/* Private to the solid room: the set, node programs, baking and storing of volumes. */
#ifndef WEIR_SOLID_INTERNAL_H
#define WEIR_SOLID_INTERNAL_H

#include "io.h"
#include "solid.h"

#include "shared/solid.h"
#include "shared/solid_bake_sdf.h"

#define SOLID_SDF_MARGIN_CELLS 4u /* of a volume's grid around its mesh */

/* ---- node programs -------------------------------------------------------------------------- */

typedef struct solid_range {
    uint32_t first, count; /* nodes; count 0: the shape has no program */
} solid_range;

typedef BASE_ARRAY(struct solid_node) solid_program;

/* Whose shape it is, for messages. */
typedef struct solid_owner {
    const char *kind; /* "solid", "sink", "fluid" */
    const char *name;
    int line, column;
} solid_owner;

/* Appends the program of shape `root`. The volume of a mesh node is the mesh's index until
 * solid_program_link. Errors: SCENE (too many nodes, too deep a stack), MEMORY. */
weir_result solid_program_compile(const weir_log *log, const scene_data *scene, uint32_t root,
                                  const solid_owner *owner, solid_program *program);

/* Levels of operators in second operands: SOLID_CONSTANT_NESTING. */
uint32_t solid_program_nesting(const struct solid_node *nodes, uint32_t count);

/* Distance of a linked program at time 0. */
float solid_program_distance(const struct solid_node *nodes, uint32_t count,
                             const uint32_t *volumes, vec3 point);

/* ---- triangle meshes as trees --------------------------------------------------------------- */

typedef struct solid_tree {
    struct bake_tree_node *nodes;
    uint32_t node_count;
    float *corners; /* nine per triangle, in leaf order */
    uint32_t triangle_count;
} solid_tree;

/* Builds the tree that shaders/lib/sdf/triangle_tree.glsl walks, in cells of `grid`.
 * Errors: MEMORY. */
weir_result solid_tree_build(const weir_log *log, const io_mesh *mesh,
                             const struct solid_volume *grid, solid_tree *tree);
void solid_tree_free(solid_tree *tree);

/* ---- weighing ------------------------------------------------------------------------------- */

/* What a mesh encloses, in its own axes, about the middle of its box. */
typedef struct solid_mesh_properties {
    bool known;
    bool inwards; /* triangles of it face inwards; they count as if they faced outwards */
    bool mixed;   /* triangles next to each other face different ways */
    vec3 middle;
    solid_moments moments;
} solid_mesh_properties;

typedef struct solid_winding {
    bool closed; /* each edge has as many triangles in one direction as in the other: then winding
                    numbers are whole numbers everywhere */
    bool mixed;  /* two triangles at one edge face different ways */
} solid_winding;
/* Errors: MEMORY. */
weir_result solid_mesh_check_winding(const weir_log *log, const io_mesh *mesh,
                                     solid_winding *winding);
/* Moments of a closed mesh, exact where its parts do not overlap; weight->known stays false for an
 * open one. `box`: of its vertices, low and high. Errors: MEMORY. */
weir_result solid_mesh_moments(const weir_log *log, const io_mesh *mesh, const vec3 box[2],
                               solid_mesh_properties *weight);
/* In world axes about `origin`, of the mesh in this pose. */
solid_moments solid_transform_moments(const solid_mesh_properties *weight, const scene_pose *pose,
                                      vec3 origin);

/* ---- baking --------------------------------------------------------------------------------- */

typedef struct solid_sdf_baker solid_sdf_baker; /* kernels of the bake */
weir_result solid_sdf_baker_create(gpu_device *device, solid_sdf_baker **baker);
void solid_sdf_baker_destroy(gpu_device *device, solid_sdf_baker **baker);

/* Signed distances in m (mesh space) at every node of the grid. Errors: MEMORY. */
weir_result solid_bake_sdf(gpu_device *device, const solid_sdf_baker *baker, const io_mesh *mesh,
                           const struct solid_volume *grid, float *distances);

/* Gives `distances` (unsigned, in cells) the sign of the winding numbers, and where that changes
 * without a triangle between two nodes - across a hole - a surface at winding number 1/2.
 * Errors: MEMORY. */
weir_result solid_fix_signs(const weir_log *log, const struct solid_volume *grid,
                            const float *windings, float *distances);

static inline size_t solid_grid_nodes(const struct solid_volume *grid)
{
    return (size_t)grid->nx * grid->ny * grid->nz;
}

/* ---- volumes -------------------------------------------------------------------------------- */

/* One mesh of the scene, or a sequence of them. */
typedef struct solid_mesh {
    float scale;         /* the largest that a node gives it; 0: no node uses it */
    float finer;         /* its cells over those of other meshes: below 1 for thin shells */
    uint32_t open_edges; /* of its first file */
    vec3 min, max;       /* over all files, mesh space */
    uint32_t frame_count;
    struct solid_volume grid; /* of every file */
    bool weighed; /* the shape of a body or a soft body: `weight` is that of its first file */
    bool in_set;  /* it is part of such a shape */
    solid_mesh_properties weight;
    bool fine; /* bodies are weighed by a volume of finer cells, too, on the host */
    struct solid_volume fine_grid;
    uint32_t fine_word;  /* in the store's words */
    uint32_t first_word; /* in the volumes buffer */
} solid_mesh;

typedef struct solid_mesh_sdfs {
    solid_mesh *meshes; /* one per mesh of the scene */
    uint32_t *words;    /* the volumes buffer's content; behind it the fine volumes */
    size_t word_count;  /* of the former */
} solid_mesh_sdfs;

/* Reads, bakes or finds in the cache every mesh whose scale is set. Errors as solid_set_create. */
weir_result solid_mesh_sdfs_build(gpu_device *device, const scene_data *scene, float cell_m,
                                  solid_mesh_sdfs *store);
void solid_mesh_sdfs_free(solid_mesh_sdfs *store);
/* Words that one file of the mesh takes. */
size_t solid_mesh_frame_words(const solid_mesh *mesh);

/* ---- the cache ------------------------------------------------------------------------------ */

/* Path of the stored volume of this mesh and grid, NULL without a cache folder or memory. Release
 * with base_free. */
char *solid_cache_path(const gpu_device *device, const io_mesh *mesh,
                       const struct solid_volume *grid);
/* False when there is none, or a broken one, which it warns of. */
bool solid_cache_load(const weir_log *log, const char *path, const struct solid_volume *grid,
                      float *distances);
/* A volume that cannot be stored is a warning: the run goes on. */
void solid_cache_store(const weir_log *log, const char *path, const struct solid_volume *grid,
                       const float *distances);

#endif
