/* Particles of one frame on the device, and files of particles.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_POINTS_PUBLIC_H
#define WEIR_POINTS_PUBLIC_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a particle has. Files and saved states rely on this order and on these types. */
typedef enum weir_field {
    WEIR_FIELD_POSITION, /* float[3], m */
    WEIR_FIELD_VELOCITY, /* float[3], m/s */
    WEIR_FIELD_ID,       /* uint32_t, unique over the whole run */
    WEIR_FIELD_FLUID,    /* uint32_t, index of the fluid in the scene */
    WEIR_FIELD_DENSITY,  /* float, kg/m3; the solids' share is included */
    WEIR_FIELD_COUNT,
} weir_field;

/* Particles of one frame on the device. They do not change while the simulation goes on. */
typedef struct weir_points weir_points;

typedef struct weir_points_def {
    uint32_t cookie;
    uint32_t count;
    float spacing_m;        /* particle spacing d, above 0; no default */
    float support_radius_m; /* support radius h, at least 0; 0, the default: 2 d */
    const float *position;  /* [3 * count], m, finite */
    const float *velocity;  /* [3 * count], m/s; NULL: none */
    const uint32_t *id;     /* [count]; NULL: none */
    const uint32_t *fluid;  /* [count]; NULL: none */
    const float *density;   /* [count], kg/m3; NULL: none */
} weir_points_def;

WEIR_API weir_points_def weir_points_def_default(void);

/* Uploads particles. Of more than 32 times the density of a lattice, the rest is left out and the
 * log says how many. Errors: ARGUMENT, MEMORY. */
WEIR_API weir_result weir_points_create(weir_device *device, const weir_points_def *def,
                                        weir_points **points);

/* Gives back points of either kind, as a destroy function does. */
WEIR_API void weir_points_release(weir_points **points);

typedef struct weir_particles_info {
    uint32_t count;
    uint32_t fields;                    /* bit (1u << field) for each that the file has */
    float min[3], max[3];               /* m, of the positions; 0 without particles */
    float speed_min_m_s, speed_max_m_s; /* m/s; 0 without velocities */
    float speed_mean_m_s;               /* likewise */
} weir_particles_info;

/* Reads and measures a particle file: PLY, VTK, VTU, VTP, BGEO, XYZ, CSV with a header, NPY, or raw
 * float32. `log` may be NULL. Errors: IO, MEMORY. */
WEIR_API weir_result weir_particles_inspect(const weir_log *log, const char *path,
                                            weir_particles_info *info);

/* The particles of a file, in the host's memory, as weir_points_create takes them. */
typedef struct weir_particles {
    weir_points_def points; /* its arrays live until weir_particles_free */
    bool spacing_estimated; /* points.spacing_m is an estimate */
    double time_s;          /* 0 when the file names none */
    void *internal;         /* Weir's own */
} weir_particles;

/* Reads the files that weir_particles_inspect reads. points.spacing_m is twice the radius that the
 * file names (BGEO's pscale, a comment "radius_m="), else an estimate from how densely the
 * particles lie; 0 with fewer than two particles. `log` may be NULL. Errors: IO, MEMORY;
 * `particles` is then empty. */
WEIR_API weir_result weir_particles_load(const weir_log *log, const char *path,
                                         weir_particles *particles);
WEIR_API void weir_particles_free(weir_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
