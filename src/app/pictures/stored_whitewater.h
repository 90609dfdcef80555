/* stored_whitewater: the files of whitewater that belong to stored frames. */
#ifndef WEIR_APP_STORED_WHITEWATER_H
#define WEIR_APP_STORED_WHITEWATER_H

#include "app.h"
#include "weir_foam.h"

typedef struct stored_whitewater {
    const weir_log *log;
    const char *folder; /* that was named, or NULL */
    sequence files;     /* none: there is no whitewater */
    bool warned;        /* of a frame without a file */
} stored_whitewater;

/* Finds the files in `folder`; where that is NULL, in "foam" of the run's folder, if there is one;
 * `run` may be NULL. Errors: IO (no file in a folder that was named), ARGUMENT, MEMORY. */
weir_result stored_whitewater_open(const weir_log *log, const char *folder, const char *run,
                                   stored_whitewater *whitewater);
void stored_whitewater_close(stored_whitewater *whitewater);
/* Gives the points the whitewater of the frame that has this number in its name. `written`: how its
 * files were written. Errors: those of weir_foam_load and weir_points_set_whitewater. */
weir_result stored_whitewater_add(stored_whitewater *whitewater, const weir_output_def *written,
                                  uint32_t frame, weir_points *points);

#endif
