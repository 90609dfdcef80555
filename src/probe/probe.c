/* Questions: their buffers, their rows, and the answers that are under way. */
#include "probe.h"

#include "probe/shaders.h"
#include "shared/grid.h"

/* Ids of the specialization constants. */
#define IS(id, name) PROBE_IS_##name = (id),
enum { PROBE_CONSTANTS(IS, IS) };

#define ROWS (GRID_POINT_ROWS + 2u)

/* One set of questions, and its answers when the ticket is done. */
typedef struct asked {
    gpu_buffer *params, *questions, *answers; /* the host's */
    uint64_t ticket;
    uint64_t number; /* 0: it holds none */
    uint32_t count;
} asked;

struct probe {
    gpu_device *device;
    probe_def def;
    grid *cells; /* of `radius` */
    float radius;
    bool dense; /* what the kernels were made for */
    gpu_kernel *kernels[PROBE_SHADERS];
    gpu_buffer *params, *nothing;
    gpu_buffer *sorted_points, *sorted_flows;
    gpu_buffer *questions, *answers;
    uint32_t point_capacity, question_capacity;
    asked asked[PROBE_ASKED];
    uint64_t number; /* sets asked so far */
};

/* ---- room ----------------------------------------------------------------------------------- */

static weir_result create(probe *p, const char *name, uint32_t stride, uint64_t count,
                          gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    if (stride == sizeof(vec4)) def.texels = GPU_FLOATS;
    gpu_buffer_destroy(p->device, buffer);
    return gpu_buffer_create(p->device, &def, buffer);
}

static weir_result create_on_host(probe *p, const char *name, uint32_t stride, uint64_t count,
                                  gpu_buffer **buffer)
{
    const gpu_buffer_def def = {
        .name = name, .stride = stride, .count = count, .memory = GPU_MEMORY_HOST};
    gpu_buffer_destroy(p->device, buffer);
    return gpu_buffer_create(p->device, &def, buffer);
}

static weir_result create_kernels(probe *p)
{
    if (p->kernels[0] && p->dense == grid_is_dense(p->cells)) return WEIR_OK;
    const uint32_t constants[] = {
        [PROBE_IS_PERIODIC] = p->def.periodic[0] || p->def.periodic[1] || p->def.periodic[2],
        [PROBE_IS_DENSE] = p->dense = grid_is_dense(p->cells),
        [PROBE_IS_GROUP] = gpu_device_workgroup(p->device),
    };
    gpu_kernel_def def = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    for (int i = 0; i < PROBE_SHADERS; i++) {
        def.shader = &probe_shaders[i];
        def.name = i == PROBE_SORT ? "probe_sort" : NULL; /* whitewater is sorted, too */
        gpu_kernel_destroy(p->device, &p->kernels[i]);
        WEIR_NEED(gpu_kernel_create(p->device, &def, &p->kernels[i]));
    }
    return WEIR_OK;
}

static weir_result create_grid(probe *p, uint32_t points, float radius)
{
    const probe_def *def = &p->def;
    const grid_def cells = {
        .min = def->min,
        .max = def->max,
        .radius = radius,
        .periodic = {def->periodic[0], def->periodic[1], def->periodic[2]},
        .by_index = true,
        .capacity.particles = points,
    };
    grid_destroy(p->device, &p->cells);
    WEIR_NEED(grid_create(p->device, &cells, &p->cells));
    p->radius = radius;
    return create_kernels(p);
}

static weir_result make_room_for_points(probe *p, const grid_points *points)
{
    uint32_t n = points->count + points->count / 8u + 1u;
    if (points->count <= p->point_capacity && points->radius_m == p->radius) return WEIR_OK;
    p->point_capacity = 0;
    WEIR_NEED(create_grid(p, n, points->radius_m));
    WEIR_NEED(create(p, "probe_nothing", sizeof(vec4), n, &p->nothing));
    WEIR_NEED(create(p, "probe_points", sizeof(vec4), n, &p->sorted_points));
    WEIR_NEED(create(p, "probe_flows", sizeof(vec4), n, &p->sorted_flows));
    p->point_capacity = n;
    return WEIR_OK;
}

