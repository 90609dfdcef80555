/* whitewater_files: the files of whitewater that belong to stored frames. */
#ifndef WEIR_APP_STORED_WHITEWATER_H
#define WEIR_APP_STORED_WHITEWATER_H

#include "app.h"
#include "weir/whitewater.h"

typedef struct whitewater_files {
    const weir_log *log;
    const char *folder; /* that was named, or NULL */
    sequence files;     /* none: there is no whitewater */
    bool warned;        /* of a frame without a file */
} whitewater_files;

/* Finds the files in `folder`; where that is NULL, in "whitewater" of the run's folder, if there is
 * one; `run` may be NULL. Errors: IO (no file in a folder that was named), ARGUMENT, MEMORY. */
weir_result whitewater_files_open(const weir_log *log, const char *folder, const char *run,
                                  whitewater_files *whitewater);
void whitewater_files_close(whitewater_files *whitewater);
/* Gives the points the whitewater of the frame that has this number in its name. `written`: how its
 * files were written. Errors: those of weir_whitewater_load and weir_points_set_whitewater. */
weir_result whitewater_files_load_frame(whitewater_files *whitewater,
                                        const weir_output_def *written, uint32_t frame,
                                        weir_points *points);

#endif
