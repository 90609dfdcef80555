/* Private header of the reader of glTF: the file's JSON and buffers, and its accessors. */
#ifndef IO_GLTF_H
#define IO_GLTF_H

#include "io_internal.h"
#include "io_json.h"

typedef struct gltf_matrix {
    double m[16]; /* by columns */
} gltf_matrix;
static const gltf_matrix gltf_identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

/* An item of one of the file's lists, for messages: "accessors[3]". */
typedef struct gltf_place {
    const char *list;
    size_t number;
} gltf_place;

typedef struct gltf_buffer {
    io_token bytes; /* .at NULL: not loaded yet */
    base_blob blob; /* owns them, unless they are in the file */
} gltf_buffer;

typedef struct gltf {
    io_reader reader;
    json_t *json;
    io_token binary;      /* the second part of a GLB */
    gltf_buffer *buffers; /* as many as the file lists */
    gltf_matrix *worlds;  /* each node's place in the scene */
} gltf;

/* Reads the JSON of a .gltf or .glb file and checks version and extensions. Release with
 * gltf_close, also after errors. Errors: IO, MEMORY. */
weir_result gltf_open(const io_reader *reader, gltf *gltf);
void gltf_close(gltf *gltf);

/* Logs "FILE: LIST[NUMBER]: ..."; a macro for the same reason as base_fail. */
void gltf_log_error(const gltf *gltf, gltf_place place, const char *format, ...) BASE_PRINTF(3, 4);
#define gltf_fail(gltf, place, ...) \
    (gltf_log_error(gltf, place, __VA_ARGS__), (weir_result)WEIR_ERROR_IO)
/* Reports an extension without which the mesh cannot be read, and what to do. */
weir_result gltf_fail_extension(const gltf *gltf, const char *name);

/* An item of one of the file's lists. */
typedef struct gltf_item {
    const json_t *json;
    size_t number;
} gltf_item;
/* Gets the item of a list to which `index`, a value at `place`, refers. */
weir_result gltf_get_item(const gltf *gltf, gltf_place place, const json_t *index, const char *list,
                          gltf_item *item);
/* Gets a whole number from 0; 0 if the object lacks it. */
weir_result gltf_get_count(const gltf *gltf, gltf_place place, const json_t *object,
                           const char *key, uint64_t *value);
typedef struct gltf_list {
    size_t count;
    double *numbers;
} gltf_list;
/* Gets a list of numbers; leaves them unchanged if the object lacks it. */
weir_result gltf_read_numbers(const gltf *gltf, gltf_place place, const json_t *object,
                              const char *key, gltf_list list);
/* Gets the bytes of the buffer to which `index` refers; loads them at the first call. */
weir_result gltf_load_buffer(gltf *gltf, gltf_place place, const json_t *index, io_token *bytes);

/* The numbers of an accessor. */
typedef struct gltf_array {
    double *numbers; /* [count][components]; NULL: none */
    size_t count;
} gltf_array;
/* Reads the accessor to which `index` refers; no numbers if it is NULL. */
weir_result gltf_read_accessor(gltf *gltf, gltf_place place, const json_t *index,
                               uint32_t components, gltf_array *array);
void gltf_array_free(gltf_array *array);

#endif
