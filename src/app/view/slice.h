/* The slice: a plane through the MAC grid, coloured by speed or pressure. */
#ifndef WEIR_VIEW_SLICE_H
#define WEIR_VIEW_SLICE_H

#include "appearance.h"
#include "session.h"

typedef struct view_slice {
    uint32_t shown; /* 0: none; else 1 + weir_slice_quantity */
    uint32_t axis;  /* 0 x, 1 y, 2 z */
    double place;   /* along the axis, 0 to 1 of the domain */
    weir_slice *seen;
    uint64_t substep; /* that `seen` shows */
    bool stale;       /* `seen` was made for another plane */
} view_slice;

extern const view_names view_slices, view_axes;

/* The call slice. A failure has been logged. */
weir_result view_slice_command(view_slice *slice, const view_session *s, const view_call *call);
/* Cuts the grid at the present state, unless that was done. Without a grid nothing is shown. */
weir_result view_slice_update(view_slice *slice, const view_session *s);

#endif
