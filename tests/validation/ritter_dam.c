/* G6: a dam break on a long reservoir compared with Ritter's theory. */
#include "validate_internal.h"

#define G 9.81
#define DEPTH_M 0.3 /* h0: 30 d */
#define RITTER_D (DEPTH_M / 30)
#define STATIONS 13

/* Positions x / h0 of the gauges relative to the dam; the last gauge is at the dam itself. */
static const double stations[STATIONS] = {-5.2, -4.4, -3.6, -3.2, -2.8, -2.4, -2.0,
                                          -1.2, -0.4, 0.8,  1.6,  2.6,  0.0};

static void append_station(validate *v, base_text *json, double x)
{
    validate_append(v, json,
                    "%s{'name': 'h%g', 'height': {'min': [%g, 0, 0],"
                    " 'max': [%g, 0.4, 0.1]}}",
                    json->items[json->count - 1] == '[' ? "" : ",", x, x * DEPTH_M - 2 * RITTER_D,
                    x * DEPTH_M + 2 * RITTER_D);
}

static char *ritter_json(validate *v)
{
    base_text json = {0};
    validate_append(
        v, &json,
        "{'spacing': %g, 'frame_rate': 200,"
        " 'domain': {'min': [-1.8, 0, 0], 'max': [2.4, 0.45, 0.1],"
        " 'sides': {'x': ['closed', 'open'], 'y': ['closed', 'open']}},"
        " 'solver': {'dimensions': 2, 'substeps': 5, 'iterations': 4, 'reference_dt': 0.001},"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'shape': {'box': {"
        "'min': [-1.8, 0, 0], 'max': [0, %g, 0.1]}}}}], 'gauges': [",
        RITTER_D, DEPTH_M);
    for (size_t i = 0; i < STATIONS; ++i)
        append_station(v, &json, stations[i]);
    validate_append(v, &json, "]}");
    return json.items;
}

/* Returns h / h0 at x / (t sqrt(g h0)). */
static double ritter_depth(double speed)
{
    if (speed <= -1.0) return 1.0;
    return speed >= 2.0 ? 0.0 : (2.0 - speed) * (2.0 - speed) / 9.0;
}

/* Averages depths, and the time, over t sqrt(g / h0) from `from` to `to`. */
static void mean_depths(validate_world *world, double from, double to, double depths[STATIONS],
                        double *mean_time)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    const double unit = sqrt(G / DEPTH_M);
    uint32_t taken = 0;
    memset(depths, 0, STATIONS * sizeof *depths);
    *mean_time = 0.0;
    while (world->stats.time_s * unit < to) {
        validate_run(world, 1);
        if (world->stats.time_s * unit < from) continue;
        validate_read_gauges(world, gauges);
        for (size_t i = 0; i < STATIONS; ++i)
            depths[i] += gauges[i].value[0] / DEPTH_M;
        *mean_time += world->stats.time_s * unit;
        ++taken;
    }
    *mean_time /= taken;
    for (size_t i = 0; i < STATIONS; ++i)
        depths[i] /= taken;
}

/* Returns x / (t c0) where the depth passes 0.9 h0, interpolated between gauges of the mean
   profile. */
static double tail_position(const double *depths, double time)
{
    for (size_t i = 1; i + 1 < STATIONS; ++i) {
        if (depths[i - 1] < 0.9 || depths[i] > 0.9) continue;
        double share = (depths[i - 1] - 0.9) / (depths[i - 1] - depths[i]);
        return (stations[i - 1] + share * (stations[i] - stations[i - 1])) / time;
    }
    return 0.0;
}

/* The theory neglects the inertia of the falling water, so the flow approaches the theory with
   time. The end of the reservoir, 6 h0 away, does not disturb the dam before t sqrt(g / h0) = 6. */
void validate_ritter(validate *v)
{
    double depths[STATIONS], mean_time;
    const double tail = 2.0 - 3.0 * sqrt(0.9); /* theory: 0.9 h0 is at x = tail t sqrt(g h0) */
    validate_world *world = validate_open(v, ritter_json(v));
    mean_depths(world, 3.0, 3.3, depths, &mean_time);
    validate_within(v, tail_position(depths, mean_time) / tail, (validate_range){1.0, 0.05},
                    "speed of the tail at 0.9 h0, ratio to theory, t sqrt(g/h0) = 3 to 3.3");
    validate_report(v, depths[STATIONS - 1] / (4.0 / 9.0),
                    "depth at the dam, ratio to 4/9 h0, t sqrt(g/h0) = 3 to 3.3");
    mean_depths(world, 5.0, 5.5, depths, &mean_time);
    validate_add_line(v, "x_over_t_c0,h,theory");
    for (size_t i = 0; i < STATIONS; ++i) {
        double speed = stations[i] / mean_time;
        validate_add_line(v, "%.6g,%.6g,%.6g", speed, depths[i], ritter_depth(speed));
    }
    validate_write_table(v, "ritter");
    validate_within(v, depths[STATIONS - 1] / (4.0 / 9.0), (validate_range){1.0, 0.05},
                    "depth at the dam, ratio to 4/9 h0, t sqrt(g/h0) = 5 to 5.5");
    validate_report(v, tail_position(depths, mean_time) / tail,
                    "speed of the tail at 0.9 h0, ratio to theory, t sqrt(g/h0) = 5 to 5.5");
    validate_close(world);
}
