/* validate: shared by the gates of weir validate. A gate creates small scenes, runs them through
   the public API, and adds checks; values for plots go into CSV files in the folder. */
#ifndef WEIR_APP_VALIDATE_INTERNAL_H
#define WEIR_APP_VALIDATE_INTERNAL_H

#include "app.h"
#include "validate.h"

#include "weir/bodies.h"

typedef enum validate_rule {
    VALIDATE_WITHIN,  /* |got - expected| <= tolerance */
    VALIDATE_AT_MOST, /* got <= expected */
    VALIDATE_REPORT,  /* reported, without a verdict */
} validate_rule;

typedef struct validate_check {
    const struct validate_case *gate_case;
    char *what;
    validate_rule rule;
    double expected, tolerance, got;
    bool passed; /* always true for a report */
} validate_check;

typedef struct validate_setup {
    const struct validate_case *gate_case;
    char *text;
} validate_setup;

typedef struct validate {
    weir_log log;
    weir_device *device;
    const char *folder; /* absolute */
    bool full;          /* more thorough than --quick */
    const struct validate_case *running;
    BASE_ARRAY(validate_check) checks;
    BASE_ARRAY(validate_setup) setups; /* each once per case */
    BASE_ARRAY(vec3) x, v;             /* points that are not written yet */
    base_text table;                   /* lines that are not written yet */
    bool out_of_memory;                /* the case then ends with WEIR_ERROR_MEMORY */
} validate;

typedef struct validate_case {
    const char *gate; /* "G2" */
    const char *name; /* "response" */
    enum { VALIDATE_QUICK, VALIDATE_FULL, VALIDATE_LONG } tier;
    weir_result (*run)(validate *v);
    const char *about;
} validate_case;

extern const validate_case validate_cases[];
extern const size_t validate_case_count;

/* ---- checks; `what` is a format ------------------------------------------------------------- */

typedef struct validate_range {
    double expected, tolerance;
} validate_range;
void validate_within(validate *v, double got, validate_range range, const char *what, ...)
    BASE_PRINTF(4, 5);
void validate_at_most(validate *v, double got, double limit, const char *what, ...)
    BASE_PRINTF(4, 5);
void validate_report(validate *v, double got, const char *what, ...) BASE_PRINTF(3, 4);

/* ---- scenes --------------------------------------------------------------------------------- */

/* A simulation and its particles as last read, in order of particle id. */
typedef struct validate_world {
    weir_scene *scene;
    weir_scene_info info;
    weir_sim *sim;
    weir_stats stats;
    uint32_t count;
    vec3 *x, *v;    /* [count] */
    float *density; /* [count], kg/m3 */
} validate_world;

/* Opens a scene. `json` has ' in place of "; its relative file names start at the folder. Frees
   `json`, which may be NULL. */
weir_result validate_open(validate *v, char *json, validate_world *world);
void validate_close(validate_world *world);
/* Steps and waits, then reads the statistics. */
weir_result validate_run(validate_world *world, uint32_t frames);
/* Reads position, velocity and density. */
weir_result validate_read(validate_world *world);
/* Opens, runs and reads. */
weir_result validate_open_run(validate *v, char *json, uint32_t frames, validate_world *world);
/* Adds a summary of the world's scene to the setups of the case. */
void validate_add_setup(validate *v, const validate_world *world);
/* Reads a body of the scene after the last frame. */
weir_result validate_read_body(validate_world *world, uint32_t index, weir_body *body);
/* Reads the gauges of the last frame. */
#define VALIDATE_GAUGES 16u
weir_result validate_read_gauges(validate_world *world, weir_gauge gauges[VALIDATE_GAUGES]);

/* ---- files ---------------------------------------------------------------------------------- */

/* Adds a particle for the initial state of a scene. */
void validate_add_point(validate *v, vec3 x, vec3 velocity);
/* Writes the added points to FOLDER/NAME.npy, for a fill {"file": "NAME.npy"}, and clears them. */
weir_result validate_write_points(validate *v, const char *name);
/* Adds a line to a table for plots. */
void validate_add_line(validate *v, const char *format, ...) BASE_PRINTF(2, 3);
/* Writes the added lines to FOLDER/NAME.csv and clears them. */
weir_result validate_write_table(validate *v, const char *name);
/* Discards points and lines that were not written. */
void validate_discard_unwritten(validate *v);

/* ---- kernels -------------------------------------------------------------------------------- */

/* Return W(r) of "poly6" or "wendland" at a distance r below h, in 1/m3, in the plane 1/m2; and
   the size of a slope, -dW/dr, per metre more, also for "spiky". */
double validate_kernel_value(const char *kernel, uint32_t dimensions, double h, double r);
double validate_kernel_slope(const char *kernel, uint32_t dimensions, double h, double r);

/* ---- gates ---------------------------------------------------------------------------------- */

weir_result validate_kernels(validate *v);
weir_result validate_gradient(validate *v);
weir_result validate_neighbours(validate *v);
weir_result validate_density_wave(validate *v);
weir_result validate_momentum(validate *v);
weir_result validate_invariants(validate *v);
weir_result validate_scaling(validate *v);
weir_result validate_hydrostatic(validate *v);
weir_result validate_walls(validate *v);
weir_result validate_pool_at_rest(validate *v);
weir_result validate_ellipse(validate *v);
weir_result validate_oscillation(validate *v);
weir_result validate_droplet(validate *v);
weir_result validate_standing_wave(validate *v);
weir_result validate_shear(validate *v);
weir_result validate_dam(validate *v);
weir_result validate_ritter(validate *v);
weir_result validate_wcsph_wave(validate *v);
weir_result validate_wcsph_dam(validate *v);
weir_result validate_spheric(validate *v);
weir_result validate_spheric_coarse(validate *v);
weir_result validate_wcsph_spheric(validate *v);
weir_result validate_plate_flows(validate *v);
weir_result validate_stiff_viscosity(validate *v);
weir_result validate_gravity_current(validate *v);
weir_result validate_axisymmetric_current(validate *v);
weir_result validate_flip_rest(validate *v);
weir_result validate_flip_slosh(validate *v);
weir_result validate_flip_vortices(validate *v);
weir_result validate_flip_pressure(validate *v);
weir_result validate_flip_pressure_fine(validate *v);
weir_result validate_flip_dam(validate *v);
weir_result validate_flip_spheric(validate *v);
weir_result validate_flip_spheric_coarse(validate *v);
weir_result validate_floating_rafts(validate *v);
weir_result validate_heaving_ball(validate *v);
weir_result validate_sinking_ball(validate *v);
weir_result validate_body_on_slope(validate *v);
weir_result validate_body_tower(validate *v);
weir_result validate_body_momentum(validate *v);
weir_result validate_cube(validate *v);
weir_result validate_cube_fine(validate *v);
weir_result validate_whitewater_emission(validate *v);
weir_result validate_clustering(validate *v);
weir_result validate_bunny(validate *v);
weir_result validate_bunny_fine(validate *v);
weir_result validate_vorticity(validate *v);
weir_result validate_convergence(validate *v);

#endif
