/* Meshes measured: the particles of half a second, meshed again and again. */
#include "bench.h"

#define START_S 0.5 /* the column has run out into a splash */

static weir_result advance(weir_sim *sim, weir_stats *stats)
{
    weir_result result = weir_sim_stats(sim, stats);
    while (result == WEIR_OK && stats->time_s < START_S && !base_interrupted()) {
        result = weir_sim_step(sim, 0);
        if (result == WEIR_OK) result = weir_sim_stats(sim, stats);
    }
    return result;
}

static weir_result mesh_once(weir_mesher *mesher, const weir_points *points, bench_result *result)
{
    weir_mesh *mesh = NULL;
    weir_mesh_view view;
    weir_result made = weir_mesher_run(mesher, points, &mesh);
    if (made != WEIR_OK) return made;
    weir_mesh_get(mesh, &view);
    result->vertices = view.vertex_count;
    result->triangles = view.triangle_count;
    weir_mesh_destroy(&mesh);
    return WEIR_OK;
}

/* The mesher's times count from its first run: the first, which makes its buffers, belongs to them
 * and not to the clock. */
weir_result bench_measure_meshes(bench_report *report, const bench_options *options, weir_sim *sim,
                                 bench_result *result)
{
    weir_result made;
    weir_mesher *mesher = NULL;
    weir_points *points = NULL;
    weir_mesher_def def = weir_mesher_def_default(NULL);
    made = advance(sim, &result->stats);
    if (made == WEIR_OK) made = weir_sim_acquire_points(sim, &points);
    if (made == WEIR_OK) made = weir_mesher_create(report->device, &def, &mesher);
    if (made == WEIR_OK) made = mesh_once(mesher, points, result);
    double start_s = base_time_s();
    while (made == WEIR_OK && result->frames < options->repeat &&
           base_time_s() - start_s < options->seconds && !base_interrupted()) {
        made = mesh_once(mesher, points, result);
        ++result->frames;
    }
    result->wall_ms = 1000 * (base_time_s() - start_s);
    result->substeps = result->frames + 1;
    result->pass_count = BENCH_PASSES;
    if (made == WEIR_OK && report->info.timestamps)
        made = weir_mesher_row_times(mesher, result->passes, &result->pass_count);
    else
        result->pass_count = 0;
    if (result->pass_count > BENCH_PASSES) result->pass_count = BENCH_PASSES;
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
    return made;
}
