/* stored_bodies: where the bodies of a run were in its stored frames. */
#ifndef WEIR_APP_STORED_BODIES_H
#define WEIR_APP_STORED_BODIES_H

#include "app.h"
#include "weir_body.h"

typedef struct stored_bodies {
    const weir_log *log;
    char *path;     /* of bodies.jsonl */
    base_blob file; /* empty where the run has none */
    weir_body_pose *poses;
    uint32_t count;
    bool warned; /* of a frame without a line */
} stored_bodies;

/* Reads the file of a run's folder, if it is there. Errors: IO, MEMORY. */
weir_result stored_bodies_open(const weir_log *log, const char *run, stored_bodies *bodies);
void stored_bodies_close(stored_bodies *bodies);
/* Places the bodies of the simulation's frame in the renderer's next pictures. `written`: how the
 * run wrote its files. Errors: IO (a line that is not as a run writes it), those of
 * weir_renderer_place_bodies. */
weir_result stored_bodies_place(stored_bodies *bodies, weir_renderer *renderer,
                                const weir_output_def *written, uint64_t frame);

#endif
