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
    const char *base_folder; /* where relative file names start; NULL: the scene file's folder, or
                                the one that a run.json records */
} weir_scene_def;

WEIR_API weir_scene_def weir_scene_def_default(void);

/* Reads a scene file, or the scene in the run.json of an output folder. Logs every fault of the
 * scene with file, line and column. A simulation keeps the scene that it was made from alive.
 * Errors: SCENE, IO, MEMORY. */
WEIR_API weir_result weir_scene_load(const char *path, const weir_scene_def *def,
                                     weir_scene **scene);

/* The same from `size` bytes of memory, which may die after the call. Errors: SCENE, MEMORY. */
WEIR_API weir_result weir_scene_parse(const char *text, size_t size, const weir_scene_def *def,
                                      weir_scene **scene);
WEIR_API void weir_scene_destroy(weir_scene **scene);

typedef struct weir_scene_info {
    const char *name;        /* lives as long as the scene */
    const char *description; /* likewise */
    const char *json;        /* likewise: the scene with all overrides and defaults filled in, which
                                weir_scene_parse takes; NULL without a scene */
    double frame_rate_hz;
    double duration_s;
    uint32_t frame_count;   /* frames after frame 0 */
    float spacing_m;        /* particle spacing d */
    float support_radius_m; /* h; of FLIP and APIC the edge of a cell of the grid */
    uint32_t method;        /* of the solver, by WEIR_ENUM_METHOD */
    uint32_t substeps;      /* of a frame */
    uint32_t iterations;    /* of a substep; with a tolerance the most; 0: FLIP and APIC */
    double tolerance_mean, tolerance_max; /* density error that ends the iterations; 0: none */
} weir_scene_info;

/* Zeros and empty names for a NULL scene. */
WEIR_API void weir_scene_get_info(const weir_scene *scene, weir_scene_info *info);

typedef enum weir_param_kind {
    WEIR_PARAM_NUMBER,
    WEIR_PARAM_INTEGER,
    WEIR_PARAM_BOOL, /* 0 or 1 */
} weir_param_kind;

/* A number of a scene that overrides can change, or three that belong together. */
typedef struct weir_param {
    char key[96]; /* as overrides name it: "fluids[0].density" */
    weir_param_kind kind;
    uint32_t count; /* of values: 1 or 3 */
    double value[3];
    double min, max;   /* of each value, inclusive */
    const char *unit;  /* "m/s", "" without one; lives as long as the program */
    const char *about; /* what it is, in a few words; lives as long as the program */
    bool live;         /* weir_sim_set_controls can change it while the simulation runs */
    /* The methods that take other values than 0: bit m for that of weir_enum_name(WEIR_ENUM_METHOD,
     * m)
     */
    uint32_t methods;
} weir_param;

/* Parameter number `index`, counted from 0; false past the last. */
WEIR_API bool weir_scene_get_param(const weir_scene *scene, uint32_t index, weir_param *param);

/* What a scene will need. */
typedef struct weir_estimate {
    bool exact;                    /* false: `particles` is an upper bound */
    uint64_t particles;            /* at the start */
    uint64_t max_emitted;          /* most particles that emitters can add */
    uint64_t device_bytes;         /* of device memory */
    uint64_t frame_bytes;          /* of one PLY frame with position, velocity and id */
    double depth_m;                /* of the fluid at the start, along gravity; 0: not counted */
    double predicted_compression;  /* predicted at its floor, a fraction; 0 with FLIP and APIC */
    uint32_t recommended_substeps; /* of a frame, with which it stays below 1 % */
} weir_estimate;

/* Counts the particles with which the fluids start. When `device` is NULL or has no room for them,
 * gives an upper bound from the boxes of the fluids' shapes. Waits. Errors: SCENE, IO (a mesh or
 * particle file), MEMORY. */
WEIR_API weir_result weir_scene_estimate(const weir_scene *scene, weir_device *device,
                                         weir_estimate *needs);

#ifdef __cplusplus
}
#endif
#endif
