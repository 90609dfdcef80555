/* The device's rows, made from the tables of the solvers. */
#include "sim_rows.h"

/* ---- what rows bind ------------------------------------------------------------------------- */

/* FLIP sorts the particles where they are, and needs no prediction once they are sorted. */
static gpu_buffer *predictions(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    return scene_has_grid(&world->scene->solver) ? b->starts : b->predictions;
}

/* The buffer of every binding number. Without bodies, rows whose shaders could read them bind one
 * element. */
static void bind(const sim_world *world, gpu_row *row)
{
    const sim_buffers *b = &world->buffers;
    const body_set *bodies = world->bodies;
    soft_fronts fronts = world->softs ? soft_set_fronts(world->softs) : (soft_fronts){0};
    gpu_buffer *bound[SIM_BINDINGS] = {
#define GRID(of) of(world->grid)
#define SOLIDS(of) of(world->solids)
#define CELLS(of) world->cells ? of(world->cells) : NULL
#define BODIES(of) bodies ? of(bodies) : b->body_walls
#define SOFTS(name) fronts.name
#define ORDER(name) world->order.name
#define ROW NULL
#define EXTERNAL(name, type, amount, owner) [SIM_BIND_##name] = owner,
#include "shared/sim_buffers.def"
    };
    memcpy(bound, b->all, sizeof b->all);
    bound[SIM_BIND_predictions] = predictions(world);
    if (!scene_has_grid(&world->scene->solver)) bound[SIM_BIND_search_directions] = b->predictions;
    gpu_row_bind_all(row, bound, SIM_BINDINGS);
}

gpu_row sim_make_row(const sim_world *world, int kernel, gpu_domain domain)
{
    gpu_row row = gpu_row_make(world->kernels[kernel], domain);
    bind(world, &row);
    if (row.work.pair_flops > 0.0f) {
        row.work.pairs = grid_lists(world->grid);
        row.work.pair_bytes = grid_is_compact(world->grid) ? 2 : 4;
    }
    return row;
}

/* ---- tables to rows ------------------------------------------------------------------------- */

static uint32_t loop_offset(uint32_t loop)
{
    return loop * (uint32_t)sizeof(struct gpu_loop);
}

gpu_domain sim_iterated(const sim_world *world)
{
    gpu_domain live = grid_live(world->grid);
    if (!sim_is_tolerant(world)) return live;
    live.arguments = world->buffers.loops;
    live.argument_offset = loop_offset(SIM_LOOP_ITERATIONS);
    return live;
}

static gpu_domain find_domain(const sim_world *world, const sim_row *row)
{
    gpu_domain live = grid_live(world->grid);
    switch (row->over) {
    case SIM_ALL_PARTICLES: return grid_particles(world->grid);
    case SIM_LIVE_PARTICLES: return live;
    case SIM_ITERATED: return sim_iterated(world);
    case SIM_SHARES:
        return (gpu_domain){
            .name = "particles in shares", .count = live.count, .per_invocation = SIM_STATS_EACH};
    case SIM_EMITTED: return (gpu_domain){.name = "emitted", .count = 1};
    case SIM_GAUGES:
        return (gpu_domain){.name = "gauges in workgroups",
                            .count = (uint64_t)world->scene->gauge_count *
                                     gpu_kernel_workgroup(world->kernels[row->kernel])};
    case SIM_VISCOUS:
    case SIM_VISCOUS_ONE: return sim_viscous_domain(world, row->over == SIM_VISCOUS_ONE);
    case SIM_CELLS: return poisson_blocks_domain(world->cells);
    case SIM_SOLIDS: return (gpu_domain){.name = "solids", .count = world->scene->solid_count};
    case SIM_BODIES: return (gpu_domain){.name = "bodies", .count = world->scene->body_count};
    case SIM_MET:
        live.name = "particles that bodies meet";
        live.arguments = body_set_queues(world->bodies);
        live.argument_offset = BODY_QUEUE_PARTICLES * (uint32_t)sizeof(struct body_queue);
        return live;
    case SIM_CROWDED:
        live.name = "particles with many bodies near";
        live.arguments = body_set_queues(world->bodies);
        live.argument_offset = BODY_QUEUE_CROWDED * (uint32_t)sizeof(struct body_queue);
        return live;
    default: return (gpu_domain){.name = "one", .count = 1};
    }
}

