/* Evaluates the signed distance of node programs on the CPU, with the formulas of
 * shaders/lib/sdf/node_program.glsl, whose header cites their sources. */
#include "solid_internal.h"

static float clamp(float x, float low, float high)
{
    return fminf(fmaxf(x, low), high);
}
static float length2(float x, float y)
{
    return sqrtf(x * x + y * y);
}
static float mix(float a, float b, float t)
{
    return a * (1 - t) + b * t;
}

static float rectangle_distance(float x, float y, float half_x, float half_y)
{
    float qx = fabsf(x) - half_x, qy = fabsf(y) - half_y;
    return fminf(fmaxf(qx, qy), 0) + length2(fmaxf(qx, 0), fmaxf(qy, 0));
}

static float segment_distance_2d(vec2 p, vec2 a, vec2 b)
{
    vec2 ab = {b.x - a.x, b.y - a.y}, ap = {p.x - a.x, p.y - a.y};
    float length_2 = fmaxf(ab.x * ab.x + ab.y * ab.y, 1e-30f);
    float t = clamp((ap.x * ab.x + ap.y * ab.y) / length_2, 0, 1);
    return length2(ap.x - ab.x * t, ap.y - ab.y * t);
}

static float cone_distance(float ring, float y, float radius, float half_height)
{
    vec2 p = {ring, y}, foot = {0, -half_height}, rim = {radius, -half_height};
    vec2 tip = {0, half_height};
    bool inside = y > -half_height && ring * 2 * half_height + (y - half_height) * radius < 0;
    float d = fminf(segment_distance_2d(p, foot, rim), segment_distance_2d(p, rim, tip));
    return inside ? -d : d;
}

static float box_distance(vec3 p, vec4 half)
{
    vec3 q = {fabsf(p.x) - half.x, fabsf(p.y) - half.y, fabsf(p.z) - half.z};
    vec3 outside = vec3_max(q, vec3_make(0, 0, 0));
    return fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0) + vec3_length(outside);
}

/* Returns the lower node of the cell that contains grid coordinate x; never the last node. */
static uint32_t lower_node(float x, uint32_t nodes)
{
    return (uint32_t)fminf(x, (float)(nodes - 2));
}

static float interpolate_x(const float *line, float t)
{
    return mix(line[0], line[1], t);
}

static float volume_distance(const uint32_t *words, vec3 p)
{
    struct solid_volume grid;
    memcpy(&grid, words, sizeof grid);
    const float *values = (const float *)(const void *)(words + SOLID_VOLUME_HEADER);
    vec3 at = vec3_scale(vec3_sub(p, vec3_make(grid.origin_x, grid.origin_y, grid.origin_z)),
                         1 / grid.cell);
    vec3 last = {(float)(grid.nx - 1), (float)(grid.ny - 1), (float)(grid.nz - 1)};
    vec3 inside = vec3_min(vec3_max(at, vec3_make(0, 0, 0)), last);
    uint32_t i = lower_node(inside.x, grid.nx), j = lower_node(inside.y, grid.ny);
    uint32_t k = lower_node(inside.z, grid.nz);
    vec3 t = {inside.x - (float)i, inside.y - (float)j, inside.z - (float)k};
    size_t up = (size_t)grid.nx * grid.ny;
    const float *v = values + k * up + (size_t)j * grid.nx + i;
    float low = mix(interpolate_x(v, t.x), interpolate_x(v + grid.nx, t.x), t.y);
    float high = mix(interpolate_x(v + up, t.x), interpolate_x(v + up + grid.nx, t.x), t.y);
    float d = mix(low, high, t.z);
    float beyond = vec3_length(vec3_sub(at, inside)) * grid.cell;
    return beyond > 0 ? length2(fmaxf(d, 0), beyond) : d;
}

/* Returns the distance in a volume, or between two files of a sequence. */
static float sequence_distance(const struct solid_node *node, const uint32_t *volumes, float time_s,
                               vec3 p)
{
    const float frame = clamp(time_s * node->size.x, 0, (float)(node->frame_count - 1));
    const uint32_t before = (uint32_t)frame;
    const uint32_t *first = volumes + node->volume + (size_t)before * node->frame_stride;
    const float d = volume_distance(first, p), blend = frame - (float)before;
    return blend > 0 ? mix(d, volume_distance(first + node->frame_stride, p), blend) : d;
}

static float leaf_distance(const struct solid_node *node, const uint32_t *volumes, float time_s,
                           vec3 point)
{
    const vec4 q = node->rotation, s = node->size;
    const float scale = node->position.w;
    vec3 from = vec3_make(node->position.x, node->position.y, node->position.z);
    vec3 p = quat_rotate(quat_conjugate((quat){q.x, q.y, q.z, q.w}), vec3_sub(point, from));
    p = vec3_scale(p, 1 / scale);
    const float ring = length2(p.x, p.z);
    switch (node->kind) {
    case SOLID_BOX: return scale * box_distance(p, s);
    case SOLID_SPHERE: return scale * (vec3_length(p) - s.x);
    case SOLID_CAPSULE: return scale * (length2(ring, p.y - clamp(p.y, -s.y, s.y)) - s.x);
    case SOLID_CYLINDER: return scale * rectangle_distance(ring, p.y, s.x, s.y);
    case SOLID_CONE: return scale * cone_distance(ring, p.y, s.x, s.y);
    case SOLID_TORUS: return scale * (length2(ring - s.x, p.y) - s.z);
    case SOLID_VOLUME:
        return scale * (node->frame_count > 1 ? sequence_distance(node, volumes, time_s, p)
                                              : volume_distance(volumes + node->volume, p));
    default: return scale * p.y;
    }
}

static float apply_operator(const struct solid_node *node, float a, float b)
{
    if (node->kind == SOLID_UNION) return fminf(a, b);
    if (node->kind == SOLID_INTERSECTION) return fmaxf(a, b);
    if (node->kind == SOLID_DIFFERENCE) return fmaxf(a, -b);
    float h = clamp(0.5f + 0.5f * (b - a) / node->size.x, 0, 1);
    return mix(b, a, h) - node->size.x * h * (1 - h);
}

float solid_program_distance(const struct solid_node *nodes, uint32_t count,
                             const uint32_t *volumes, vec3 point)
{
    return solid_program_distance_at(nodes, count, volumes, 0, point);
}

float solid_program_distance_at(const struct solid_node *nodes, uint32_t count,
                                const uint32_t *volumes, float time_s, vec3 point)
{
    float stack[SOLID_STACK] = {0};
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (nodes[i].kind < SOLID_UNION) {
            stack[depth++] = leaf_distance(&nodes[i], volumes, time_s, point);
        } else if (nodes[i].kind == SOLID_SHELL) {
            stack[depth - 1] = fabsf(stack[depth - 1]) - nodes[i].size.x;
        } else {
            --depth;
            stack[depth - 1] = apply_operator(&nodes[i], stack[depth - 1], stack[depth]);
        }
    }
    return stack[0];
}
