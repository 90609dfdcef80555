/* Builds the device's pass lists from the tables of the solvers. */
#include "sim_ranks.h"
#include "sim_solvers.h"

/* ---- bindings of passes --------------------------------------------------------------------- */

/* Returns the buffer that is bound as predicted_positions. FLIP sorts the particles where they are,
 * and needs no predictions after the sort. */
static gpu_buffer *find_predicted_positions(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    return scene_has_grid(&world->scene->solver) ? b->sorted_positions : b->predicted_positions;
}

/* Binds a buffer to every binding number. Without bodies, passes whose shaders declare the bodies'
 * buffers bind a buffer of one element instead. */
void sim_bind_buffers(const sim_world *world, gpu_pass *pass)
{
    const sim_buffers *b = &world->buffers;
    const body_buffers *bodies = world->bodies ? body_set_buffers(world->bodies) : NULL;
    const poisson_buffers *cells =
        world->pressure_grid ? poisson_get_buffers(world->pressure_grid) : NULL;
    const deformable_buffers *deformables =
        world->deformables ? deformable_set_buffers(world->deformables) : NULL;
    gpu_buffer *bound[SIM_BINDINGS] = {
#define GRID(of) of(world->grid)
#define SOLIDS(of) of(world->solids)
#define CELLS(name) cells ? cells->name : NULL
#define BODIES(name) bodies ? bodies->name : b->body_boundary_sums
#define DEFORMABLES(name) deformables ? deformables->name : NULL
#define ORDER(name) world->id_order.name
#define RANKS(name) world->ranks ? world->ranks->name : NULL
#define ROW NULL
#define EXTERNAL(name, type, amount, owner) [SIM_BIND_##name] = owner,
#include "shared/sim_buffers.def"
    };
    memcpy(bound, b->all, sizeof b->all);
    bound[SIM_BIND_predicted_positions] = find_predicted_positions(world);
    if (!scene_has_grid(&world->scene->solver))
        bound[SIM_BIND_search_directions] = b->predicted_positions;
    gpu_pass_bind_all(pass, bound, SIM_BINDINGS);
}

gpu_pass sim_make_pass(const sim_world *world, int shader, gpu_dispatch_size dispatch_size)
{
    gpu_pass pass = gpu_pass_make(world->pipelines[shader], dispatch_size);
    sim_bind_buffers(world, &pass);
    if (pass.work.pair_flops > 0.0f) {
        pass.work.pairs = grid_lists(world->grid);
        pass.work.pair_bytes = grid_is_compact(world->grid) ? 2 : 4;
    }
    return pass;
}

/* ---- tables to passes ----------------------------------------------------------------------- */

static uint32_t loop_offset(uint32_t loop)
{
    return loop * (uint32_t)sizeof(struct gpu_loop);
}

gpu_dispatch_size sim_iteration_dispatch_size(const sim_world *world)
{
    gpu_dispatch_size live = grid_live_dispatch_size(world->grid);
    if (!sim_has_tolerance(world)) return live;
    live.arguments = world->buffers.loops;
    live.argument_offset = loop_offset(SIM_LOOP_ITERATIONS);
    return live;
}

