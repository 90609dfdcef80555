/* --resume=auto: a job script starts a run and continues it with one and the same command. */
#include "run_internal.h"

#include <jansson.h>

/* Returns whether run.json records that the run has reached its last frame. */
static bool is_complete(const char *folder)
{
    char *path = base_path_join(folder, "run.json");
    json_t *run = path && base_path_is_file(path) ? json_load_file(path, 0, NULL) : NULL;
    const bool complete = json_is_true(json_object_get(run, "complete"));
    json_decref(run);
    base_free(path);
    return complete;
}

bool resume_choose(run_options *options)
{
    const char *folder = options->folder;
    const bool used = run_folder_is_used(folder), quiet = options->source.quiet;
    options->resume = checkpoint_exists(folder);
    if (options->resume) {
        options->from = NULL; /* the checkpoint is later */
        return true;
    }
    if (used && is_complete(folder)) {
        if (!quiet) printf("%s: the run is complete\n", folder);
        return false;
    }
    if (used)
        fprintf(stderr,
                "weir: warning: %s: a run was started and has no checkpoint: starting again\n",
                folder);
    options->force = used;
    return true;
}
