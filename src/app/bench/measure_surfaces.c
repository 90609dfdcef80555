/* Measures meshes and pictures: the particles at one time are meshed or drawn repeatedly. */
#include "bench_internal.h"

#define START_S 0.5 /* the dam break's column has become a splash */

weir_result bench_simulate_points(weir_sim *sim, bench_result *result, weir_points **points)
{
    weir_stats *stats = &result->stats;
    double start_s = result->what.start_s > 0 ? result->what.start_s : START_S;
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(sim, stats));
    while (stats->time_s < start_s && !base_interrupted()) {
        WEIR_RETURN_IF_ERROR(weir_sim_step(sim, 0));
        WEIR_RETURN_IF_ERROR(weir_sim_get_stats(sim, stats));
    }
    return weir_sim_acquire_points(sim, points);
}

/* ---- meshes --------------------------------------------------------------------------------- */

#define OBJ_FILE "weir-bench-surface.obj" /* in the working folder, during the measurement */

static weir_result run_mesher_once(weir_mesher *mesher, const weir_points *points,
                                   bench_result *result)
{
    weir_mesh *mesh = NULL;
    weir_mesh_arrays view;
    weir_mesh_save_def def = weir_mesh_save_def_default();
    WEIR_RETURN_IF_ERROR(weir_mesher_run(mesher, points, &mesh));
    weir_mesh_get_arrays(mesh, &view);
    result->vertices = view.vertex_count;
    result->triangles = view.triangle_count;
    double start_s = base_time_s();
    weir_result saved = result->what.preset ? weir_mesh_save(mesh, OBJ_FILE, &def) : WEIR_OK;
    result->write_ms += 1000 * (base_time_s() - start_s);
    weir_mesh_destroy(&mesh);
    return saved;
}

/* Measures meshes. The mesher's times include its first run, which creates the buffers; wall_ms
 * does not. */
weir_result bench_measure_meshes(bench_report *report, const bench_options *options, weir_sim *sim,
                                 bench_result *result)
{
    weir_result made;
    weir_mesher *mesher = NULL;
    weir_points *points = NULL;
    weir_mesher_def def = weir_mesher_def_default(result->what.preset);
    def.raw = true;                                /* measures the device's part alone */
    if (result->what.preset) def.velocity = false; /* OBJ has no velocities */
    made = bench_simulate_points(sim, result, &points);
    if (made == WEIR_OK) made = weir_mesher_create(report->device, &def, &mesher);
    if (made == WEIR_OK) made = bench_begin_trace(report, options);
    if (made == WEIR_OK) made = run_mesher_once(mesher, points, result);
    result->write_ms = 0;
    double start_s = base_time_s(), processor_s = base_process_cpu_time_s();
    while (made == WEIR_OK && result->frames < options->repeat &&
           base_time_s() - start_s < options->seconds && !base_interrupted()) {
        made = run_mesher_once(mesher, points, result);
        ++result->frames;
    }
    result->wall_ms = 1000 * (base_time_s() - start_s);
    result->processor_ms = 1000 * (base_process_cpu_time_s() - processor_s);
    result->substeps = result->frames + 1;
    result->pass_count = BENCH_PASSES;
    if (made == WEIR_OK && report->info.timestamps)
        made = weir_mesher_get_pass_times(mesher, result->passes, &result->pass_count);
    else
        result->pass_count = 0;
    if (result->pass_count > BENCH_PASSES) result->pass_count = BENCH_PASSES;
    if (result->what.preset) base_file_remove(NULL, OBJ_FILE);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
    return made;
}

/* ---- pictures ------------------------------------------------------------------------------- */

typedef struct picture_run {
    weir_renderer *renderer;
    weir_points *points;
    weir_image *image;
    weir_camera view;
} picture_run;

/* Waits for the last picture by reading its times, or its pixels without timestamps. */
static weir_result finish_pictures(const bench_report *report, picture_run *p,
                                   bench_result *measured)
{
    uint32_t width, height;
    const uint8_t *pixels;
    measured->pass_count = BENCH_PASSES;
    if (report->info.timestamps)
        return weir_renderer_get_pass_times(p->renderer, measured->passes, &measured->pass_count);
    measured->pass_count = 0;
    return weir_image_read(p->image, &width, &height, &pixels);
}

static weir_result draw_picture(bench_report *report, const bench_options *options, picture_run *p,
                                bench_result *measured)
{
    WEIR_RETURN_IF_ERROR(bench_begin_trace(report, options));
    WEIR_RETURN_IF_ERROR(weir_render_points(p->renderer, p->points, &p->view, &p->image));
    WEIR_RETURN_IF_ERROR(
        finish_pictures(report, p, measured)); /* the first run creates buffers and pipelines */
    double start_s = base_time_s(), processor_s = base_process_cpu_time_s();
    while (measured->frames < options->repeat && base_time_s() - start_s < options->seconds &&
           !base_interrupted()) {
        WEIR_RETURN_IF_ERROR(weir_render_points(p->renderer, p->points, &p->view, &p->image));
        ++measured->frames;
    }
    WEIR_RETURN_IF_ERROR(finish_pictures(report, p, measured));
    measured->wall_ms = 1000 * (base_time_s() - start_s);
    measured->processor_ms = 1000 * (base_process_cpu_time_s() - processor_s);
    measured->substeps = measured->frames + 1;
    measured->width = p->view.width;
    measured->height = p->view.height;
    return WEIR_OK;
}

weir_result bench_measure_pictures(bench_report *report, const bench_options *options,
                                   weir_sim *sim, bench_result *result)
{
    /* The whole domain of the dam break, seen from its open side. */
    static const float eye[3] = {2.0f, 2.4f, 6.5f}, target[3] = {2.0f, 0.6f, 0.6f};
    picture_run p = {.view = weir_camera_default(NULL)};
    weir_renderer_def def = weir_renderer_def_default();
    weir_result drawn = bench_simulate_points(sim, result, &p.points);
    p.view.width = result->what.width;
    p.view.height = result->what.height;
    memcpy(p.view.eye, eye, sizeof eye);
    memcpy(p.view.target, target, sizeof target);
    if (drawn == WEIR_OK) drawn = weir_renderer_create(report->device, &def, &p.renderer);
    if (drawn == WEIR_OK) drawn = draw_picture(report, options, &p, result);
    if (result->pass_count > BENCH_PASSES) result->pass_count = BENCH_PASSES;
    weir_image_destroy(&p.image);
    weir_renderer_destroy(&p.renderer);
    weir_points_release(&p.points);
    return drawn;
}
