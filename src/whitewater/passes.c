/* Builds the pass lists of one frame of whitewater. */
#include "whitewater_internal.h"

static void append_pass(whitewater *f, whitewater_pass_list *table, int shader,
                        gpu_dispatch_size dispatch_size, const particle_view *points)
{
    const solid_set *solids = f->def.solids;
    gpu_buffer *bound[WHITEWATER_BINDINGS] = {
#define SOLIDS(of) solids ? of(solids) : f->empty_buffer
#define ATTRIBUTES(of) (of)->attribute_values ? (of)->attribute_values : f->empty_buffer
#define EXTERNAL(name, type, amount, owner) [WHITEWATER_BIND_##name] = owner,
#include "shared/whitewater_buffers.def"
    };
    WEIR_ASSERT(table->count < WHITEWATER_MAX_PASSES);
    gpu_pass *pass = &table->passes[table->count++];
    *pass = gpu_pass_make(f->pipelines[shader], dispatch_size);
    gpu_pass_bind_all(pass, bound, WHITEWATER_BINDINGS);
    gpu_pass_bind_all(pass, f->buffers.all, WHITEWATER_BINDINGS);
}

static gpu_dispatch_size counted_size(const char *name, uint64_t count)
{
    return (gpu_dispatch_size){.name = name, .count = count};
}

static void append_scan(whitewater *f, whitewater_pass_list *table, gpu_buffer *data,
                        uint32_t count)
{
    WEIR_ASSERT(table->count + GRID_SCAN_PASSES <= WHITEWATER_MAX_PASSES);
    const grid_scan_def def = {.data = data, .sums = f->scan_sums, .count = count};
    table->count += grid_scan_passes(f->scan, &def, &table->passes[table->count]);
}

static gpu_dispatch_size emission_size(const whitewater *f)
{
    return (gpu_dispatch_size){.name = "births",
                               .count = f->capacity,
                               .arguments = f->buffers.counters,
                               .argument_offset = offsetof(struct whitewater_counters, arguments)};
}

static void set_stage(whitewater_pass_list *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        table->passes[i].stage = table->name;
}

/* Appends the passes that sort the fluid, and find its surface and the potentials of emission. */
static whitewater_pass_list *append_fluid_passes(whitewater *f, const particle_view *points)
{
    whitewater_pass_list *table = &f->pass_lists[WHITEWATER_MOTION];
    gpu_dispatch_size live = grid_live_dispatch_size(f->grid);
    table->count = grid_point_passes(f->grid, points, table->passes);
    append_pass(f, table, WHITEWATER_REORDER_FLUID, live, points);
    append_pass(f, table, WHITEWATER_FIND_SURFACE_NORMALS, live, points);
    append_pass(f, table, WHITEWATER_FIND_POTENTIALS, live, points);
    return table;
}

void whitewater_build_potentials(whitewater *f, const particle_view *points)
{
    set_stage(append_fluid_passes(f, points));
}

void whitewater_build_emission(whitewater *f, const particle_view *points)
{
    whitewater_pass_list *table = &f->pass_lists[WHITEWATER_EMISSION];
    const gpu_dispatch_size one = counted_size("one", 1);
    table->count = 0;
    append_pass(f, table, WHITEWATER_RESET_COUNTERS, one, points);
    append_pass(f, table, WHITEWATER_COUNT_EMISSION,
                counted_size("particles", points->count + 1ull), points);
    append_scan(f, table, f->buffers.emission_offsets, points->count + 1);
    append_pass(f, table, WHITEWATER_EMISSION_DISPATCH_ARGS, one, points);
    append_pass(f, table, WHITEWATER_COMPACT, counted_size("whitewater", f->count + 1ull), points);
    append_pass(f, table, WHITEWATER_EMIT, emission_size(f), points);
    if (f->emitter_particle_count > 0)
        append_pass(f, table, WHITEWATER_ADD_EMITTER_PARTICLES,
                    counted_size("emitter particles", f->emitter_particle_count), points);
    set_stage(table);
}

void whitewater_build_passes(whitewater *f, const particle_view *points)
{
    whitewater_pass_list *table = append_fluid_passes(f, points);
    append_pass(f, table, WHITEWATER_ADVECT, counted_size("whitewater", f->count + 1ull), points);
    append_scan(f, table, f->buffers.survivor_offsets, f->count + 1);
    set_stage(table);
    whitewater_build_emission(f, points);
}
