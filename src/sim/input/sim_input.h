/* sim_input: what enters a simulation: initial particles, emitters, the files of the scene, and the
 * ray force. */
#ifndef WEIR_SIM_INPUT_H
#define WEIR_SIM_INPUT_H

#include "sim_state.h"

#define SIM_HOSE_RADIUS_SPACINGS 3.2f

/* Obstacle at the position of a particle. */
typedef enum sim_obstacle {
    SIM_OBSTACLE_NONE,
    SIM_OBSTACLE_BODY,     /* a body or a soft body */
    SIM_OBSTACLE_BOUNDARY, /* a closed side of the domain or a solid */
} sim_obstacle;

/* The obstacles of a scene at the start. Returns NULL if memory is short. */
typedef struct sim_fill_obstacles sim_fill_obstacles;
sim_fill_obstacles *sim_fill_obstacles_create(const scene_data *scene, const solid_set *solids);
void sim_fill_obstacles_destroy(sim_fill_obstacles **obstacles);

/* Moves solids to where they are at a time, and bodies to their states. */
void sim_fill_obstacles_set_time(sim_fill_obstacles *obstacles, double time_s);
void sim_fill_obstacles_set_body(sim_fill_obstacles *obstacles, uint32_t body,
                                 const scene_pose *pose);

/* Returns what contains p. */
sim_obstacle sim_fill_obstacle_at(const sim_fill_obstacles *obstacles, vec3 p);

/* Returns what contains p, not just at its surface, where contacts may leave particles. */
sim_obstacle sim_fill_obstacle_around(const sim_fill_obstacles *obstacles, vec3 p);

/* Returns what contains p or is nearer to p than the method lets particles be. */
sim_obstacle sim_fill_obstacle_near(const sim_fill_obstacles *obstacles, vec3 p);

/* Moves p, which no obstacle contains, as far away as the method requires. Returns false, and
 * leaves p, if there is too little room for a particle. */
bool sim_fill_move_to_gap(const sim_fill_obstacles *obstacles, vec3 *p);

/* Returns the velocity of a fill at p, m/s; and computes the rows of its gradient, 1/s. */
vec3 sim_fill_velocity_at(const scene_fill *fill, vec3 p);
void sim_fill_velocity_gradient_at(const scene_fill *fill, vec3 p, vec3 rows[3]);

/* Fills the fluids' volumes with particles, and reads those of files. Errors: SCENE, IO, MEMORY. */
weir_result sim_fill_fluids(const weir_log *log, const scene_data *scene, const solid_set *solids,
                            sim_initial_particles *particles);
/* The same for the particles of a state, around bodies in their current states. */
weir_result sim_fill_from_start(sim_world *world, const sim_start *start,
                                sim_initial_particles *particles);
/* Fits APIC's velocity gradients to the velocities of neighbours. Errors: MEMORY. */
weir_result sim_fit_velocity_gradients(const weir_log *log, const scene_data *scene,
                                       sim_initial_particles *particles);
/* Gives ids to the particles that have SIM_ID_NOT_GIVEN, and to all if those of files cannot be
 * kept. Errors: MEMORY. */
weir_result sim_fill_ids(const weir_log *log, const scene_data *scene,
                         sim_initial_particles *particles);
void sim_initial_particles_free(sim_initial_particles *particles);

/* Finds the sites of the scene's emitters, and the streams that they form. Also warns about sites
 * where no particle may be. Errors: SCENE (a shape without room for a particle, a flow rate out of
 * range), MEMORY. */
weir_result sim_streams_create(const weir_log *log, const scene_data *scene,
                               const solid_set *solids, sim_streams *streams);
void sim_streams_free(sim_streams *streams);

/* Returns the speed of a stream, m/s, per unit of its emitter's speed or flow rate. */
double sim_stream_speed_scale(const scene_emitter *emitter, const sim_stream *stream);

/* Returns the maximum number of particles that emitters add in `seconds`. */
uint64_t sim_max_emitted(const scene_data *scene, const sim_streams *streams, double seconds);

/* Writes the attributes of a fill's or an emitter's particles to sim_attribute_vectors vectors;
 * `values` NULL: the initial ones. */
void sim_attribute_values(const scene_data *scene, const scene_attribute_values *values, vec4 *to);
/* Where the attributes of particles come from that a file or a caller gives. */
typedef struct sim_attribute_columns {
    uint32_t count;
    struct {
        uint32_t first, components; /* of the scene's attributes */
        size_t stride;              /* floats from one particle to the next */
        const float *values;
    } items[SCENE_MAX_ATTRIBUTES];
} sim_attribute_columns;
/* Finds those that the scene has with as many components, and does not give itself (`values`, which
 * may be NULL). */
void sim_attribute_columns_add(sim_attribute_columns *columns, const scene_data *scene,
                               const scene_attribute_values *values,
                               const weir_attribute_values *from);
