/* Messages between neighbours, as work of the host between passes: migration and swaps. The device
 * has packed them into mapped memory, and reads from there what has come. */
#include "sim_ranks.h"

enum { LEFT, RIGHT, SIDES };

typedef struct side_message {
    void *bytes;
    uint64_t size; /* of a received one, first its room */
} side_message;

static bool has_neighbour(const sim_ranks *r, int side)
{
    return side == LEFT ? r->rank > 0 : r->rank + 1 < r->size;
}

/* Sends a message to each neighbour and receives one from each. */
static weir_result exchange(sim_ranks *r, const side_message sent[SIDES],
                            side_message received[SIDES])
{
    comm_message out[SIDES], in[SIDES];
    uint32_t n = 0;
    for (int side = LEFT; side < SIDES; side++) {
        if (!has_neighbour(r, side)) continue;
        const uint32_t other = side == LEFT ? r->rank - 1 : r->rank + 1;
        out[n] = (comm_message){other, (uint32_t)side, sent[side].bytes, sent[side].size};
        in[n++] = (comm_message){other, side == LEFT ? RIGHT : LEFT, received[side].bytes,
                                 received[side].size};
    }
    WEIR_RETURN_IF_ERROR(comm_exchange(r->comm, out, n, in, n));
    n = 0;
    for (int side = LEFT; side < SIDES; side++)
        received[side].size = has_neighbour(r, side) ? in[n++].size : 0;
    return WEIR_OK;
}

/* Returns a message in one half of a buffer. */
static side_message half_of(gpu_buffer *buffer, int side, uint64_t size)
{
    uint8_t *bytes = gpu_buffer_map(buffer);
    return (side_message){bytes + (side == RIGHT ? gpu_buffer_size(buffer) / 2 : 0), size};
}

/* ---- migration ------------------------------------------------------------------------------ */

/* What a rank says about its records for a neighbour. */
typedef struct migration_head {
    uint32_t packed, room;
} migration_head;

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Exchanges the records. A message has as many as its two ranks have room for; heads[] say whether
 * that was enough. */
static weir_result exchange_records(sim_ranks *r, const struct rank_report *report,
                                    migration_head own[SIDES], migration_head theirs[SIDES])
{
    const uint64_t bytes = RANK_RECORD_VECTORS * sizeof(uvec4);
    side_message sent[SIDES], received[SIDES];
    const uint32_t packed[SIDES] = {report->packed_left, report->packed_right};
    for (int side = LEFT; side < SIDES; side++) {
        own[side] = (migration_head){packed[side], r->room};
        sent[side] = (side_message){&own[side], sizeof own[side]};
        received[side] = (side_message){&theirs[side], sizeof theirs[side]};
    }
    WEIR_RETURN_IF_ERROR(exchange(r, sent, received));
    for (int side = LEFT; side < SIDES; side++) {
        const uint32_t room = least(r->room, theirs[side].room);
        sent[side] = half_of(r->sent, side, least(own[side].packed, room) * bytes);
        received[side] = half_of(r->received, side, r->room * bytes);
    }
    return exchange(r, sent, received);
}

/* Returns the particles that the rank needs room for; 0 if there is room. */
static uint32_t find_required_capacity(const sim_world *world, const migration_head own[SIDES],
                                       const migration_head theirs[SIDES], uint32_t count)
{
    const sim_ranks *r = world->ranks;
    uint32_t needed = count, records = 0;
    for (int side = LEFT; side < SIDES; side++) {
        needed += theirs[side].packed;
        if (own[side].packed > records) records = own[side].packed;
        if (theirs[side].packed > records) records = theirs[side].packed;
    }
    if (records <= r->room && needed <= world->params.particle_capacity) return 0;
    return needed > 2 * records ? needed : 2 * records;
}

static void set_dispatch(const sim_world *world, struct rank_reply *reply)
{
    const uint32_t workgroup = gpu_device_workgroup(world->device);
    const uint32_t count = reply->received_left + reply->received_right;
    const uint32_t groups = (count + workgroup - 1) / workgroup;
    const bool folds = groups > GRID_MAX_DISPATCH_X;
    reply->groups_x = folds ? GRID_MAX_DISPATCH_X : groups;
    reply->groups_y = folds ? (groups + GRID_MAX_DISPATCH_X - 1) / GRID_MAX_DISPATCH_X : 1;
    reply->groups_z = 1;
}