static gpu_dispatch_size find_dispatch_size(const sim_world *world, const sim_pass *pass)
{
    gpu_dispatch_size live = grid_live_dispatch_size(world->grid);
    switch (pass->dispatch) {
    case SIM_ALL_PARTICLES: return grid_particle_dispatch_size(world->grid);
    case SIM_LIVE_PARTICLES: return live;
    case SIM_NEAR_PARTICLES: return grid_near_dispatch_size(world->grid);
    case SIM_HELD_PARTICLES: return grid_held_dispatch_size(world->grid);
    case SIM_ITERATED_NEAR_PARTICLES:
        if (!sim_has_tolerance(world)) return grid_near_dispatch_size(world->grid);
        return sim_iteration_dispatch_size(world); /* also of the first layer of ghosts */
    case SIM_ITERATED_PARTICLES: return sim_iteration_dispatch_size(world);
    case SIM_PARTICLE_CHUNKS:
        return (gpu_dispatch_size){.name = "particles in groups",
                                   .count = live.count,
                                   .per_invocation = SIM_STATS_PER_INVOCATION};
    case SIM_EMITTED_PARTICLES: return (gpu_dispatch_size){.name = "emitted", .count = 1};
    case SIM_GAUGE_WORKGROUPS:
        return (gpu_dispatch_size){.name = "gauges in workgroups",
                                   .count = (uint64_t)world->scene->gauge_count *
                                            gpu_pipeline_workgroup(world->pipelines[pass->shader])};
    case SIM_VISCOUS_UNKNOWNS:
    case SIM_VISCOUS_ONE_WORKGROUP:
        return sim_viscous_dispatch_size(world, pass->dispatch == SIM_VISCOUS_ONE_WORKGROUP);
    case SIM_ACTIVE_CELLS: return poisson_blocks_dispatch_size(world->pressure_grid);
    case SIM_SOLIDS:
        return (gpu_dispatch_size){.name = "solids", .count = world->scene->solid_count};
    case SIM_BODIES:
        return (gpu_dispatch_size){.name = "bodies", .count = world->scene->body_count};
    case SIM_NEAR_BODY_PARTICLES:
        live.name = "particles near bodies";
        live.arguments = body_set_buffers(world->bodies)->queues;
        live.argument_offset = BODY_QUEUE_PARTICLES * (uint32_t)sizeof(struct body_queue);
        return live;
    case SIM_OVERFLOW_PARTICLES:
        live.name = "particles near many bodies";
        live.arguments = body_set_buffers(world->bodies)->queues;
        live.argument_offset = BODY_QUEUE_OVERFLOW * (uint32_t)sizeof(struct body_queue);
        return live;
    default: return (gpu_dispatch_size){.name = "one", .count = 1};
    }
}

/* Returns the push constant `constant` of the shader. */
static uint32_t find_constant(const sim_world *world, int shader)
{
    switch (shader) {
    case SIM_LOOP_DISPATCH_ARGS: return SIM_LOOP_ITERATIONS;
    case SIM_SUBSTEP_BEGIN: return grid_segment_count(world->grid);
    case SIM_VISCOUS_CG_SCALARS: return SIM_VISCOUS_MAX_ITERATIONS;
    case SIM_CHECK_CONVERGENCE: return world->scene->solver.iterations;
    case SIM_GAUGE_HISTOGRAM:
    case SIM_GAUGE_PARTIAL_SUMS:
    case SIM_FINISH_GAUGE_READINGS:
    case SIM_FLIP_GAUGE_READING: return world->scene->gauge_count;
    default: return 0;
    }
}

static void set_repetition(const sim_world *world, const sim_pass *from, gpu_pass *pass)
{
    const scene_solver *solver = &world->scene->solver;
    switch (from->repeats) {
    case SIM_ONCE: break;
    case SIM_ITERATIONS:
        pass->group = "iterations";
        /* The error after the last iteration is measured, too. */
        pass->repeat = solver->iterations + sim_has_tolerance(world);
        break;
    case SIM_VISCOUS_ITERATIONS: /* the last repetition only checks convergence */
        pass->group = "viscosity";
        pass->repeat = SIM_VISCOUS_MAX_ITERATIONS + 1;
        break;
    }
}

/* Appends the pass of one table entry. */
static gpu_pass *append_pass(sim_world *world, const sim_pass *from, gpu_pass *pass)
{
    *pass = sim_make_pass(world, from->shader, find_dispatch_size(world, from));
    pass->constant = from->constant ? from->constant : find_constant(world, from->shader);
    if (from->shader == SIM_VISCOUS_CG_SCALARS) pass->loop = world->buffers.viscous_cg;
    if (from->shader == SIM_CHECK_CONVERGENCE) {
        pass->loop = world->buffers.loops;
        pass->loop_offset = loop_offset(SIM_LOOP_ITERATIONS);
    }
    if (from->shader == SIM_EMIT_PARTICLES) world->emit_pass = (uint32_t)(pass - world->passes);
    return pass + 1;
}

