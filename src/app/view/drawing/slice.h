/* slice: a plane through the MAC grid, coloured by speed or pressure. */
#ifndef WEIR_VIEW_SLICE_H
#define WEIR_VIEW_SLICE_H

#include "appearance.h"
#include "session.h"

typedef struct view_slice {
    uint32_t shown; /* 0: none; otherwise 1 + weir_slice_quantity */
    uint32_t axis;  /* 0 x, 1 y, 2 z */
    double place;   /* position along the axis, 0 to 1 across the domain */
    weir_slice *seen;
    uint64_t made;    /* number of slices created: an address may be used again */
    uint64_t substep; /* shown by `seen` */
    bool stale;       /* `seen` belongs to another plane */
} view_slice;

extern const view_names view_slices, view_axes;

/* Executes the command slice. Failures have been logged. */
weir_result view_slice_command(view_slice *slice, const view_session *s, const view_call *call);
/* Cuts the grid at the current state, unless that was done already. Without a grid nothing is
 * shown. */
weir_result view_slice_update(view_slice *slice, const view_session *s);

#endif