static weir_result migrate(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    struct rank_reply *reply = gpu_buffer_map(r->reply);
    migration_head own[SIDES] = {{0}}, theirs[SIDES] = {{0}};
    (void)outer, (void)inner, (void)ends;
    *reply = (struct rank_reply){.first = report->count};
    set_dispatch(world, reply);
    r->cancelled = r->disagreement = false;
    if (!report->running) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(exchange_records(r, report, own, theirs));
    reply->received_left = least(theirs[LEFT].packed, r->room);
    reply->received_right = least(theirs[RIGHT].packed, r->room);
    reply->required_capacity = find_required_capacity(world, own, theirs, report->count);
    set_dispatch(world, reply);
    if (reply->required_capacity) reply->flags = GRID_OVERFLOW_PARTICLES;
    const uint32_t flags = report->flags | reply->flags;
    comm_numbers all = {.sum = {report->strays, report->alive}, .any = {flags}};
    WEIR_RETURN_IF_ERROR(comm_combine(r->comm, &all));
    reply->everyone = (uint32_t)all.sum[1];
    reply->flags |= sim_ranks_flags_from_others((uint32_t)all.any[0], flags);
    r->cancelled = all.any[0] != 0;
    if (all.sum[0] == 0) return WEIR_OK;
    return base_fail(
        world->log, WEIR_ERROR_UNSUPPORTED,
        "%llu particles have moved past the slab of a neighbouring rank in one substep, "
        "as a solid does that jumps: use fewer ranks, or more solver.substeps",
        (unsigned long long)all.sum[0]);
}

/* ---- swaps ---------------------------------------------------------------------------------- */

/* Returns the number of particles in parts `first` to `end` - 1. */
static uint32_t count_parts(const sim_ranks *r, uint32_t first, uint32_t end)
{
    const struct rank_report *report = gpu_buffer_map(r->report);
    const uint32_t from = first < r->parts.held ? report->part_starts[first] : report->held;
    const uint32_t to = end < r->parts.held ? report->part_starts[end] : report->held;
    return to - from;
}

/* Returns the number of own particles in both edges of a side, and of ghosts of that side. */
static uint32_t count_edges(const sim_ranks *r, int side)
{
    if (!has_neighbour(r, side)) return 0;
    return side == LEFT ? count_parts(r, 1, 3) : count_parts(r, r->parts.own - 2, r->parts.own);
}

static uint32_t count_ghosts(const sim_ranks *r, int side)
{
    const uint32_t place = side == LEFT ? 0 : r->parts.has_left;
    if (!has_neighbour(r, side)) return 0;
    const uint32_t near = r->parts.own + place, far = r->parts.near + place;
    return count_parts(r, near, near + 1) + count_parts(r, far, far + 1);
}

/* Exchanges the iterated positions near the cuts. A rank that cannot complete the substep sends
 * none. */
static weir_result exchange_positions(sim_ranks *r)
{
    const struct rank_report *report = gpu_buffer_map(r->report);
    side_message sent[SIDES], received[SIDES];
    for (int side = LEFT; side < SIDES; side++) {
        const uint64_t count = report->flags ? 0 : count_edges(r, side);
        sent[side] = half_of(r->sent, side, count * sizeof(ivec4));
        received[side] = half_of(r->received, side, gpu_buffer_size(r->received) / 2);
    }
    WEIR_RETURN_IF_ERROR(exchange(r, sent, received));
    for (int side = LEFT; side < SIDES; side++)
        r->disagreement |= received[side].size != count_ghosts(r, side) * sizeof(ivec4);
    return WEIR_OK;
}

/* Takes the decisions that end a substep: whether it is repeated, and whether too many particles
 * have become non-finite. */
