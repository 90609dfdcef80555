/* Scenes: loading, overrides, parameters, and estimates of what a run needs.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_SCENE_PUBLIC_H
#define WEIR_SCENE_PUBLIC_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_scene weir_scene;

typedef struct weir_scene_def {
    uint32_t cookie;
    weir_log log;
    const char *const *overrides; /* [override_count] "key.path=value", applied in this order */
    uint32_t override_count;
    /* Folder to which file names in the scene are relative. NULL: the scene file's folder, or the
     * one recorded in a run.json. */
    const char *base_folder;
} weir_scene_def;

/* Returns a def with all defaults. */
WEIR_API weir_scene_def weir_scene_def_default(void);

/* Reads a scene file, or the scene in the run.json of an output folder. Logs every error of the
 * scene with file, line and column. A simulation keeps the scene that it was made from alive. NULL
 * `def` means all defaults. Errors: SCENE, IO, MEMORY. */
WEIR_API weir_result weir_scene_load(const char *path, const weir_scene_def *def,
                                     weir_scene **scene);

/* Reads a scene from `size` bytes of JSON, like weir_scene_load. The bytes may be freed after the
 * call. NULL `def` means all defaults. Errors: SCENE, MEMORY. */
WEIR_API weir_result weir_scene_parse(const char *text, size_t size, const weir_scene_def *def,
                                      weir_scene **scene);
/* Releases the scene; objects made from it remain valid. */
WEIR_API void weir_scene_destroy(weir_scene **scene);

/* The strings live as long as the scene. */
typedef struct weir_scene_info {
    const char *name;
    const char *description;
    /* The scene as JSON with all overrides and defaults filled in, accepted by weir_scene_parse;
     * NULL without a scene. */
    const char *json;
    double frame_rate_hz;
    double duration_s;
    uint32_t frame_count;   /* frames after frame 0 */
    float spacing_m;        /* particle spacing d */
    float support_radius_m; /* support radius h; with FLIP and APIC the edge of a MAC cell */
    uint32_t method;        /* solver.method, a value of WEIR_ENUM_METHOD */
    uint32_t substeps;      /* substeps per frame */
    uint32_t iterations; /* per substep, or their maximum with a tolerance; 0 for FLIP and APIC */
    double tolerance_mean, tolerance_max; /* density error that ends the iterations; 0: none */
    uint32_t look;                        /* index of the named look in WEIR_ENUM_LOOK */
    float domain_min[3], domain_max[3];   /* corners of the domain, m */
    double sea_wavelength_m; /* of regular waves, or at the peak of the spectrum; 0: no waves */
    double sea_zone_width_m; /* of the zones at the sides of a sea; 0: no sea */
    double sea_reflection;   /* of an absorbing zone for these waves, a fraction by linear theory */
} weir_scene_info;

/* Fills in the properties of a scene; zeros and empty names for a NULL scene. */
WEIR_API void weir_scene_get_info(const weir_scene *scene, weir_scene_info *info);

typedef enum weir_param_kind {
    WEIR_PARAM_NUMBER,
    WEIR_PARAM_INTEGER,
    WEIR_PARAM_BOOL, /* 0 or 1 */
} weir_param_kind;

/* A parameter of a scene that overrides can change: one number, or a vector of three. */
typedef struct weir_param {
    char key[96]; /* as in overrides: "fluids[0].density" */
    weir_param_kind kind;
    uint32_t count; /* number of values: 1 or 3 */
    double value[3];
    double min, max;   /* range of each value, inclusive */
    const char *unit;  /* "m/s", or "" without a unit; lives as long as the program */
    const char *about; /* short description; lives as long as the program */
    bool live;         /* weir_sim_set_controls can change it while the simulation runs */
    /* Methods that accept values other than 0: bit m is the method named
     * weir_enum_name(WEIR_ENUM_METHOD, m). */
    uint32_t methods;
} weir_param;

/* Fills in the parameter with this index, counted from 0. Returns false when the index is past the
 * last parameter. */
WEIR_API bool weir_scene_get_param(const weir_scene *scene, uint32_t index, weir_param *param);

/* What a run of a scene needs. */
typedef struct weir_estimate {
    bool exact;            /* false: `particles` is an upper bound */
    uint64_t particles;    /* number of particles at the start */
    uint64_t max_emitted;  /* maximum number of particles that emitters can add */
    uint64_t device_bytes; /* device memory */
    uint64_t frame_bytes;  /* size of a PLY file with position, velocity and id */
    double depth_m;        /* depth of the fluid at the start, along gravity; 0: not computed */
    double predicted_compression;  /* at the floor, as a fraction; 0 with FLIP and APIC */
    uint32_t recommended_substeps; /* per frame, for a predicted compression below 1 % */
} weir_estimate;

/* Estimates particles, memory and substeps of a scene. With a `device` that has room for the
 * fluids, counts their initial particles; otherwise, or with NULL, bounds the number by the boxes
 * of the fluids' shapes. Waits. Errors: SCENE, IO (a mesh or particle file), MEMORY. */
WEIR_API weir_result weir_scene_estimate(const weir_scene *scene, weir_device *device,
                                         weir_estimate *needs);

#ifdef __cplusplus
}
#endif
#endif
