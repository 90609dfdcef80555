/* Basics for all modules: logging, results, memory, arrays, hashes, time, files, threads and small
 * vector maths. This is the only module that makes operating-system calls; base_os.h declares what
 * each system implements. */
#ifndef WEIR_BASE_H
#define WEIR_BASE_H

#include "weir/weir.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* mingw-w64's own macros convert a double to a float in a branch that is never run. */
#if defined(__MINGW32__)
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

/* Logs an error and evaluates to `result`:
 *     return base_fail(log, WEIR_ERROR_IO, "%s: ...", path);
 * It is a macro so that compilers and analyzers see its value. */
#define base_fail(log, result, ...) \
    (base_log(log, WEIR_LOG_ERROR, __VA_ARGS__), (weir_result)(result))

/* Returns from the calling function with the error; for functions that have nothing to release. */
#define WEIR_RETURN_IF_ERROR(call)            \
    do {                                      \
        weir_result needed = (call);          \
        if (needed != WEIR_OK) return needed; \
    } while (0)
/* Jumps to the function's single `fail` label with `result` set. Every destroy function accepts a
 * partly built object. */
#define WEIR_GOTO_IF_ERROR(call)          \
    do {                                  \
        result = (call);                  \
        if (result != WEIR_OK) goto fail; \
    } while (0)

/* Checks for bugs in Weir itself: prints the file, line and condition and aborts, in release builds
 * too. */
