/* app: sequences of files: which a pattern or folder names, in which order, and what comes of each.
 */
#ifndef WEIR_APP_SEQUENCE_H
#define WEIR_APP_SEQUENCE_H

#include "app.h"

typedef struct sequence_file {
    char *path;
    uint32_t frame; /* the number in its name; without one, its place from 1 on */
    bool numbered;
    bool taken; /* its user's mark */
} sequence_file;

/* In the order of the frames; files of one frame by name. */
typedef struct sequence {
    BASE_ARRAY(sequence_file) files;
    size_t sorted, before; /* how many were sorted last, were there before the present word */
} sequence;

/* Takes in what `word` names: a file; a folder, or the particles of a run's; or a pattern whose
 * last part holds *, ?, {}, ####, %d or %04d. A file that is there already stays. Errors: IO
 * (nothing is there), ARGUMENT, MEMORY. `wait`: nothing there is fine, since frames are to come. */
weir_result sequence_add(const weir_log *log, const char *word, bool wait, sequence *sequence);
/* Sorts by frame. Errors: ARGUMENT when two files are one frame. */
weir_result sequence_sort(const weir_log *log, sequence *sequence);
void sequence_free(sequence *sequence);

bool sequence_is_pattern(const char *name);
/* Whether the name has a place for a frame number. */
bool sequence_has_number(const char *pattern);
/* The pattern with the frame's number in its place, without one the pattern. NULL when memory is
 * short; release with base_free. */
char *sequence_name(const char *pattern, uint32_t frame);
/* The folder of the run that the file at `path` came from, when run.json is beside it or above;
 * NULL when there is none. Release with base_free. */
char *sequence_run_folder(const char *path);

#endif
