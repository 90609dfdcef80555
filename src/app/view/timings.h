/* timings: times and statistics of recent frames, for the panels. */
#ifndef WEIR_VIEW_TIMES_H
#define WEIR_VIEW_TIMES_H

#include "base.h"
#include "weir/profile.h"

#define VIEW_HISTORY 240u /* frames in the plots */
#define VIEW_PASSES 256u

/* The last VIEW_HISTORY values; view_series_read returns them oldest first. */
typedef struct view_series {
    float values[VIEW_HISTORY];
    uint32_t count, next;
} view_series;
void view_series_add(view_series *series, float value);
/* Copies the values and returns their number. */
uint32_t view_series_read(const view_series *series, float out[VIEW_HISTORY]);
typedef struct view_percentiles {
    float now, median, p95;
} view_percentiles;
view_percentiles view_series_percentiles(const view_series *series);

typedef struct view_pass {
    const char *name, *stage; /* weir_pass_time */
    double total_ms;          /* at the last reading */
    view_series ms;
} view_pass;

typedef struct view_timings {
    view_series frame, gpu, drawing, error, energy;
    view_pass passes[VIEW_PASSES];
    uint32_t pass_count;
    uint32_t drawn; /* pictures since the last reading of their times */
} view_timings;

/* Adds the statistics of a simulated frame, and the times of its passes if they are `timed`. */
void view_timings_add_frame(view_timings *times, weir_sim *sim, const weir_stats *stats,
                            bool timed);
/* Counts a picture; after every 16th, reads the times of its passes, which waits for the device. */
void view_timings_add_picture(view_timings *times, weir_renderer *renderer);

#endif