static weir_result make_room_for_questions(probe *p, uint32_t count)
{
    if (count <= p->question_capacity) return WEIR_OK;
    uint32_t n = count + count / 8u;
    p->question_capacity = 0;
    WEIR_NEED(create(p, "probe_questions", sizeof(vec4), n, &p->questions));
    WEIR_NEED(create(p, "probe_answers", sizeof(struct probe_answer), n, &p->answers));
    for (uint32_t i = 0; i < PROBE_ASKED; i++) {
        asked *a = &p->asked[i];
        a->number = 0;
        WEIR_NEED(create_on_host(p, "probe_asked", sizeof(vec4), n, &a->questions));
        WEIR_NEED(create_on_host(p, "probe_answered", sizeof(struct probe_answer), n, &a->answers));
    }
    p->question_capacity = n;
    return WEIR_OK;
}

weir_result probe_create(gpu_device *device, const probe_def *def, probe **out)
{
    weir_result result;
    *out = NULL;
    probe *p = base_alloc(1, sizeof *p);
    if (!p) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for questions");
    p->device = device;
    p->def = *def;
    vec3 size = vec3_sub(def->max, def->min);
    WEIR_TRY(create_grid(p, 1, fmaxf(size.x, fmaxf(size.y, size.z)))); /* for its kernels */
    WEIR_TRY(create(p, "probe_params", sizeof(struct probe_params), 1, &p->params));
    for (uint32_t i = 0; i < PROBE_ASKED; i++)
        WEIR_TRY(create_on_host(p, "probe_params_asked", sizeof(struct probe_params), 1,
                                &p->asked[i].params));
    *out = p;
    return WEIR_OK;
fail:
    probe_destroy(&p);
    return result;
}