/* The shaders' row.constant. */
static uint32_t find_constant(const sim_world *world, int kernel)
{
    switch (kernel) {
    case SIM_LOOP_BEGIN: return SIM_LOOP_ITERATIONS;
    case SIM_SUBSTEP_BEGIN: return grid_segment_count(world->grid);
    case SIM_VISCOUS_DECIDE: return SIM_VISCOUS_MOST;
    case SIM_GAUGE_COUNT:
    case SIM_GAUGE_SUM:
    case SIM_GAUGE_READ:
    case SIM_FLIP_GAUGE: return world->scene->gauge_count;
    default: return 0;
    }
}

static void repeat(const sim_world *world, const sim_row *from, gpu_row *row)
{
    const scene_solver *solver = &world->scene->solver;
    switch (from->repeats) {
    case SIM_ONCE: break;
    case SIM_ITERATIONS:
        row->group = "iterations";
        /* The error after the last iteration is measured, too. */
        row->repeat = solver->iterations + sim_is_tolerant(world);
        break;
    case SIM_VISCOUS_ITERATIONS: /* the last one decides only */
        row->group = "viscosity";
        row->repeat = SIM_VISCOUS_MOST + 1;
        break;
    }
}

/* Appends a row of a table. */
static gpu_row *add_row(sim_world *world, const sim_row *from, gpu_row *row)
{
    *row = sim_make_row(world, from->kernel, find_domain(world, from));
    row->constant = from->constant ? from->constant : find_constant(world, from->kernel);
    if (from->kernel == SIM_VISCOUS_DECIDE) row->loop = world->buffers.viscous;
    if (from->kernel == SIM_DECIDE) {
        row->loop = world->buffers.loops;
        row->loop_offset = loop_offset(SIM_LOOP_ITERATIONS);
    }
    if (from->kernel == SIM_EMIT) world->emit_row = (uint32_t)(row - world->rows);
    return row + 1;
}

static bool is_left_out(const sim_world *world, const sim_row *row)
{
    return row->when && !row->when(world);
}

/* A part has stages of its own. */
static gpu_row *add_table(sim_world *world, const sim_row *table, gpu_row *row)
{
    const char *stage = NULL;
    for (; !table->end; table++) {
        gpu_row *first = row;
        if (is_left_out(world, table)) continue;
        if (table->stage) {
            stage = table->stage;
        } else if (table->part) {
            row = add_table(world, table->part, row);
        } else {
            row = table->rows ? table->rows(world, row) : add_row(world, table, row);
            for (; first < row; first++) {
                repeat(world, table, first);
                first->stage = stage;
            }
        }
    }
    return row;
}

/* ---- what the solvers share ----------------------------------------------------------------- */

bool sim_emits(const sim_world *world)
{
    return world->scene->emitter_count > 0 || world->jet.used;
}

bool sim_is_tolerant(const sim_world *world)
{
    return scene_is_tolerant(&world->scene->solver);
}

static bool is_tense(const sim_world *world)
{
    return sim_is_tense(world->scene);
}

bool sim_has_gauges(const sim_world *world)
{
    return world->scene->gauge_count > 0;
}

static bool drags_bodies(const sim_world *world)
{
    return sim_solves_viscosity(world) && sim_has_bodies(world);
}

static bool drags_solids(const sim_world *world)
{
    return sim_solves_viscosity(world) && sim_has_solids(world) && sim_measures_force(world->scene);
}

static bool measures(const sim_world *world)
{
    return sim_has_gauges(world) && sim_measured_slots(world->scene) > 0;
}

gpu_row *sim_sort_rows(sim_world *world, gpu_row *row)
{
    return row + grid_sort_rows(world->grid, predictions(world), world->buffers.ids, row);
}

gpu_row *sim_list_rows(sim_world *world, gpu_row *row)
{
    return row + grid_list_rows(world->grid, world->buffers.iterates, row);
}

