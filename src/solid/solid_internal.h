/* solid_internal: declarations private to the solid module: node programs, mesh moments, baking and
 * storing of volumes. */
#ifndef WEIR_SOLID_INTERNAL_H
#define WEIR_SOLID_INTERNAL_H

#include "io.h"
#include "solid.h"

#include "shared/solid.h"
#include "shared/solid_bake_sdf.h"

#define SOLID_SDF_MARGIN_CELLS 4u /* margin of a volume's grid around its mesh */

/* ---- node programs -------------------------------------------------------------------------- */

typedef struct solid_range {
    uint32_t first, count; /* nodes; count 0: the shape has no program */
} solid_range;

typedef BASE_ARRAY(struct solid_node) solid_program;

/* The owner of a shape, for messages. */
typedef struct solid_owner {
    const char *kind; /* "solid", "sink", "fluid" */
    const char *name;
    int line, column;
} solid_owner;

/* Appends the program of shape `root`. The volume of a mesh node is the mesh's index until
 * link_volumes replaces it. Errors: SCENE (too many nodes, stack too deep), MEMORY. */
weir_result solid_program_compile(const weir_log *log, const scene_data *scene, uint32_t root,
                                  const solid_owner *owner, solid_program *program);

/* Warns about meshes by themselves whose size or place does not suit the domain. `boxes`: minimum
 * and maximum per mesh of the scene. */
void solid_warn_file_sizes(const weir_log *log, const scene_data *scene, const vec3 *boxes);

/* Returns how deep operators nest in second operands: SOLID_CONSTANT_NESTING. */
uint32_t solid_program_nesting(const struct solid_node *nodes, uint32_t count);

/* Returns the distance of a linked program at time 0. */
float solid_program_distance(const struct solid_node *nodes, uint32_t count,
                             const uint32_t *volumes, vec3 point);
/* The same at a time of its mesh sequences. */
float solid_program_distance_at(const struct solid_node *nodes, uint32_t count,
                                const uint32_t *volumes, float time_s, vec3 point);

/* ---- triangle meshes as trees --------------------------------------------------------------- */

typedef struct solid_tree {
    struct bake_tree_node *nodes;
    uint32_t node_count;
    float *corners; /* nine per triangle, in leaf order */
    uint32_t triangle_count;
} solid_tree;

/* Builds the tree that shaders/lib/sdf/triangle_tree.glsl traverses, in units of the cells of
 * `grid`. Errors: MEMORY. */
weir_result solid_tree_build(const weir_log *log, const io_mesh *mesh,
                             const struct solid_volume *grid, solid_tree *tree);
void solid_tree_free(solid_tree *tree);

/* ---- mass properties ------------------------------------------------------------------------ */

/* Mass properties of a mesh at unit density, in mesh axes, about the middle of its bounds. */
typedef struct solid_mesh_properties {
    bool known;
    bool inwards; /* its triangles face inwards; they count as if they faced outwards */
    bool mixed;   /* adjacent triangles face opposite ways */
    vec3 middle;
    solid_moments moments;
} solid_mesh_properties;

typedef struct solid_winding {
    /* each edge has equally many triangles in both directions, so winding numbers are integers */
    bool closed;
    bool mixed; /* two triangles at one edge face opposite ways */
} solid_winding;
/* Checks whether the mesh is closed and consistently oriented. Errors: MEMORY. */
weir_result solid_mesh_check_winding(const weir_log *log, const io_mesh *mesh,
                                     solid_winding *winding);
/* Computes the moments of a closed mesh, exact where its parts do not overlap; properties->known
 * stays false for an open one. `box`: lower and upper corner of its vertices. Errors: MEMORY. */
weir_result solid_mesh_moments(const weir_log *log, const io_mesh *mesh, const vec3 box[2],
                               solid_mesh_properties *properties);
/* Transforms the moments of the mesh to this pose, in world axes about `origin`. */
solid_moments solid_transform_moments(const solid_mesh_properties *properties,
                                      const scene_pose *pose, vec3 origin);

/* ---- baking --------------------------------------------------------------------------------- */

typedef struct solid_sdf_baker solid_sdf_baker; /* pipelines of the baker */
weir_result solid_sdf_baker_create(gpu_device *device, solid_sdf_baker **baker);
void solid_sdf_baker_destroy(gpu_device *device, solid_sdf_baker **baker);

/* Computes signed distances in m (mesh space) at every node of the grid. Errors: MEMORY. */
weir_result solid_bake_sdf(gpu_device *device, const solid_sdf_baker *baker, const io_mesh *mesh,
                           const struct solid_volume *grid, float *distances);

/* Gives `distances` (unsigned, in cells) the sign of the winding numbers. Where the sign changes
 * without a triangle between two nodes, across a hole, it adds a surface at winding number 1/2.
 * Errors: MEMORY. */
weir_result solid_fix_signs(const weir_log *log, const struct solid_volume *grid,
                            const float *windings, float *distances);

static inline size_t solid_grid_nodes(const struct solid_volume *grid)
{
    return (size_t)grid->nx * grid->ny * grid->nz;
}

/* ---- volumes -------------------------------------------------------------------------------- */

/* One mesh of the scene, or a sequence of meshes. */
typedef struct solid_mesh {
    float scale;         /* the largest scale among its nodes; 0: no node uses it */
    float finer;         /* its cell size relative to other meshes: below 1 for thin shells */
    uint32_t open_edges; /* of its first file */
    vec3 min, max;       /* over all files, mesh space */
    uint32_t frame_count;
    struct solid_volume grid;   /* of every file */
    bool needs_mass_properties; /* shape of a body or soft body; `mass_properties` are those of its
                                   first file */
    bool in_set;                /* part of such a shape's Boolean operation */
    solid_mesh_properties mass_properties;
    /* mass properties are integrated over a volume with finer cells, which exists only on the
     * host */
    bool fine;
    struct solid_volume fine_grid;
    uint32_t fine_word;  /* in the store's words */
    uint32_t first_word; /* in the volumes buffer */
} solid_mesh;

typedef struct solid_mesh_sdfs {
    solid_mesh *meshes; /* one per mesh of the scene */
    uint32_t *words;    /* contents of the volumes buffer, then the fine volumes */
    size_t word_count;  /* of the volumes buffer */
} solid_mesh_sdfs;

/* Reads every mesh whose scale is set, and bakes it or loads it from the cache. Errors as
 * solid_set_create. */
weir_result solid_mesh_sdfs_build(gpu_device *device, const scene_data *scene, float cell_m,
                                  solid_mesh_sdfs *store);
void solid_mesh_sdfs_free(solid_mesh_sdfs *store);
/* Returns the words that one file of the mesh takes. */
size_t solid_mesh_frame_words(const solid_mesh *mesh);

/* ---- the cache ------------------------------------------------------------------------------ */

/* Returns the path of the stored volume of this mesh and grid, or NULL without a cache folder or
 * memory. Release with base_free. */
char *solid_cache_path(const gpu_device *device, const io_mesh *mesh,
                       const struct solid_volume *grid);
/* Loads a stored volume. Returns false if there is none, or if it is damaged, which causes a
 * warning. */
bool solid_cache_load(const weir_log *log, const char *path, const struct solid_volume *grid,
                      float *distances);
/* Stores a volume. A failure only causes a warning. */
void solid_cache_store(const weir_log *log, const char *path, const struct solid_volume *grid,
                       const float *distances);

#endif