static weir_result decide(sim_world *world)
{
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    struct rank_reply *reply = gpu_buffer_map(r->reply);
    comm_numbers all = {.sum = {report->lost, report->particles},
                        .any = {report->flags, r->disagreement}};
    WEIR_RETURN_IF_ERROR(comm_combine(r->comm, &all));
    r->cancelled = all.any[0] != 0;
    reply->flags = sim_ranks_flags_from_others((uint32_t)all.any[0], report->flags);
    if (all.any[0] == 0 && all.any[1] != 0)
        return base_fail(world->log, WEIR_ERROR_UNSUPPORTED,
                         "ranks disagree about the particles near a cut: their devices or drivers "
                         "compute differently; use ranks of one kind");
    if (all.any[0] == 0 && all.sum[0] * 100u > all.sum[1]) reply->flags = SIM_FLAG_NON_FINITE;
    return WEIR_OK;
}

/* With a tolerance, the device ends the iterations. */
static bool is_last_exchange(const sim_world *world, uint32_t iteration)
{
    const scene_solver *solver = &world->scene->solver;
    if (solver->method == SCENE_METHOD_WCSPH) return true;
    return !scene_stops_at_tolerance(solver) && iteration + 1 == solver->iterations;
}

static weir_result swap(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    struct rank_reply *reply = gpu_buffer_map(r->reply);
    (void)outer;
    reply->flags = 0;
    if (!report->running || r->cancelled) return WEIR_OK;
    if (report->solved) *ends = true; /* on all ranks: the last correction was skipped */
    if (report->solved) return decide(world);
    WEIR_RETURN_IF_ERROR(exchange_positions(r));
    return is_last_exchange(world, inner) ? decide(world) : WEIR_OK;
}

/* The iterations decide. */
static weir_result swap_tension(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    (void)outer, (void)inner, (void)ends;
    ((struct rank_reply *)gpu_buffer_map(r->reply))->flags = 0;
    return report->running && !r->cancelled ? exchange_positions(r) : WEIR_OK;
}

void sim_ranks_set_halo_work(sim_world *world)
{
    sim_ranks *r = world->ranks;
    r->migrate = (gpu_host_work){"migrate", migrate, world};
    r->swap = (gpu_host_work){"swap", swap, world};
    r->swap_tension = (gpu_host_work){"swap", swap_tension, world};
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* Records of one message: as many as half of the particles that the rank has room for. A rank whose
 * neighbours need more grows. */
static uint32_t choose_room(const sim_world *world)
{
    return world->params.particle_capacity / 2 + 1;
}

static weir_result create_buffers(sim_world *world)
{
    sim_ranks *r = world->ranks;
    const uint64_t vectors = 2ull * RANK_RECORD_VECTORS * choose_room(world);
    const struct {
        gpu_buffer_def def;
        gpu_buffer **buffer;
    } all[] = {
        {{"rank_counters", sizeof(struct rank_counters), 1, GPU_MEMORY_DEVICE, GPU_TEXELS_NONE},
         &r->counters},
        {{"rank_report", sizeof(struct rank_report), 1, GPU_MEMORY_HOST, GPU_TEXELS_NONE},
         &r->report},
        {{"rank_reply", sizeof(struct rank_reply), 1, GPU_MEMORY_HOST, GPU_TEXELS_NONE}, &r->reply},
        {{"rank_statistics", sizeof(struct sim_statistics_sums), 1, GPU_MEMORY_HOST,
          GPU_TEXELS_NONE},
         &r->statistics},
        {{"rank_readings", sizeof(uint32_t), sim_ranks_reading_words(world) + 1, GPU_MEMORY_HOST,
          GPU_TEXELS_NONE},
         &r->readings},
        {{"halo_sent", sizeof(uvec4), vectors, GPU_MEMORY_HOST, GPU_TEXELS_NONE}, &r->sent},
        {{"halo_received", sizeof(uvec4), vectors, GPU_MEMORY_HOST, GPU_TEXELS_NONE}, &r->received},
    };
    for (size_t i = 0; i < BASE_COUNT(all); i++) {
        gpu_buffer_destroy(world->device, all[i].buffer);
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(world->device, &all[i].def, all[i].buffer));
    }
    r->room = choose_room(world);
    return WEIR_OK;
}

weir_result sim_ranks_reserve(sim_world *world)
{
    if (!world->ranks || world->ranks->room == choose_room(world)) return WEIR_OK;
    return create_buffers(world);
}