const sim_row sim_opening[] = {
    {.stage = "integrate"},
    {SIM_SUBSTEP_BEGIN, .over = SIM_ONE},
    {.rows = sim_body_begin_rows, .when = sim_has_bodies},
    {.rows = sim_soft_begin_rows, .when = sim_has_softs},
    {SIM_EMIT, .over = SIM_EMITTED, .when = sim_emits},
    {SIM_SOLID_FORCES, .over = SIM_SOLIDS, .constant = SIM_FORCES_BEGIN, .when = sim_sums_forces},
    {SIM_PREDICT, .over = SIM_ALL_PARTICLES},
    {.stage = "create hash grid"},
    {.rows = sim_sort_rows},
    {SIM_REORDER, .over = SIM_LIVE_PARTICLES},
    {.stage = "detect neighbours"},
    {.rows = sim_list_rows},
    {.stage = "viscosity"},
    {SIM_VISCOUS_VELOCITY, .over = SIM_LIVE_PARTICLES, .when = sim_solves_viscosity},
    {SIM_VISCOUS_START, .over = SIM_ONE, .when = sim_solves_viscosity},
    {SIM_VISCOUS_BEGIN, .over = SIM_LIVE_PARTICLES, .when = sim_solves_viscosity},
    {SIM_APPROACH, .over = SIM_LIVE_PARTICLES, .when = drags_bodies},
    {SIM_VISCOUS_BODIES, .over = SIM_BODIES, .constant = SIM_FLOW_OPEN, .when = drags_bodies},
    {SIM_VISCOUS_MEET, .over = SIM_MET, .when = drags_bodies},
    {SIM_VISCOUS_BODIES, .over = SIM_BODIES, .constant = SIM_FLOW_FIRST, .when = drags_bodies},
    {SIM_VISCOUS_DRAG, .over = SIM_MET, .repeats = SIM_VISCOUS_ITERATIONS, .when = drags_bodies},
    {SIM_VISCOUS_BODIES, .over = SIM_BODIES, .repeats = SIM_VISCOUS_ITERATIONS,
     .constant = SIM_FLOW_PRODUCT, .when = drags_bodies},
    {SIM_VISCOUS_MULTIPLY, .over = SIM_VISCOUS, .repeats = SIM_VISCOUS_ITERATIONS,
     .when = sim_solves_viscosity},
    {SIM_VISCOUS_DECIDE, .over = SIM_VISCOUS_ONE, .repeats = SIM_VISCOUS_ITERATIONS,
     .when = sim_solves_viscosity},
    {SIM_VISCOUS_UPDATE, .over = SIM_VISCOUS, .repeats = SIM_VISCOUS_ITERATIONS,
     .when = sim_solves_viscosity},
    {SIM_VISCOUS_BODIES, .over = SIM_BODIES, .repeats = SIM_VISCOUS_ITERATIONS,
     .constant = SIM_FLOW_STEP, .when = drags_bodies},
    {SIM_VISCOUS_BODIES, .over = SIM_BODIES, .constant = SIM_FLOW_END, .when = drags_bodies},
    {.rows = sim_body_tally_rows, .when = drags_bodies},
    {.rows = sim_body_shift_rows, .when = drags_bodies},
    {SIM_VISCOUS_SOLIDS, .over = SIM_LIVE_PARTICLES, .when = drags_solids},
    {SIM_VISCOUS_MOVE, .over = SIM_LIVE_PARTICLES, .when = sim_solves_viscosity},
    {.end = true},
};

/* Surface tension is computed from the positions at the end of the substep and acts in the next. */
const sim_row sim_closing[] = {
    {.stage = "velocity update"},
    {SIM_JUDGE, .over = SIM_ONE},
    {SIM_VELOCITY, .over = SIM_LIVE_PARTICLES},
    {SIM_VORTICITY, .over = SIM_LIVE_PARTICLES, .when = sim_gathers_velocity},
    {SIM_NORMAL, .over = SIM_LIVE_PARTICLES, .when = is_tense},
    {SIM_TENSION, .over = SIM_LIVE_PARTICLES, .when = is_tense},
    {SIM_COMMIT, .over = SIM_LIVE_PARTICLES},
    {.stage = "gauges"},
    {SIM_GAUGE_COUNT, .over = SIM_LIVE_PARTICLES, .when = sim_has_gauges},
    {SIM_GAUGE_SUM, .over = SIM_SHARES, .when = measures},
    {SIM_GAUGE_READ, .over = SIM_GAUGES, .when = sim_has_gauges},
    {SIM_SOLID_FORCES, .over = SIM_SOLIDS, .constant = SIM_FORCES_END, .when = sim_sums_forces},
    {.stage = "integrate"},
    {.rows = sim_body_end_rows, .when = sim_has_bodies},
    {.rows = sim_soft_end_rows, .when = sim_has_softs},
    {SIM_SUBSTEP_END, .over = SIM_ONE},
    {.end = true},
};

/* A grid gives the density with the motion. */
static bool lists_neighbours(const sim_world *world)
{
    return !scene_has_grid(&world->scene->solver);
}

/* Bodies near a particle add to its density. */
static bool adds_bodies(const sim_world *world)
{
    return sim_has_bodies(world) && lists_neighbours(world);
}

static const sim_row frame_begin[] = {
    {.stage = "integrate"},
    {SIM_FRAME_BEGIN, .over = SIM_ONE},
    {.end = true},
};