static bool is_skipped(const sim_world *world, const sim_pass *pass)
{
    return pass->when && !pass->when(world);
}

static bool has_shader(const sim_pass *row)
{
    return !row->stage && !row->sublist && !row->passes && !row->body_passes &&
           !row->deformable_passes;
}

/* Appends the passes of a row that is neither a stage nor a sublist. */
static gpu_pass *append_row(sim_world *world, const sim_pass *row, gpu_pass *pass)
{
    if (row->passes) return row->passes(world, pass);
    if (row->body_passes) return sim_append_body_passes(world, row->body_passes, pass);
    if (row->deformable_passes)
        return sim_append_deformable_passes(world, row->deformable_passes, pass);
    return append_pass(world, row, pass);
}

/* Appends the passes of a table. A sublist has stages of its own. */
static gpu_pass *append_passes(sim_world *world, const sim_pass *list, gpu_pass *pass)
{
    const char *stage = NULL;
    for (; !list->end; list++) {
        gpu_pass *first = pass;
        if (is_skipped(world, list)) continue;
        if (list->stage) {
            stage = list->stage;
        } else if (list->sublist) {
            pass = append_passes(world, list->sublist, pass);
        } else {
            pass = append_row(world, list, pass);
            for (; first < pass; first++) {
                set_repetition(world, list, first);
                first->stage = stage;
            }
        }
    }
    return pass;
}

/* ---- shared by the solvers ------------------------------------------------------------------ */

bool sim_has_emitters(const sim_world *world)
{
    return world->scene->emitter_count > 0 || world->hose.was_opened;
}

bool sim_has_tolerance(const sim_world *world)
{
    return scene_stops_at_tolerance(&world->scene->solver);
}

bool sim_adds_surface_tension(const sim_world *world)
{
    return sim_has_surface_tension(world->scene);
}

bool sim_has_gauges(const sim_world *world)
{
    return world->scene->gauge_count > 0;
}

bool sim_has_sea(const sim_world *world)
{
    return world->scene->sea.given;
}

bool sim_has_material_curves(const sim_world *world)
{
    return sim_has_curves(world->scene);
}

bool sim_has_curved_tension(const sim_world *world)
{
    return sim_has_curves(world->scene) && sim_has_surface_tension(world->scene);
}

bool sim_has_force_fields(const sim_world *world)
{
    return world->force_fields.count > 0;
}

bool sim_ranks_sum_density_errors(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    return sim_has_ranks(world) && (sim_has_tolerance(world) || solver->residuals ||
                                    solver->chebyshev_spectral_radius > 0.0f);
}

bool sim_has_one_rank(const sim_world *world)
{
    return !sim_has_ranks(world);
}

static bool has_particle_gauges(const sim_world *world)
{
    return sim_has_gauges(world) && sim_gauge_slots_per_particle(world->scene) > 0;
}

gpu_pass *sim_sort_passes(sim_world *world, gpu_pass *pass)
{
    return pass +
           grid_sort_passes(world->grid, find_predicted_positions(world), world->buffers.ids, pass);
}

gpu_pass *sim_neighbour_list_passes(sim_world *world, gpu_pass *pass)
{
    return pass + grid_list_passes(world->grid, world->buffers.iterated_positions, pass);
}

/* Like other forces that depend on the position, surface tension is that of the predicted
 * positions, where the corrections act (docs/equations.md). */