void probe_destroy(probe **pointer)
{
    probe *p = *pointer;
    if (!p) return;
    gpu_buffer **buffers[] = {&p->params,       &p->nothing,   &p->sorted_points,
                              &p->sorted_flows, &p->questions, &p->answers};
    for (size_t i = 0; i < BASE_COUNT(buffers); i++)
        gpu_buffer_destroy(p->device, buffers[i]);
    for (uint32_t i = 0; i < PROBE_ASKED; i++) {
        gpu_buffer_destroy(p->device, &p->asked[i].params);
        gpu_buffer_destroy(p->device, &p->asked[i].questions);
        gpu_buffer_destroy(p->device, &p->asked[i].answers);
    }
    for (int i = 0; i < PROBE_SHADERS; i++)
        gpu_kernel_destroy(p->device, &p->kernels[i]);
    grid_destroy(p->device, &p->cells);
    base_free(p);
    *pointer = NULL;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Attributes that the points do not have are 0. */
static gpu_row make_row(const probe *p, int kernel, gpu_domain domain, const grid_points *points)
{
    gpu_buffer *const buffers[PROBE_BINDINGS] = {
        [PROBE_BIND_grid] = grid_params_buffer(p->cells),
        [PROBE_BIND_state] = grid_state_buffer(p->cells),
        [PROBE_BIND_params] = p->params,
        [PROBE_BIND_points] = points->position,
        [PROBE_BIND_velocities] = points->velocity ? points->velocity : p->nothing,
        [PROBE_BIND_densities] = points->density ? points->density : p->nothing,
        [PROBE_BIND_sources] = grid_sources(p->cells),
        [PROBE_BIND_sorted_points] = p->sorted_points,
        [PROBE_BIND_sorted_flows] = p->sorted_flows,
        [PROBE_BIND_segments] = grid_segments(p->cells),
        [PROBE_BIND_cell_starts] = grid_cells(p->cells),
        [PROBE_BIND_questions] = p->questions,
        [PROBE_BIND_answers] = p->answers,
    };
    gpu_row row = gpu_row_make(p->kernels[kernel], domain);
    gpu_row_bind_all(&row, buffers, PROBE_BINDINGS);
    return row;
}

static uint32_t make_rows(const probe *p, const grid_points *points, uint32_t questions,
                          gpu_row rows[ROWS])
{
    uint32_t n = 0;
    gpu_domain asked = {.name = "questions", .count = questions};
    n += grid_point_rows(p->cells, points, rows);
    rows[n++] = make_row(p, PROBE_SORT, grid_live(p->cells), points);
    rows[n++] = make_row(p, PROBE_ANSWER, asked, points);
    WEIR_ASSERT(n <= ROWS);
    return n;
}

/* Across the column alone, and at sides where the fluid ends. */
static float inset(const probe *p, uint32_t axis, float up, float radius)
{
    bool ends = !p->def.periodic[axis] && !(p->def.planar && axis == 2);
    return ends ? PROBE_INSET * radius * (1.0f - fabsf(up)) : 0.0f;
}

/* A particle has the volume d^3, or d^2 of a plane. */
static struct probe_params make_params(const probe *p, const grid_points *points, uint32_t count)
{
    const probe_def *def = &p->def;
    double d = (double)points->spacing_m, h = (double)points->radius_m, ratio = d / h;
    double space = 315.0 / (64.0 * 3.14159265358979) * ratio * ratio * ratio;
    double plane = 4.0 / 3.14159265358979 * ratio * ratio;
    return (struct probe_params){
        .domain_min = {def->min.x, def->min.y, def->min.z, 0.0f},
        .domain_max = {def->max.x, def->max.y, def->max.z, 0.0f},
        .up = {def->up.x, def->up.y, def->up.z, 0.0f},
        .inset = {inset(p, 0, def->up.x, points->radius_m),
                  inset(p, 1, def->up.y, points->radius_m),
                  inset(p, 2, def->up.z, points->radius_m), 0.0f},
        .inverse_h2 = (float)(1.0 / (h * h)),
        .scale = (float)(def->planar ? plane : space),
        .step = 0.5f * points->spacing_m,
        .plane = def->plane,
        .planar = def->planar,
        .point_count = points->count,
        .question_count = count,
    };
}

/* ---- questions and answers ------------------------------------------------------------------ */

static void fill(const probe *p, asked *a, const grid_points *points, const vec3 *places)
{
    vec4 *questions = gpu_buffer_map(a->questions);
    *(struct probe_params *)gpu_buffer_map(a->params) = make_params(p, points, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        questions[i] = (vec4){places[i].x, places[i].y, places[i].z, 0.0f};
}

static weir_result submit(probe *p, asked *a, const grid_points *points)
{
    gpu_device *device = p->device;
    gpu_row rows[ROWS];
    uint32_t count = make_rows(p, points, a->count, rows);
    const gpu_copy copies[] = {
        {.from = a->params, .to = p->params, .size = sizeof(struct probe_params)},
        {.from = a->questions, .to = p->questions, .size = a->count * sizeof(vec4)},
        {.from = p->answers, .to = a->answers, .size = a->count * sizeof(struct probe_answer)}};
    WEIR_NEED(gpu_table_check(device, rows, count));
    WEIR_NEED(gpu_record_begin(device));
    WEIR_NEED(gpu_record_copy(device, &copies[0]));
    WEIR_NEED(gpu_record_copy(device, &copies[1]));
    WEIR_NEED(gpu_record_rows(device, rows, count, 0, NULL));
    WEIR_NEED(gpu_record_copy(device, &copies[2]));
    return gpu_record_submit(device, &a->ticket);
}

weir_result probe_ask(probe *p, const grid_points *points, const vec3 *places, uint32_t count)
{
    asked *a = &p->asked[p->number % PROBE_ASKED];
    if (a->number) WEIR_NEED(gpu_ticket_wait(p->device, a->ticket));
    a->number = 0;
    WEIR_NEED(make_room_for_points(p, points));
    WEIR_NEED(make_room_for_questions(p, count));
    a->count = count;
    fill(p, a, points, places);
    WEIR_NEED(submit(p, a, points));
    a->number = ++p->number;
    return WEIR_OK;
}

static const asked *find(const probe *p, uint64_t number)
{
    const asked *a = &p->asked[(number - 1) % PROBE_ASKED];
    return a->number == number ? a : NULL;
}

weir_result probe_answers(probe *p, bool wait, const struct probe_answer **answers, uint32_t *count,
                          uint64_t *number)
{
    const asked *a = NULL;
    *number = *count = 0;
    for (uint64_t k = p->number; k > 0 && k + PROBE_ASKED > p->number; k--) {
        a = find(p, k);
        if (a && (wait || gpu_ticket_done(p->device, a->ticket))) break;
        a = NULL;
    }
    if (!a) return WEIR_OK;
    WEIR_NEED(gpu_ticket_wait(p->device, a->ticket));
    *answers = gpu_buffer_map(a->answers);
    *count = a->count;
    *number = a->number;
    return WEIR_OK;
}