static const sim_row frame_end[] = {
    {SIM_FRAME_END, .over = SIM_ONE},
    {.rows = sim_body_cell_rows, .when = adds_bodies},
    {SIM_APPROACH, .over = SIM_LIVE_PARTICLES, .when = adds_bodies},
    {SIM_SURROUND, .over = SIM_MET, .when = adds_bodies},
    {SIM_DENSITY, .over = SIM_LIVE_PARTICLES, .when = lists_neighbours},
    {SIM_SUM_PARTICLES, .over = SIM_SHARES},
    {SIM_SUM_PARTIALS, .over = SIM_ONE},
    {SIM_FASTEST_BODY, .over = SIM_BODIES, .when = sim_has_bodies},
    {.end = true},
};

bool sim_has_solids(const sim_world *world)
{
    return sim_has_items(world->scene);
}

bool sim_has_bodies(const sim_world *world)
{
    return world->bodies != NULL;
}

static body_binds body_binds_of(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    return (body_binds){.params = b->params,
                        .state = grid_state_buffer(world->grid),
                        .status = b->status,
                        .poses = b->poses,
                        .solids = world->solids};
}

gpu_row *sim_body_begin_rows(sim_world *world, gpu_row *row)
{
    body_binds binds = body_binds_of(world);
    return row + body_begin_rows(world->bodies, &binds, row);
}

gpu_row *sim_body_cell_rows(sim_world *world, gpu_row *row)
{
    body_binds binds = body_binds_of(world);
    return row + body_cell_rows(world->bodies, &binds, row);
}

gpu_row *sim_body_tally_rows(sim_world *world, gpu_row *row)
{
    body_binds binds = body_binds_of(world);
    return row + body_tally_rows(world->bodies, &binds, row);
}

gpu_row *sim_body_solve_rows(sim_world *world, gpu_row *row)
{
    body_binds binds = body_binds_of(world);
    return row + body_solve_rows(world->bodies, &binds, row);
}

gpu_row *sim_body_shift_rows(sim_world *world, gpu_row *row)
{
    body_binds binds = body_binds_of(world);
    return row + body_shift_rows(world->bodies, &binds, row);
}

gpu_row *sim_body_end_rows(sim_world *world, gpu_row *row)
{
    body_binds binds = body_binds_of(world);
    return row + body_end_rows(world->bodies, &binds, row);
}

gpu_row sim_drag_row(const sim_world *world)
{
    body_binds binds = body_binds_of(world);
    return body_drag_row(world->bodies, &binds);
}

static weir_result need_kernels(sim_world *world, const sim_row *table)
{
    for (; !table->end; table++) {
        if (is_left_out(world, table)) continue;
        if (table->part)
            WEIR_NEED(need_kernels(world, table->part));
        else if (!table->rows && !table->stage)
            WEIR_NEED(sim_kernel_need(world, table->kernel));
    }
    return WEIR_OK;
}

weir_result sim_rows_build(sim_world *world)
{
    static const sim_row *const tables[] = {
        [SCENE_METHOD_PBF] = sim_pbf,     [SCENE_METHOD_PCISPH] = sim_pcisph,
        [SCENE_METHOD_FLIP] = sim_flip,   [SCENE_METHOD_APIC] = sim_flip,
        [SCENE_METHOD_WCSPH] = sim_wcsph,
    };
    static const sim_row nothing[] = {{.end = true}};
    const sim_row *substep = world->alone ? sim_alone : tables[world->scene->solver.method];
    const sim_row *closing = world->alone ? nothing : frame_end;
    WEIR_NEED(need_kernels(world, frame_begin));
    WEIR_NEED(need_kernels(world, substep));
    WEIR_NEED(need_kernels(world, closing));
    if (world->softs) WEIR_NEED(sim_kernel_need(world, SIM_SOFT_PRESS));
    if (sim_has_drags(world)) WEIR_NEED(sim_kernel_need(world, SIM_SOFT_DRAG));
    world->emit_row = UINT32_MAX;
    gpu_row *end = add_table(world, substep, world->rows);
    world->row_count = (uint32_t)(end - world->rows);
    WEIR_ASSERT(world->row_count <= SIM_ROWS);
    end = add_table(world, closing, world->end_rows);
    world->end_row_count = (uint32_t)(end - world->end_rows);
    WEIR_ASSERT(world->end_row_count <= SIM_END_ROWS);
    add_table(world, frame_begin, &world->begin_row);
    WEIR_NEED(gpu_table_check(world->device, &world->begin_row, 1));
    WEIR_NEED(gpu_table_check(world->device, world->rows, world->row_count));
    return gpu_table_check(world->device, world->end_rows, world->end_row_count);
}
