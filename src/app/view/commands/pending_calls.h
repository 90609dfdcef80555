/* pending_calls: calls that wait until the frame being simulated is done. */
#ifndef WEIR_VIEW_PENDING_CALLS_H
#define WEIR_VIEW_PENDING_CALLS_H

#include "command_table.h"

typedef struct view_pending_calls {
    bool on; /* a frame is being simulated: calls that need the simulation wait */
    BASE_ARRAY(view_call) calls; /* they own their texts */
} view_pending_calls;

/* Appends a copy of the call. Returns false if there is not enough memory. */
bool view_pending_add(view_pending_calls *pending, const view_call *call);
/* Removes the oldest call, whose texts the caller frees with view_pending_free_call. Returns false
 * if there is none. */
bool view_pending_take(view_pending_calls *pending, view_call *call);
/* Frees the texts of a call. */
void view_pending_free_call(view_call *call);
void view_pending_free(view_pending_calls *pending);

#endif
