/* fuzz: feeds every reader of external files and text with bytes from a fuzzer. A target is one
   line of `fuzz_targets` and its function; its initial inputs are in tests/fuzz/corpus/NAME. The
   sanitizers check memory; a target itself asserts the properties of everything that was
   accepted. */
#ifndef WEIR_TESTS_FUZZ_H
#define WEIR_TESTS_FUZZ_H

#include "base.h"

typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size;
    const char *path; /* of a file with these bytes, which the target may overwrite */
} fuzz_input;

/* Log for all messages about the input. */
extern const weir_log fuzz_log;

/* Returns how many messages it has received about the input. */
uint32_t fuzz_messages(void);

/* Returns false if the input was refused, in which case fuzz_log received the reason. */
typedef bool fuzz_try(const fuzz_input *input);

typedef struct fuzz_target {
    const char *name;
    const char *extension; /* of the input's file */
    fuzz_try *try;
    void (*seal)(uint8_t *bytes, size_t size); /* corrects checksums first; NULL: there are none */
} fuzz_target;

extern const fuzz_target fuzz_targets[];
extern const size_t fuzz_target_count;

const fuzz_target *fuzz_find(const char *name);
/* Feeds one input; aborts if the target fails an assertion or refuses without a message. Returns
   whether the input was accepted. */
bool fuzz_feed(const fuzz_target *target, const uint8_t *bytes, size_t size);
/* One in this many inputs runs slow checks, such as a frame: 1, or more for a fuzzer's speed.
   The bytes of an input decide, so a failing input fails again. */
extern uint32_t fuzz_share;
bool fuzz_is_chosen(const fuzz_input *input);
/* Removes the folder that holds the inputs' files. */
void fuzz_end(void);

/* Returns the device of all targets that need one; it lives until the program ends. */
weir_device *fuzz_device(void);
weir_scene *fuzz_load_scene(const char *path);
#define FUZZ_THINGS "tests/fuzz/things.json" /* contains one of everything that moves */

/* Functions of the targets. */
fuzz_try fuzz_scene, fuzz_set, fuzz_run_json, fuzz_script, fuzz_stats;
fuzz_try fuzz_mesh, fuzz_particles, fuzz_radiance;
fuzz_try fuzz_checkpoint, fuzz_checkpoint_things, fuzz_volume;
fuzz_try fuzz_bodies, fuzz_series, fuzz_bench;
fuzz_try fuzz_write_particles, fuzz_write_mesh, fuzz_write_state;

#endif
