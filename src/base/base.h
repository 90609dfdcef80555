/* base: log, result, memory, arrays, hash, time, files, threads, small maths.
 * The only room with operating-system calls: base_os.h holds what each system implements. */
#ifndef WEIR_BASE_H
#define WEIR_BASE_H

#include "weir/weir.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined(__MINGW32__) /* whose own convert a double to a float where that is never run */
#undef isfinite
#undef isinf
#undef isnan
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#endif

/* ---- results -------------------------------------------------------------------------------- */

#if defined(__MINGW32__)
#define BASE_PRINTF(f, a) __attribute__((format(gnu_printf, f, a)))
#elif defined(__GNUC__)
#define BASE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define BASE_PRINTF(f, a)
#endif

/* Logs one message at `level`; `log` may be NULL. */
void base_log(const weir_log *log, weir_log_level level, const char *format, ...) BASE_PRINTF(3, 4);

/* Logs an error and has the value of `result`: return base_fail(log, WEIR_ERROR_IO, "%s: ...",
 * path); A macro, so that compilers and analyzers see which value it has. */
#define base_fail(log, result, ...) \
    (base_log(log, WEIR_LOG_ERROR, __VA_ARGS__), (weir_result)(result))

/* Returns from the function with the error, where nothing is to be released. */
#define WEIR_RETURN_IF_ERROR(call)            \
    do {                                      \
        weir_result needed = (call);          \
        if (needed != WEIR_OK) return needed; \
    } while (0)
/* Leaves to the function's one `fail` label with `result` set; every object destroys half-built. */
#define WEIR_GOTO_IF_ERROR(call)          \
    do {                                  \
        result = (call);                  \
        if (result != WEIR_OK) goto fail; \
    } while (0)

