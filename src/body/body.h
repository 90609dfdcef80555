/* body: rigid bodies, their masses, state and contacts. Fluid meets them as it meets solids: they
 * are items of the solid set, and the substep writes their poses. */
#ifndef WEIR_BODY_H
#define WEIR_BODY_H

#include "gpu.h"
#include "scene.h"
#include "solid.h"

typedef struct body_set body_set;

/* What a body is made of, from its shape. */
typedef struct body_figures {
    double mass_kg, volume_m3, density; /* kg/m3 */
    vec3 centre;                        /* m: of mass, at the start */
    uint32_t samples;                   /* points of its surface that contacts are sought at */
} body_figures;

/* Measures the scene's bodies and makes their buffers and kernels. Both must outlive the set.
 * Errors: SCENE (a body that encloses nothing, is thinner than a spacing, or overlaps a wall or
 * another body at the start), MEMORY. */
weir_result body_set_create(gpu_device *device, const scene_data *scene, const solid_set *solids,
                            body_set **set);
void body_set_destroy(gpu_device *device, body_set **set);
/* The checks and figures alone, without a device's buffers. `figures` [body_count]. */
weir_result body_measure(const weir_log *log, const scene_data *scene, const solid_set *solids,
                         body_figures *figures);
const body_figures *body_set_figures(const body_set *set);

/* The state that bodies start with, and where the device keeps it: struct body_state per body. */
struct body_state;
const struct body_state *body_set_starts(const body_set *set);
gpu_buffer *body_set_makes(const body_set *set); /* struct body_make per body */
gpu_buffer *body_set_states(const body_set *set);
gpu_buffer *body_set_iterates(const body_set *set);
gpu_buffer *body_set_sums(const body_set *set);
/* What fluid does to bodies: struct body_push per body. */
gpu_buffer *body_set_pushes(const body_set *set);
/* The forces of contacts, which the next substep begins with: struct body_hold per sample. */
gpu_buffer *body_set_holds(const body_set *set);
uint64_t body_set_hold_bytes(const body_set *set);

/* The cells that say which bodies are near: shaders/shared/body.h. */
typedef struct body_cells {
    uint32_t count[3], words; /* words: of each cell */
    float edge_m;
} body_cells;
body_cells body_set_cells(const body_set *set);
gpu_buffer *body_set_cell_words(const body_set *set);
gpu_buffer *body_set_spheres(const body_set *set);
gpu_buffer *body_set_queues(const body_set *set); /* BODY_QUEUES */
gpu_buffer *body_set_hand(const body_set *set);   /* one struct body_hand */

/* Angular velocity, rad/s, and the angular momentum, kg m2/s, that a body has with it. */
vec3 body_turning(const body_set *set, uint32_t body, const struct body_state *state);
vec3 body_spin(const body_set *set, uint32_t body, quat rotation, vec3 turning);
/* m/s, of a bound that holds the whole body. */
float body_fastest_point(const body_set *set, uint32_t body, const struct body_state *state);
/* Kinetic energy, J. */
double body_kinetic(const body_set *set, uint32_t body, const struct body_state *state);
/* Where solids and bodies are at some time. */
typedef struct body_world {
    const solid_set *solids;
    const struct body_state *states;
    double time_s;
} body_world;
/* Refuses a body that overlaps a wall or another body there. Errors: ARGUMENT, MEMORY. */
weir_result body_check_place(const body_set *set, const weir_log *log, const body_world *world,
                             uint32_t body);
/* Distance of a point from a body's surface, m, negative inside; past a spacing a lower bound. */
float body_surface_distance(const body_set *set, const solid_set *solids,
                            const struct body_state *state, uint32_t body, vec3 p);
/* Clears the forces between a body and what it met. `holds`: as the device has them. */
struct body_hold;
void body_forget_holds(const body_set *set, uint32_t body, struct body_hold *holds);
/* The pose of an item: item space to world; of a body whose centre of mass is at `position`, then
 * of one of the set. */
scene_pose body_place(const body_figures *figures, vec3 position, quat rotation);
scene_pose body_pose(const body_set *set, uint32_t body, const struct body_state *state);

typedef struct body_ray {
    vec3 origin, direction; /* of length 1 */
} body_ray;
/* The first body that a ray meets, BODY_NONE without one. *place: where it is met, from the centre
 * of mass, in axes that turn with the body. `states` are those of the bodies. */
uint32_t body_set_pick(const body_set *set, const solid_set *solids,
                       const struct body_state *states, const body_ray *ray, vec3 *place);

/* The simulation's buffers that the kernels of bodies read: shaders/shared/body.h. */
typedef struct body_binds {
    gpu_buffer *params, *state, *status, *poses;
    const solid_set *solids;
} body_binds;

/* Each appends rows, returns how many: before the fluid's prediction, after which the cells say
 * which bodies are near and no particle has lined up; before what asks the cells once bodies have
 * moved; behind all that fluid gives the bodies before they move by it; behind each
 * iteration of the fluid; behind all that a grid's pressure or the particles of a whole substep
 * give the bodies; when the substep is complete. */
#define BODY_SOLVE_ROWS 12u
uint32_t body_begin_rows(const body_set *set, const body_binds *binds, gpu_row *rows);
uint32_t body_cell_rows(const body_set *set, const body_binds *binds, gpu_row *rows);
uint32_t body_tally_rows(const body_set *set, const body_binds *binds, gpu_row *rows);
uint32_t body_solve_rows(const body_set *set, const body_binds *binds, gpu_row *rows);
uint32_t body_shift_rows(const body_set *set, const body_binds *binds, gpu_row *rows);
uint32_t body_end_rows(const body_set *set, const body_binds *binds, gpu_row *rows);
/* The row that lets the hand act, once at a frame's start. */
gpu_row body_drag_row(const body_set *set, const body_binds *binds);

#endif