#define WEIR_ASSERT(condition) \
    ((condition) ? (void)0 : base_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void base_assert_failed(const char *condition, const char *file, int line);

#define BASE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- memory --------------------------------------------------------------------------------- */

/* Returns zeroed memory of count * size bytes, or NULL when the product overflows or memory is
 * short. A count of 0 gives a valid pointer. Release with base_free, which accepts NULL. */
void *base_alloc(size_t count, size_t size);
/* Resizes a block and keeps its contents; the new bytes are not zeroed. On failure the old block
 * stays valid. */
void *base_realloc(void *memory, size_t count, size_t size);
void base_free(void *memory);
char *base_strdup(const char *text);
/* Returns a new string, or NULL when memory is short. Release with base_free. */
char *base_format(const char *format, ...) BASE_PRINTF(1, 2);

/* Source of memory for base_alloc and base_realloc: `resize` returns a block of `size` bytes with
 * the old contents; for size 0 it frees the block and returns NULL. */
typedef struct base_allocator {
    void *(*resize)(void *user, void *memory, size_t size);
    void *user;
} base_allocator;
/* Replaces the allocator (NULL restores the system's) and returns the previous one; for tests of
 * error paths. Call it while no other thread allocates. A block may outlive a change only if both
 * allocators end in the system's allocator. */
base_allocator base_allocator_set(const base_allocator *replacement);

/* Declares a growable array: `BASE_ARRAY(float) xs = {0};`. BASE_ARRAY_PUSH returns false when
 * memory is short. */
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

/* Growable text. Appending keeps it NUL-terminated and returns false when memory is short. */
typedef struct base_text {
    char *items;
    size_t count, capacity;
} base_text;
bool base_text_append(base_text *text, const char *format, ...) BASE_PRINTF(2, 3);
bool base_text_append_bytes(base_text *text, const void *bytes, size_t size);

/* ---- checked arithmetic --------------------------------------------------------------------- */

/* Store the result and return true; return false on overflow. */
bool base_mul_size(size_t a, size_t b, size_t *product);
bool base_add_size(size_t a, size_t b, size_t *sum);

/* ---- hash and random ------------------------------------------------------------------------ */

/* Returns the XXH64 of `size` bytes. To chain blocks, pass the previous hash as the seed. */
uint64_t base_hash64(const void *bytes, size_t size, uint64_t seed);
/* Returns a well-mixed 64-bit value of `key` (SplitMix64); the k-th draw of a stream is
 * base_hash_mix64(seed + k). */
uint64_t base_hash_mix64(uint64_t key);
/* Returns a uniform number in [0, 1) from the 24 high bits of base_hash_mix64(key). */
float base_hash_to_unit(uint64_t key);

/* ---- time ----------------------------------------------------------------------------------- */

double base_time_s(void);             /* monotonic, from an arbitrary start */
double base_thread_cpu_time_s(void);  /* CPU time of the calling thread */
double base_process_cpu_time_s(void); /* CPU time of all threads, also of a CPU driver's */
void base_sleep(double seconds);      /* seconds >= 0; an interrupt ends it early */
void base_time_utc(char out[32]);     /* "2026-11-21T10:53:55Z" */

/* ---- files; paths are UTF-8 with '/', on Windows also '\' ------------------------------------ */

typedef struct base_blob {
    uint8_t *bytes;
    size_t size;
} base_blob;
/* Reads a whole regular file of at most max_size bytes. Errors: IO (missing, not a file, too large)
 * and MEMORY; the message starts with the path. */
weir_result base_file_read(const weir_log *log, const char *path, size_t max_size, base_blob *blob);
/* Returns the lower case of an ASCII letter; other bytes unchanged. */
static inline char base_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
/* Returns whether two texts are equal but for the case of ASCII letters. */
bool base_is_same_word(const char *a, const char *b);
/* Reads a text file like base_file_read, without its UTF-8 byte order mark. UTF-16 is refused with
 * the way out. */
weir_result base_text_file_read(const weir_log *log, const char *path, size_t max_size,
                                base_blob *blob);
/* Returns the size of a UTF-8 byte order mark at the start of a text; 0 if there is none. */
size_t base_text_mark_bytes(const uint8_t *bytes, size_t size);
/* Returns whether bytes are text in UTF-16, with a byte order mark or without. */
bool base_text_is_utf16(const uint8_t *bytes, size_t size);
#define BASE_UTF16_ADVICE                                                                         \
    "this is UTF-16 text, as some Windows programs write it: save it as UTF-8 (in Notepad: Save " \
    "as, "                                                                                        \
    "Encoding)"
void base_blob_free(base_blob *blob);
/* Reads at most `size` bytes from the start of a file. Returns how many were read, 0 when the file
 * cannot be read. */
size_t base_file_read_head(const char *path, void *bytes, size_t size);

/* Writes a file atomically: the bytes go to a temporary file in the same folder. Commit flushes and
 * renames it, then flushes the folder; cancel, also after a failed write, removes it. */
typedef struct base_writer base_writer;
weir_result base_writer_open(const weir_log *log, const char *path, base_writer **writer);
weir_result base_writer_write(base_writer *writer, const void *bytes, size_t size);
weir_result base_writer_commit(base_writer **writer);
void base_writer_cancel(base_writer **writer);
/* Writes a whole file: open, write and commit. */
weir_result base_file_write(const weir_log *log, const char *path, const void *bytes, size_t size);
/* Appends to a file, which is created if missing, and flushes it: all of the bytes, or none after
 * an error. */
weir_result base_file_append(const weir_log *log, const char *path, const void *bytes, size_t size);

bool base_path_is_file(const char *path);
bool base_path_is_folder(const char *path);
/* Returns when the file was last changed, in ns of the system's clock; 0 when it does not exist. */
int64_t base_path_modified_ns(const char *path);
bool base_path_is_absolute(const char *path); /* starts at the root of a disk */
bool base_is_path_separator(char c);          /* separates the folders of a path */
/* Returns the path from the root of the disk; the path need not exist. Release with base_free. */
char *base_path_absolute(const char *path);
/* Returns "folder/name", or the name alone when it is absolute or the folder is empty. Release with
 * base_free. */
char *base_path_join(const char *folder, const char *name);
/* Returns the folder part of a path, "." when it has none. Release with base_free. */
char *base_path_folder(const char *path);
/* Returns the part of a path after the last separator. */
const char *base_path_name(const char *path);
/* Returns the extension without the dot, such as "ply"; "" if there is none. */
const char *base_path_extension(const char *path);
weir_result base_folder_make(const weir_log *log, const char *path); /* and its parents */
/* Removes a file; a missing file is not an error. */
weir_result base_file_remove(const weir_log *log, const char *path);
/* Lists the names of the regular files in a folder, sorted by byte values. Release with
 * base_names_free. */
weir_result base_folder_list(const weir_log *log, const char *path, char ***names, size_t *count);
void base_names_free(char **names, size_t count);
/* Returns the user's home folder; NULL if there is none. Release with base_free. */
char *base_home_folder(void);
/* Returns the user's cache folder for Weir (below XDG_CACHE_HOME, LOCALAPPDATA or
 * ~/Library/Caches); NULL if there is none. Release with base_free. */
char *base_cache_folder(void);
/* Creates the folder and makes the caller its only owner, until the lock is released or the process
 * ends. Errors: ARGUMENT when the folder has an owner, which the message names; IO, MEMORY. */
typedef struct base_lock base_lock;
weir_result base_lock_acquire(const weir_log *log, const char *folder, base_lock **lock);
void base_lock_release(base_lock **lock); /* *lock may be NULL */
/* Removes the temporary files of writers that were killed. A missing folder is not an error. */
weir_result base_folder_remove_temporaries(const weir_log *log, const char *folder);
/* Returns the free bytes of the disk that holds the folder; UINT64_MAX when unknown. */
uint64_t base_disk_free(const char *path);

/* ---- terminal and process ------------------------------------------------------------------- */

bool base_is_terminal(FILE *stream);
/* Prepares the standard streams; call it first. Afterwards writing to a pipe without a reader is an
 * error of that write, and no file opened later takes the number of a closed standard stream. */
void base_open_standard_streams(void);
/* Makes main's arguments UTF-8 on systems that pass them in another encoding. Call it with main's
 * own argc and argv. */
void base_utf8_arguments(int *argc, char ***argv);
uint32_t base_cpu_count(void);
/* Returns the number of columns of the terminal that the stream writes to; 80 when it is not a
 * terminal. */
uint32_t base_terminal_columns(FILE *stream);
/* Installs the interrupt handler. From then on the first interrupt (Ctrl-C, SIGUSR1), request to
 * end or loss of the terminal only sets the flag that base_interrupted reads; a second one more
 * than a second later ends the program. Unless the first was an interrupt, the program also ends
 * two seconds after it (Windows: four, after the loss of the console or the end of the session).
 * Writing past the limit of a file's size becomes an error of that write. */
void base_interrupt_install(void);
bool base_interrupted(void);
/* Exit status of a program that a signal has stopped and that has saved its state: EX_TEMPFAIL of
 * sysexits.h, "try again". */
#define BASE_STATUS_STOPPED 75
/* Tells the handler that everything is saved: when that time is over, the program then ends with
 * BASE_STATUS_STOPPED and without a message. */
void base_interrupt_acknowledge(void);
/* Loads the first of the named shared libraries that can be found, such as the Vulkan loader;
 * returns its handle, or NULL when none can be loaded. */
void *base_library_open(const char *const *names, size_t count);
const char *base_library_error(void); /* why the last one could not be opened */
/* Returns the handle of a library that the process has already loaded; NULL when it has not. */
void *base_library_is_loaded(const char *name);
void *base_library_symbol(void *library, const char *name);
void base_library_close(void *library);

/* A child program with a pipe to its standard input. words[0] is looked up in PATH; the list of
 * words ends with NULL. Errors: IO, MEMORY. */
typedef struct base_process base_process;
weir_result base_process_open(const weir_log *log, const char *const *words,
                              base_process **process);
weir_result base_process_write(base_process *process, const void *bytes, size_t size);
/* Closes the program's input and waits for it to end. Errors: IO when it failed. *process may be
 * NULL. */
weir_result base_process_wait(base_process **process);
/* Runs another program to its end. Its standard output and error are appended to `said`; *status
 * receives its exit status, -1 when it was killed. Errors: IO when it cannot be started, MEMORY. */
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
/* Returns the process-wide mutex, which always exists; it protects the globals of libraries. Hold
 * it only briefly. */
base_mutex *base_mutex_global(void);
base_condition *base_condition_create(void);
void base_condition_destroy(base_condition **condition);
void base_condition_wait(base_condition *condition, base_mutex *mutex);
void base_condition_signal(base_condition *condition); /* wakes all waiting threads */

/* Calls run(user, first, end) for consecutive pieces [first, end) of [0, count), on as many threads
 * as there are cores and in no particular order; returns when all are done. Every piece but the
 * last is `grain` long, so the pieces do not depend on the number of threads. */
void base_parallel_for(size_t count, size_t grain,
                       void (*run)(void *user, size_t first, size_t end), void *user);
/* Limits the threads that a later base_parallel_for uses, the calling one included; 0: as many as
 * there are cores. */
void base_parallel_set_max_threads(uint32_t threads);
/* ---- traces --------------------------------------------------------------------------------- */

/* A file of spans and counters, complete only once it is closed: in Perfetto's format if its name
 * ends with .pftrace, else in the Trace Event Format. Any thread may add to it. Adding to a NULL
 * trace does nothing, but counters also go to Tracy: base_tracy.h. */
#define BASE_TRACE_PERFETTO "pftrace"
typedef struct base_trace base_trace;
typedef struct base_span {
    const char *track, *name; /* string literals; the name of a pass is copied */
    double start_s, end_s;    /* as base_time_s */
    const char *labels[2];    /* of the numbers; NULL: no number */
    uint64_t numbers[2];
    uint64_t flow; /* number of the arrow that starts at this span, or leads to it; 0: none */
    bool ends_flow, is_pass;
} base_span;
weir_result base_trace_open(const weir_log *log, const char *path, base_trace **trace);
/* Finishes the file. Returns the first error since it was opened. */
weir_result base_trace_close(base_trace **trace);
void base_trace_span(base_trace *trace, const base_span *span);
void base_trace_counter(base_trace *trace, const char *name, double time_s, double value);

/* ---- numbers as text, independent of the locale --------------------------------------------- */

/* Parse one decimal number at the start of [text, end). Return false when there is none, or when it
 * is too large for an int64. *next receives the first unread byte. Blanks, hexadecimal, inf and nan
 * are rejected; a double too large to represent becomes an infinity. */
bool base_parse_double(const char *text, const char *end, double *value, const char **next);
bool base_parse_int64(const char *text, const char *end, int64_t *value, const char **next);
/* Returns the whole number that follows `start` at the beginning of a text, 25 of "Mesa 25.0.7";
 * else 0. */
uint32_t base_number_after(const char *text, const char *start);
/* Writes the fewest digits that read back as the same float ("0.1", "1.5e-7"), at most 16 bytes
 * with the NUL; "nan", "inf" and "-inf" for the values that JSON cannot represent. */
void base_print_float(char out[32], float value);
/* Returns the double with those shortest digits: 0.1 for 0.1f, whose exact value has more
 * digits. */
double base_shortest_decimal(float value);
/* Returns the edit distance of two names (insertions, deletions, replacements and swaps); for "did
 * you mean". */
size_t base_edit_distance(const char *a, const char *b);
/* Returns the nearest of `names` if it is near enough to suggest, else NULL. */
const char *base_nearest_name(const char *name, const char *const *names, size_t count);
/* Returns the ending of a noun after this number: "" for 1, otherwise "s". */
static inline const char *base_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

/* ---- attributes of particles ---------------------------------------------------------------- */

/* An attribute, as those of scenes: weir/attributes.h. */
#define BASE_MAX_ATTRIBUTES 8u
#define BASE_ATTRIBUTE_COMPONENTS 16u /* of all attributes */
typedef struct base_attribute {
    char name[36];
    uint32_t components; /* at most 4 */
    uint32_t first;      /* its first component among those of all attributes */
} base_attribute;
typedef struct base_attributes {
    base_attribute items[BASE_MAX_ATTRIBUTES];
    uint32_t count, components; /* components of all attributes */
} base_attributes;

/* Appends an attribute; those beyond the limits are ignored. */
void base_attributes_add(base_attributes *attributes, const char *name, uint32_t components);

/* Finds an attribute by its name, or one of its components by NAME_x, NAME_y and so on. `name`
 * NULL: the first attribute. *first receives the first component, *components their number. Returns
 * false if there is none. */
bool base_attributes_find(const base_attributes *attributes, const char *name, uint32_t *first,
                          uint32_t *components);

/* Hashes four words in place (pcg4d of Jarzynski and Olano, "Hash functions for GPU rendering",
 * 2020), as random_uints of shaders/lib/math/random.glsl does. */
void base_random_words(uint32_t v[4]);

/* ---- small maths ---------------------------------------------------------------------------- */

/* Trigonometric functions of floats that give the same result everywhere. The C libraries round
 * sinf and its relatives differently: atan2f of glibc and of mingw-w64 differ for one argument in
 * six. Computed in double, no float differed in two million. */
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
