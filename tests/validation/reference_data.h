/* validate: curves, measured (sources in reference_data.c) and simulated. */
#ifndef WEIR_APP_VALIDATE_DATA_H
#define WEIR_APP_VALIDATE_DATA_H

#include "validate_internal.h"

typedef struct data_curve {
    const float (*points)[2];
    size_t count;
} data_curve;

/* [0]: n^2 = 1, [1]: n^2 = 2. */
extern const data_curve data_martin_moyce_front[2], data_martin_moyce_height[2];
extern const data_curve data_koshizuka_oka_front; /* n^2 = 2 */
/* Lobovsky's sensors 1, 3 and 4 at 0.01, 0.1 and 0.267 H above the floor, Buchner's at 0.2 H. */
#define DATA_WALL_SENSORS 4
extern const data_curve data_wall_pressure[DATA_WALL_SENSORS];
/* Gauges H1 to H4, metres, every DATA_SPHERIC_STEP_S from the start. */
#define DATA_SPHERIC_STEP_S 0.02
#define DATA_SPHERIC_COUNT 301
extern const float data_spheric_heights[DATA_SPHERIC_COUNT][4];

/* A simulated curve. */
typedef struct curve {
    BASE_ARRAY(double) t;
    BASE_ARRAY(double) y;
} curve;

/* Breaks off without memory. */
void curve_add(validate *v, curve *c, double t, double y);
void curve_free(curve *c);
/* Interpolates linearly between points; constant beyond the ends. */
double curve_at(const curve *c, double t);
/* Returns the last time; 0 without points. */
double curve_end(const curve *c);

#endif
