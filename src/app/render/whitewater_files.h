/* whitewater_files: the whitewater files of stored frames. */
#ifndef WEIR_APP_STORED_WHITEWATER_H
#define WEIR_APP_STORED_WHITEWATER_H

#include "app.h"
#include "weir/whitewater.h"

typedef struct whitewater_files {
    const weir_log *log;
    const char *folder; /* the folder that was named, or NULL */
    sequence files;     /* empty: there is no whitewater */
    bool warned;        /* about a frame without a file */
} whitewater_files;

/* Finds the files in `folder`. If it is NULL, uses "whitewater" in the run's folder, if that
 * exists; `run` may be NULL. Errors: IO (no file in a folder that was named), ARGUMENT, MEMORY. */
weir_result whitewater_files_open(const weir_log *log, const char *folder, const char *run,
                                  whitewater_files *whitewater);
void whitewater_files_close(whitewater_files *whitewater);
/* Loads the whitewater of the frame with this number in its name and adds it to the points, or, if
 * they are NULL, to the mesh. `written`: how its files were written. Errors: those of
 * weir_whitewater_load and weir_points_set_whitewater. */
weir_result whitewater_files_load_frame(whitewater_files *whitewater,
                                        const weir_output_def *written, uint32_t frame,
                                        weir_points *points, weir_mesh *mesh);

#endif