static const sim_pass surface_tension_passes[] = {
    {.stage = "surface tension"},
    {SIM_SURFACE_NORMAL, .dispatch = SIM_NEAR_PARTICLES},
    {SIM_SURFACE_TENSION, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_APPLY_SURFACE_TENSION, .dispatch = SIM_LIVE_PARTICLES},
    {.passes = sim_tension_swap_passes, .when = sim_has_ranks},
    {.end = true},
};

const sim_pass sim_sph_begin_passes[] = {
    {.stage = "integrate"},
    {SIM_SUBSTEP_BEGIN, .dispatch = SIM_ONE_INVOCATION},
    {.body_passes = body_begin_passes, .when = sim_has_bodies},
    {.deformable_passes = deformable_begin_passes, .when = sim_has_deformables},
    {SIM_EMIT_PARTICLES, .dispatch = SIM_EMITTED_PARTICLES, .when = sim_has_emitters},
    {SIM_SOLID_FORCE_FRAME_MEAN, .dispatch = SIM_SOLIDS, .constant = SIM_SOLID_FORCES_CLEAR,
     .when = sim_sums_solid_forces},
    {SIM_PREDICT_POSITIONS, .dispatch = SIM_ALL_PARTICLES},
    {.passes = sim_migration_passes, .when = sim_has_ranks},
    {.stage = "create hash grid"},
    {.passes = sim_sort_passes},
    {SIM_REORDER_PARTICLES, .dispatch = SIM_HELD_PARTICLES},
    {SIM_PARTICLE_MATERIALS, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_material_curves},
    {.stage = "detect neighbours"},
    {.passes = sim_neighbour_list_passes},
    {.sublist = surface_tension_passes, .when = sim_adds_surface_tension},
    {.sublist = sim_viscous_passes, .when = sim_solves_viscosity},
    {.end = true},
};

const sim_pass sim_sph_end_passes[] = {
    {.stage = "velocity update"},
    {SIM_CHECK_FINITE, .dispatch = SIM_ONE_INVOCATION, .when = sim_has_one_rank},
    {SIM_UPDATE_VELOCITY, .dispatch = SIM_HELD_PARTICLES},
    {SIM_VORTICITY_XSPH, .dispatch = SIM_NEAR_PARTICLES, .when = sim_needs_neighbour_velocities},
    {SIM_FINALIZE_VELOCITY, .dispatch = SIM_LIVE_PARTICLES},
    {.stage = "gauges"},
    {SIM_GAUGE_HISTOGRAM, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_gauges},
    {SIM_GAUGE_PARTIAL_SUMS, .dispatch = SIM_PARTICLE_CHUNKS, .when = has_particle_gauges},
    {.passes = sim_rank_reading_passes, .when = sim_ranks_sum_readings},
    {SIM_FINISH_GAUGE_READINGS, .dispatch = SIM_GAUGE_WORKGROUPS, .when = sim_has_gauges},
    {SIM_SOLID_FORCE_FRAME_MEAN, .dispatch = SIM_SOLIDS, .constant = SIM_SOLID_FORCES_ACCUMULATE,
     .when = sim_sums_solid_forces},
    {.sublist = sim_attribute_passes, .when = sim_has_attributes},
    {.stage = "integrate"},
    {SIM_RELAX_SEA_ZONES, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_sea},
    {SIM_APPLY_FORCE_FIELDS, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_force_fields},
    {.body_passes = body_end_passes, .when = sim_has_bodies},
    {.deformable_passes = deformable_end_passes, .when = sim_has_deformables},
    {.end = true},
};

/* Returns whether the scene's method uses neighbour lists. On a MAC grid, the density is computed
 * along with the particles' motion. */
static bool has_neighbour_lists(const sim_world *world)
{
    return !scene_has_grid(&world->scene->solver);
}

/* Returns whether bodies near a particle add to its density. */
static bool has_body_density(const sim_world *world)
{
    return sim_has_bodies(world) && has_neighbour_lists(world);
}

