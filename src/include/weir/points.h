/* Particles of one frame on the device, and particle files.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_POINTS_PUBLIC_H
#define WEIR_POINTS_PUBLIC_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fields of a particle. Files and checkpoints rely on this order and on these types. */
typedef enum weir_field {
    WEIR_FIELD_POSITION, /* float[3], m */
    WEIR_FIELD_VELOCITY, /* float[3], m/s */
    WEIR_FIELD_ID,       /* uint32_t, unique over the whole run */
    WEIR_FIELD_FLUID,    /* uint32_t, index of the fluid in the scene */
    WEIR_FIELD_DENSITY,  /* float, kg/m3; includes the contribution of solids */
    WEIR_FIELD_COUNT,
} weir_field;

/* An attribute of particles: a named value that each of them carries (weir/attributes.h). */
typedef struct weir_attribute {
    const char *name;    /* owned by the scene, or by the caller */
    uint32_t components; /* numbers per particle, 1 to 4 */
} weir_attribute;

/* The values of an attribute. */
typedef struct weir_attribute_values {
    const char *name;
    uint32_t components; /* numbers per particle, 1 to 4 */
    uint32_t stride;     /* floats from one particle to the next, at least `components` */
    const float *values;
} weir_attribute_values;

/* Particles of one frame on the device. They do not change while the simulation continues. */
typedef struct weir_points weir_points;

typedef struct weir_points_def {
    uint32_t cookie;
    uint32_t count;
    float spacing_m;        /* particle spacing d, above 0; no default */
    float support_radius_m; /* support radius h, at least 0; 0, the default: 2 d */
    const float *position;  /* [3 * count], m, finite; no default */
    const float *velocity;  /* [3 * count], m/s; NULL: the points have no velocity */
    const uint32_t *id;     /* [count]; NULL: the points have no ids */
    const uint32_t *fluid;  /* [count], index of the fluid in the scene; NULL: no fluid indices */
    const float *density;   /* [count], kg/m3; NULL: the points have no density */
    /* [attribute_count], of at most 16 components in all; NULL: no attributes */
    const weir_attribute_values *attributes;
    uint32_t attribute_count;
} weir_points_def;

/* Returns a def with all defaults. */
WEIR_API weir_points_def weir_points_def_default(void);

/* Uploads particles. Where they are denser than 32 times the initial lattice, the excess particles
 * are dropped, and the log reports how many. `def` has no default and must not be NULL. Errors:
 * ARGUMENT, MEMORY. */
WEIR_API weir_result weir_points_create(weir_device *device, const weir_points_def *def,
                                        weir_points **points);

/* Releases points that were created or acquired; this is their destroy function. */
WEIR_API void weir_points_release(weir_points **points);

/* Measurements of a particle file. */
typedef struct weir_particles_info {
    uint32_t count;
    uint32_t fields;                    /* bit (1u << weir_field) for each field in the file */
    uint32_t skipped;                   /* particles of the file with NaN or infinite numbers */
    uint32_t outliers;                  /* as weir_particles_filter drops them */
    float spacing_m;                    /* as weir_particles_load finds it; 0: unknown */
    bool spacing_estimated;             /* the file does not state it */
    double min[3], max[3];              /* bounds of the positions, m; 0 without particles */
    float speed_min_m_s, speed_max_m_s; /* m/s; 0 without velocities */
    float speed_mean_m_s;               /* m/s; 0 without velocities */
} weir_particles_info;

/* Reads and measures a particle file: PLY, VTK, VTU, VTP, VTKHDF, HDF5, BGEO, LAMMPS dump, XYZ, CSV
 * with a header, NPY, NPZ, or raw float32. `log` may be NULL. Errors: IO, MEMORY, UNSUPPORTED (HDF5
 * where libhdf5 is not installed). */
WEIR_API weir_result weir_particles_inspect(const weir_log *log, const char *path,
                                            weir_particles_info *info);

/* Particles of a file in host memory, ready for weir_points_create. */
typedef struct weir_particles {
    weir_points_def points; /* its arrays live until weir_particles_free */
    bool spacing_estimated; /* points.spacing_m is an estimate */
    double time_s;          /* time of the frame, s; 0 when the file has none */
    /* m, to be added to points.position: 0 unless the particles are so far from 0, like those of a
     * map, that 32-bit floats would round their positions. */
    double origin_m[3];
    uint32_t skipped; /* particles left out, because a number of theirs is NaN or infinite */
    void *internal;   /* used by Weir */
} weir_particles;

/* Reads a particle file of a format listed at weir_particles_inspect. points.spacing_m is twice the
 * radius stored in the file (pscale in BGEO, or a comment "radius_m="), or an estimate from the
 * density of the particles; 0 with fewer than two particles. Particles with numbers that are not
 * finite are left out, and a warning counts them and names the first. `log` may be NULL. Errors:
 * IO (also if more than half of the particles would be left out), MEMORY, UNSUPPORTED (HDF5 where
 * libhdf5 is not installed); `particles` is then empty. */
WEIR_API weir_result weir_particles_load(const weir_log *log, const char *path,
                                         weir_particles *particles);

/* The same with the attributes of these names, as far as the file has them: arrays with so many
 * components, or columns NAME, or NAME_x, NAME_y and so on. Errors also: ARGUMENT (more than
 * WEIR_MAX_ATTRIBUTES attributes, one without 1 to 4 components, or more than 16 in all). */
WEIR_API weir_result weir_particles_load_attributes(const weir_log *log, const char *path,
                                                    const weir_attribute *attributes,
                                                    uint32_t count, weir_particles *particles);

/* Stores the positions relative to another origin, m: frames of one sequence need the same one.
 * 0 0 0 gives the file's own coordinates, rounded to floats. */
WEIR_API void weir_particles_set_origin(weir_particles *particles, const double origin_m[3]);

/* Computes the box outside of which particles are outliers, in the coordinates of points.position:
 * it contains the middle 98 % of the coordinates along each axis, and is enlarged on every side by
 * its longest edge. An empty box, with min above max, if there are no particles. */
WEIR_API void weir_particles_get_bulk_box(const weir_particles *particles, float min[3],
                                          float max[3]);

/* Which particles to keep. */
typedef struct weir_particles_filter_def {
    uint32_t cookie;
    double crop_min[3], crop_max[3]; /* a box to keep, in the file's coordinates; default: all */
    bool drop_outliers;              /* outside the box of weir_particles_get_bulk_box */
} weir_particles_filter_def;

/* Returns a def with all defaults. */
WEIR_API weir_particles_filter_def weir_particles_filter_def_default(void);

/* What a filter has dropped. */
typedef struct weir_particles_filter_info {
    uint32_t cropped;   /* particles outside the crop box */
    uint32_t outliers;  /* far particles */
    uint32_t farthest;  /* index, in the file's order, of the outlier farthest from the others */
    double position[3]; /* its position, m, in the file's coordinates */
} weir_particles_filter_info;

/* Drops particles that `def` does not keep, and keeps the order of the others. If the spacing was
 * estimated, estimates it again. `info` may be NULL. Errors: ARGUMENT (no particle is left; the
 * message says where they are), MEMORY. */
WEIR_API weir_result weir_particles_filter(const weir_log *log, weir_particles *particles,
                                           const weir_particles_filter_def *def,
                                           weir_particles_filter_info *info);
/* Frees the arrays of loaded particles. */
WEIR_API void weir_particles_free(weir_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