/* Overwrites the attributes of particle `index` that the columns have. */
void sim_attribute_columns_read(const sim_attribute_columns *columns, uint32_t index, vec4 *to);
/* Uploads the attributes that emitters and the hose give to their particles. */
weir_result sim_upload_attribute_sources(sim_world *world);

/* Creates the buffers of the emitters, whose streams have been created. */
weir_result sim_emitters_create(sim_world *world);

/* Returns emitter `index` of the scene with the pose and the speed of `emitter`. */
struct sim_emitter sim_emitter_from_scene(const sim_world *world, uint32_t index,
                                          const scene_emitter *emitter);

weir_result sim_driven_emitters_create(sim_world *world);

/* Moves the host-driven emitters through a frame; call it before planning the frame's layers. */
void sim_driven_emitters_begin(sim_world *world, double start_s, double end_s);

/* Returns the state of a host-driven emitter whose opening the host has set, otherwise NULL. */
const sim_driven_emitter *sim_find_driven_emitter(const sim_world *world, uint32_t emitter);

/* Returns the emitter as a stream of it flows at `time_s`, within the frame from span[0] to
 * span[1]. */
struct sim_emitter sim_emitter_at_time(const sim_world *world, const sim_stream *stream,
                                       double time_s, const double span[2]);

/* State of a host-driven emitter in a checkpoint, one for each emitter of the scene; absent if none
 * is host-driven. */
typedef struct sim_saved_driven_emitter {
    scene_pose pose;
    float speed;
    uint32_t overridden, open, unused;
    double origin_s;
} sim_saved_driven_emitter;
uint64_t sim_driven_emitter_bytes(const sim_world *world);
void sim_driven_emitters_save(const sim_world *world, sim_saved_driven_emitter *saved);

/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_driven_emitters_valid(const sim_world *world, const void *saved);
void sim_driven_emitters_restore(sim_world *world, const void *saved);

/* Returns the pass that applies the ray force, once at the start of a frame. */
gpu_pass sim_ray_force_pass(const sim_world *world);

/* Estimates domain_capacity. */
void sim_estimate_domain_capacity(sim_world *world);

/* Returns the number of particles that emitters have withheld because the domain was full. */
uint32_t sim_not_emitted_count(const sim_world *world);

/* Hashes the files that the scene reads. Errors: IO, MEMORY. */
weir_result sim_hash_files(sim_world *world);

/* Compares the files' hashes with those of a checkpoint at `path`, which was saved from the same
 * scene. Errors: ARGUMENT if a file differs. */
weir_result sim_check_file_hashes(const sim_world *world, const char *path, const uint64_t *hashes);

/* Counts the layers that leave before `time_s` as released. */
void sim_emitters_skip_to(sim_world *world, double time_s);

/* Checks the emissions up to `end_s`; changes nothing. Errors: ARGUMENT if there are more layers
 * than one frame takes, UNSUPPORTED if ids run out. */
weir_result sim_check_emissions(const sim_world *world, double end_s);

/* Layers that emitters release in a frame, in order of time. */
typedef struct sim_emission_plan {
    struct sim_emission *items;          /* [SIM_MAX_EMISSIONS], the caller's */
    struct sim_emitter *moving_emitters; /* [sim_max_moving_layers], the caller's */
    uint32_t count, moving_count, particles;
    float max_speed; /* of the fastest layer, m/s; 0 without layers */
} sim_emission_plan;
void sim_plan_emissions(sim_world *world, double start_s, double seconds, sim_emission_plan *plan);

/* The waves with which a sea starts. Its fill is higher than they are, and leaves out what is above
 * them; it gives the particles their velocity, m/s, in addition to the current. */
typedef struct sim_sea_start {
    const scene_data *scene;
    scene_sea_wave waves[SCENE_MAX_SEA_WAVES];
    uint32_t count; /* 0: still water */
} sim_sea_start;
sim_sea_start sim_sea_start_of(const scene_data *scene);
bool sim_is_above_sea(const sim_sea_start *sea, vec3 p);
vec3 sim_sea_start_velocity(const sim_sea_start *sea, vec3 p);

/* Samples the curves of the fluids' numbers and uploads them. */
weir_result sim_material_curves_upload(sim_world *world);

/* Samples the force fields of the scene that formulas do not give. Errors: IO, SCENE, MEMORY. */
weir_result sim_force_fields_create(sim_world *world);
/* Uploads their nodes, once the buffers exist. */
weir_result sim_force_fields_upload(sim_world *world);
/* Sets their live numbers to those of the scene. */
void sim_force_fields_fill(sim_world *world);
/* Computes the fields of a frame that starts at a time. */
void sim_force_fields_at(const sim_world *world, double time_s, struct sim_force_fields *out);

/* Fill in the sea at time 0, and the sea of a frame that starts at a time. */
void sim_sea_fill(sim_world *world);
void sim_sea_at(const sim_world *world, double time_s, struct sim_sea *out);

#endif