static const sim_pass frame_begin_passes[] = {
    {.stage = "integrate"},
    {SIM_CHOOSE_SUBSTEP_COUNT, .dispatch = SIM_ONE_INVOCATION},
    {.end = true},
};

static const sim_pass frame_end_passes[] = {
    {SIM_FRAME_END, .dispatch = SIM_ONE_INVOCATION},
    {.body_passes = body_broad_phase_passes, .when = has_body_density},
    {SIM_BODY_BROAD_PHASE, .dispatch = SIM_LIVE_PARTICLES, .when = has_body_density},
    {SIM_BODY_BOUNDARY_DENSITY, .dispatch = SIM_NEAR_BODY_PARTICLES, .when = has_body_density},
    {SIM_COMPUTE_DENSITY, .dispatch = SIM_LIVE_PARTICLES, .when = has_neighbour_lists},
    {SIM_STATISTICS_PARTIALS, .dispatch = SIM_PARTICLE_CHUNKS},
    {SIM_STATISTICS_TOTAL, .dispatch = SIM_ONE_INVOCATION, .when = sim_has_one_rank},
    {.passes = sim_rank_statistics_passes, .when = sim_has_ranks},
    {SIM_MAX_BODY_SPEED, .dispatch = SIM_BODIES, .when = sim_has_bodies},
    {.end = true},
};

bool sim_has_solids(const sim_world *world)
{
    return sim_has_solids_or_sinks(world->scene);
}

static weir_result require_pipelines(sim_world *world, const sim_pass *list)
{
    for (; !list->end; list++) {
        if (is_skipped(world, list)) continue;
        if (list->sublist)
            WEIR_RETURN_IF_ERROR(require_pipelines(world, list->sublist));
        else if (has_shader(list))
            WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, list->shader));
    }
    return WEIR_OK;
}

weir_result sim_build_passes(sim_world *world)
{
    static const sim_pass *const lists[] = {
        [SCENE_METHOD_PBF] = sim_pbf_passes,     [SCENE_METHOD_PCISPH] = sim_pcisph_passes,
        [SCENE_METHOD_FLIP] = sim_flip_passes,   [SCENE_METHOD_APIC] = sim_flip_passes,
        [SCENE_METHOD_WCSPH] = sim_wcsph_passes,
    };
    static const sim_pass no_passes[] = {{.end = true}};
    const sim_pass *substep =
        world->standalone ? sim_standalone_passes : lists[world->scene->solver.method];
    const sim_pass *closing = world->standalone ? no_passes : frame_end_passes;
    WEIR_RETURN_IF_ERROR(sim_require_rank_pipelines(world));
    WEIR_RETURN_IF_ERROR(require_pipelines(world, frame_begin_passes));
    WEIR_RETURN_IF_ERROR(require_pipelines(world, substep));
    WEIR_RETURN_IF_ERROR(require_pipelines(world, closing));
    if (world->deformables)
        WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, SIM_DEFORMABLE_CONTACT_SOLVE));
    if (sim_has_deformable_drag(world))
        WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, SIM_DEFORMABLE_DRAG_APPLY));
    world->emit_pass = UINT32_MAX;
    gpu_pass *end = append_passes(world, substep, world->passes);
    world->pass_count = (uint32_t)(end - world->passes);
    WEIR_ASSERT(world->pass_count <= SIM_PASS_CAPACITY);
    end = append_passes(world, closing, world->end_passes);
    world->end_pass_count = (uint32_t)(end - world->end_passes);
    WEIR_ASSERT(world->end_pass_count <= SIM_END_PASS_CAPACITY);
    append_passes(world, frame_begin_passes, &world->begin_pass);
    WEIR_RETURN_IF_ERROR(gpu_passes_check(world->device, &world->begin_pass, 1));
    WEIR_RETURN_IF_ERROR(gpu_passes_check(world->device, world->passes, world->pass_count));
    return gpu_passes_check(world->device, world->end_passes, world->end_pass_count);
}