/* For our own bugs; prints file, line and condition and aborts, in release builds too. */
#define WEIR_ASSERT(condition) \
    ((condition) ? (void)0 : base_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void base_assert_failed(const char *condition, const char *file, int line);

#define BASE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- memory --------------------------------------------------------------------------------- */

/* Zeroed memory of count * size bytes, NULL when the product overflows or memory is short;
 * count 0 gives a valid pointer. Release with base_free, which accepts NULL. */
void *base_alloc(size_t count, size_t size);
/* Keeps the contents; new bytes are not zeroed. On failure the old block stays valid. */
void *base_realloc(void *memory, size_t count, size_t size);
void base_free(void *memory);
char *base_strdup(const char *text);
/* A fresh string, NULL when memory is short. Release with base_free. */
char *base_format(const char *format, ...) BASE_PRINTF(1, 2);

/* Where base_alloc and base_realloc get memory: `resize` gives a block of `size` bytes with the old
 * contents, or frees and returns NULL for size 0. */
typedef struct base_allocator {
    void *(*resize)(void *user, void *memory, size_t size);
    void *user;
} base_allocator;
/* For tests of failing paths: replaces the allocator (NULL: the system's) and returns the one
 * before. Call it while no other thread allocates; blocks outlive a change only when both end in
 * the system's allocator. */
base_allocator base_allocator_set(const base_allocator *replacement);

/* Growable array: `BASE_ARRAY(float) xs = {0};` BASE_ARRAY_PUSH returns false when memory is short.
 */
#define BASE_ARRAY(type)        \
    struct {                    \
        type *items;            \
        size_t count, capacity; \
    }
#define BASE_ARRAY_RESERVE(array, extra)                                                      \
    base_array_reserve((void **)&(array)->items, &(array)->capacity, (array)->count, (extra), \
                       sizeof *(array)->items)
#define BASE_ARRAY_PUSH(array, value) \
    (BASE_ARRAY_RESERVE(array, 1) && ((array)->items[(array)->count++] = (value), true))
#define BASE_ARRAY_FREE(array) \
    (base_free((array)->items), (array)->items = NULL, (array)->count = (array)->capacity = 0)
bool base_array_reserve(void **items, size_t *capacity, size_t count, size_t extra, size_t size);

/* Growable text. Appends are kept NUL-terminated; false when memory is short. */
typedef struct base_text {
    char *items;
    size_t count, capacity;
} base_text;
bool base_text_append(base_text *text, const char *format, ...) BASE_PRINTF(2, 3);
bool base_text_append_bytes(base_text *text, const void *bytes, size_t size);

/* ---- checked arithmetic --------------------------------------------------------------------- */

/* False on overflow. */
bool base_mul_size(size_t a, size_t b, size_t *product);
bool base_add_size(size_t a, size_t b, size_t *sum);

/* ---- hash and random ------------------------------------------------------------------------ */

/* XXH64 of `size` bytes; chain blocks by passing the previous hash as seed. */
uint64_t base_hash64(const void *bytes, size_t size, uint64_t seed);
/* SplitMix64: a well-mixed 64-bit value of `key`; the k-th draw of a stream is base_hash_mix64(seed
 * + k). */
uint64_t base_hash_mix64(uint64_t key);
/* Uniform in [0, 1) from 24 high bits of base_hash_mix64(key). */
float base_hash_to_unit(uint64_t key);

/* ---- time ----------------------------------------------------------------------------------- */

double base_time_s(void);         /* monotonic, from an arbitrary start */
double base_cpu_time_s(void);     /* of the calling thread */
void base_sleep(double seconds);  /* at least 0; an interrupt ends it early */
void base_time_utc(char out[32]); /* "2026-11-21T10:53:55Z" */

/* ---- files; all paths are UTF-8 with '/', on Windows '\' too ----------------------------------
 */

typedef struct base_blob {
    uint8_t *bytes;
    size_t size;
} base_blob;
/* Reads a whole regular file of at most max_size bytes. Errors: IO (missing, not a file, too
 * large), MEMORY; the message starts with the path. */
weir_result base_file_read(const weir_log *log, const char *path, size_t max_size, base_blob *blob);
void base_blob_free(base_blob *blob);
/* The first bytes of a file, at most `size`; how many there were, 0 when it cannot be read. */
size_t base_file_read_head(const char *path, void *bytes, size_t size);

/* Atomic writing: the bytes go to a temporary name in the same folder; commit flushes, renames and
 * flushes the folder; cancel (also after a failed write) removes the temporary. */
typedef struct base_writer base_writer;
weir_result base_writer_open(const weir_log *log, const char *path, base_writer **writer);
weir_result base_writer_write(base_writer *writer, const void *bytes, size_t size);
weir_result base_writer_commit(base_writer **writer);
void base_writer_cancel(base_writer **writer);
/* open + write + commit. */
weir_result base_file_write(const weir_log *log, const char *path, const void *bytes, size_t size);
/* Appends to a file, made when missing, and flushes: all of the bytes, or none after an error. */
weir_result base_file_append(const weir_log *log, const char *path, const void *bytes, size_t size);

bool base_path_is_file(const char *path);
bool base_path_is_folder(const char *path);
/* When the file was changed last, in ns of the system's clock; 0 when there is none. */
int64_t base_path_modified_ns(const char *path);
bool base_path_is_absolute(const char *path); /* from the root of a disk */
bool base_is_path_separator(char c);          /* the folders of a path */
/* The path from the root of the disk, also of what is not there. Release with base_free. */
char *base_path_absolute(const char *path);
/* "folder/name" (or name alone when it is absolute or folder is empty). Release with base_free. */
char *base_path_join(const char *folder, const char *name);
/* The folder part, "." when there is none. Release with base_free. */
char *base_path_folder(const char *path);
const char *base_path_name(const char *path);                        /* after the last separator */
const char *base_path_extension(const char *path);                   /* "ply" without the dot; "" */
weir_result base_folder_make(const weir_log *log, const char *path); /* with its parents */
/* Removes a file; missing is fine. */
weir_result base_file_remove(const weir_log *log, const char *path);
/* The names of the regular files in a folder, sorted by bytes. Release with base_names_free. */
weir_result base_folder_list(const weir_log *log, const char *path, char ***names, size_t *count);
void base_names_free(char **names, size_t count);
/* The user's own folder; NULL if none. Release with base_free. */
char *base_home_folder(void);
/* The user's cache folder for Weir (XDG_CACHE_HOME, LOCALAPPDATA, ~/Library/Caches); NULL if none.
 * Release with base_free. */
char *base_cache_folder(void);
/* Makes the folder and its caller the folder's one owner, until release or the process's end.
 * Errors: ARGUMENT when it has an owner, whom the message names; IO, MEMORY. */
typedef struct base_lock base_lock;
weir_result base_lock_acquire(const weir_log *log, const char *folder, base_lock **lock);
void base_lock_release(base_lock **lock); /* accepts NULL inside */
/* Removes the temporaries of writers that were killed. A missing folder is fine. */
weir_result base_folder_remove_temporaries(const weir_log *log, const char *folder);
/* Bytes free on the disk that holds the folder; UINT64_MAX when unknown. */
uint64_t base_disk_free(const char *path);

/* ---- terminal and process ------------------------------------------------------------------- */

bool base_is_terminal(FILE *stream);
/* Call it first: writing to a pipe without a reader becomes an error of that write, and no file
 * that is opened later takes the place of a closed standard stream. */
void base_open_standard_streams(void);
/* Call it with main's own: makes the words UTF-8 where the system has them otherwise. */
void base_utf8_arguments(int *argc, char ***argv);
uint32_t base_cpu_count(void);
/* Columns of the terminal behind the stream; 80 when it is none. */
uint32_t base_terminal_columns(FILE *stream);
/* After install, the first interrupt (Ctrl-C), request to end or loss of the terminal only sets the
 * mark that base_interrupted reads; one that follows after more than a second ends the program. So
 * does the end of two seconds after the first, unless it was an interrupt (Windows: of four, for
 * the loss of the console and the end of the session). Writing past the limit of a file's size
 * becomes an error of that write. */
void base_interrupt_install(void);
bool base_interrupted(void);
/* All is saved: the end of that time ends the program with status 1, and without a word. */
void base_interrupt_acknowledge(void);
/* Handle of a shared library symbol; used to find the Vulkan loader. NULL when missing. */
void *base_library_open(const char *const *names, size_t count);
/* The same for a library that something else has loaded already; NULL when nothing has. */
void *base_library_is_loaded(const char *name);
void *base_library_symbol(void *library, const char *name);
void base_library_close(void *library);

/* Another program (words[0], sought in PATH; the list ends with NULL), whose standard input we
 * write. Errors: IO, MEMORY. */
typedef struct base_process base_process;
weir_result base_process_open(const weir_log *log, const char *const *words,
                              base_process **process);
weir_result base_process_write(base_process *process, const void *bytes, size_t size);
/* Ends its input and waits for it. Errors: IO when it failed. Accepts NULL. */
weir_result base_process_wait(base_process **process);
/* Runs another program to its end. What it writes to its two outputs is added to `said`; *status is
 * its exit status, -1 when it was ended. Errors: IO when it cannot be started, MEMORY. */
weir_result base_process_capture(const weir_log *log, const char *const *words, base_text *said,
                                 int *status);

/* ---- threads -------------------------------------------------------------------------------- */

typedef struct base_thread base_thread;
typedef struct base_mutex base_mutex;
typedef struct base_condition base_condition;
base_thread *base_thread_start(void (*run)(void *user), void *user); /* NULL on failure */
void base_thread_join(base_thread **thread);
base_mutex *base_mutex_create(void);
void base_mutex_destroy(base_mutex **mutex);
void base_mutex_lock(base_mutex *mutex);
void base_mutex_unlock(base_mutex *mutex);
/* The program's one mutex that is always there, for the globals of libraries; held briefly. */
base_mutex *base_mutex_global(void);
base_condition *base_condition_create(void);
void base_condition_destroy(base_condition **condition);
void base_condition_wait(base_condition *condition, base_mutex *mutex);
void base_condition_signal(base_condition *condition); /* wakes all */

/* Calls run(user, first, end) for the pieces [first, end) of [0, count), `grain` long but for the
 * last, on as many threads as there are cores, in no set order; returns when all are done. The
 * pieces are the same whatever the number of threads. */
void base_parallel_for(size_t count, size_t grain,
                       void (*run)(void *user, size_t first, size_t end), void *user);
/* Threads that a later base_parallel_for may use, itself included; 0: as many as there are cores.
 */
void base_parallel_set_max_threads(uint32_t threads);
/* ---- traces --------------------------------------------------------------------------------- */

/* A file of spans and counters in the Trace Event Format. It is begun when opened and whole when
 * closed; any thread may add to it. A NULL trace takes nothing. */
typedef struct base_trace base_trace;
typedef struct base_span {
    const char *track, *name; /* literals */
    double start_s, end_s;    /* base_time_s */
    const char *labels[2];    /* of the numbers; NULL: none */
    uint64_t numbers[2];
} base_span;
weir_result base_trace_open(const weir_log *log, const char *path, base_trace **trace);
/* Errors: those of every span since it was opened. */
weir_result base_trace_close(base_trace **trace);
void base_trace_span(base_trace *trace, const base_span *span);
void base_trace_counter(base_trace *trace, const char *name, double time_s, double value);

/* ---- numbers as text, independent of the locale --------------------------------------------- */

/* Parses one decimal number at the start of [text, end): false when none (or one too large for an
 * int64). *next: first unread byte. No blanks, hexadecimal, inf or nan are taken; a double too
 * large to hold gives an infinity. */
bool base_parse_double(const char *text, const char *end, double *value, const char **next);
bool base_parse_int64(const char *text, const char *end, int64_t *value, const char **next);
/* The fewest digits that read back as the same float ("0.1", "1.5e-7"); at most 16 bytes with the
 * NUL. "nan", "inf" and "-inf" for what JSON cannot hold. */
void base_print_float(char out[32], float value);
/* The double that those digits mean: 0.1 for 0.1f, which as a double has more digits. */
double base_shortest_decimal(float value);
/* Edits apart (insert, delete, replace, swap): for "did you mean". */
size_t base_edit_distance(const char *a, const char *b);
/* The nearest of `names` when it is near enough to propose, else NULL. */
const char *base_nearest_name(const char *name, const char *const *names, size_t count);

/* ---- small maths ---------------------------------------------------------------------------- */

/* The C library's sinf and its like round in each library otherwise: glibc's and mingw-w64's atan2f
 * differ in one argument of six. Of these by doubles no float differed in two million. */
static inline float base_sin(float x)
{
    return (float)sin((double)x);
}
static inline float base_cos(float x)
{
    return (float)cos((double)x);
}
static inline float base_tan(float x)
{
    return (float)tan((double)x);
}
static inline float base_acos(float x)
{
    return (float)acos((double)x);
}
static inline float base_atan2(float y, float x)
{
    return (float)atan2((double)y, (double)x);
}

typedef struct vec3 {
    float x, y, z;
} vec3;
typedef struct quat {
    float x, y, z, w;
} quat;

static inline vec3 vec3_make(float x, float y, float z)
{
    return (vec3){x, y, z};
}
static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec3 vec3_scale(vec3 a, float s)
{
    return (vec3){a.x * s, a.y * s, a.z * s};
}
static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline float vec3_length(vec3 a)
{
    return sqrtf(vec3_dot(a, a));
}
static inline vec3 vec3_min(vec3 a, vec3 b)
{
    return (vec3){fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}
static inline vec3 vec3_max(vec3 a, vec3 b)
{
    return (vec3){fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
}
static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
quat quat_identity(void);
quat quat_from_axis_angle(vec3 axis, float radians);
quat quat_multiply(quat a, quat b); /* rotates by b, then by a */
quat quat_conjugate(quat q);
quat quat_normalize(quat q);
quat quat_slerp(quat a, quat b, float t);
vec3 quat_rotate(quat q, vec3 v);

#endif
