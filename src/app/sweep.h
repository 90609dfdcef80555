/* sweep: one table of the runs that weir run --sweep makes. */
#ifndef WEIR_APP_SWEEP_H
#define WEIR_APP_SWEEP_H

#include "app.h"

typedef struct sweep_row {
    char *setting, *folder; /* "key=value", DIR/key=value */
    weir_result result;
    weir_stats last;
    double error_mean, error_max; /* over all frames */
    double energy_first, seconds;
} sweep_row;

typedef struct sweep {
    BASE_ARRAY(sweep_row) rows;
} sweep;

/* From "key=a,b,c": a row for each value; commas inside brackets or quotes part no values. False
 * when the text is no sweep, or memory is short; what is wrong has been said. */
bool sweep_parse(const char *text, const char *folder, sweep *s);
void sweep_free(sweep *s);
/* Takes one frame into the row. */
void sweep_add_frame(sweep_row *row, const weir_stats *stats);
/* Prints the table and writes FOLDER/sweep.csv. */
weir_result sweep_finish(const weir_log *log, const sweep *s, const char *folder);

#endif
