#include "whitewater_support.h"

fluid make_fluid(uint32_t room)
{
    fluid f = {0};
    const uint32_t fields = 1u << WEIR_FIELD_VELOCITY | 1u << WEIR_FIELD_ID;
    f.points = base_alloc(room, sizeof(vec4));
    f.velocities = base_alloc(room, sizeof(vec4));
    f.ids = base_alloc(room, sizeof(uint32_t));
    assert_true(f.points && f.velocities && f.ids);
    OK(particle_view_create(device, fields, room, &f.data));
    f.data.count = 0;
    return f;
}

void free_fluid(fluid *f)
{
    base_free(f->points);
    base_free(f->velocities);
    base_free(f->ids);
    particle_view_destroy(device, &f->data);
}

static void add_point(fluid *f, vec3 p, vec3 v)
{
    assert_true(f->count < gpu_buffer_count(f->data.position));
    f->points[f->count] = (vec4){p.x, p.y, p.z, 1.0f};
    f->velocities[f->count] = (vec4){v.x, v.y, v.z, 0.0f};
    f->ids[f->count] = f->count * 7u + 3u; /* differs from the index */
    f->count++;
}

void upload_fluid(fluid *f)
{
    size_t n = f->count;
    f->data.count = f->count;
    if (n == 0) return;
    OK(gpu_buffer_upload(device, f->data.position, 0, f->points, n * sizeof(vec4)));
    OK(gpu_buffer_upload(device, f->data.velocity, 0, f->velocities, n * sizeof(vec4)));
    OK(gpu_buffer_upload(device, f->data.id, 0, f->ids, n * sizeof(uint32_t)));
}

float noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

void add_block(fluid *f, block b)
{
    uint32_t random = 1;
    float d = b.spacing, half = 0.5f * d;
    for (float z = b.min.z + half; z < b.max.z; z += d)
        for (float y = b.min.y + half; y < b.max.y; y += d)
            for (float x = b.min.x + half; x < b.max.x; x += d) {
                vec3 off = {noise(&random), noise(&random), noise(&random)};
                add_point(f, vec3_add(vec3_make(x, y, z), vec3_scale(off, b.jitter * d)),
                          vec3_add(b.velocity, vec3_scale(off, 0.2f)));
            }
}

whitewater_def box_def(float spacing)
{
    return (whitewater_def){.max = {2, 1, 1},
                            .closed_sides = {true, true, true, true, true, true},
                            .spacing_m = spacing,
                            .length_m = 0.5f,
                            .factors = {1, 1, 1},
                            .lifetime_s = {1, 2},
                            .radius_m = 0.002f,
                            .rise = 0.25f,
                            .seed = 5,
                            .limit = 1000000};
}

whitewater *make_whitewater(const whitewater_def *def)
{
    whitewater *made = NULL;
    OK(whitewater_create(device, def, &made));
    return made;
}

void step_whitewater(whitewater *whitewater, const fluid *f, uint64_t number, float dt)
{
    const whitewater_frame frame = {.points = &f->data,
                                    .gravity = {0, -9.81f, 0},
                                    .time_s = (double)number * (double)dt,
                                    .last_s = ((double)number - 1.0) * (double)dt,
                                    .number = number};
    OK(whitewater_step(whitewater, &frame));
}

struct whitewater_particle *read_whitewater(const whitewater *whitewater)
{
    struct whitewater_particle *p = base_alloc(whitewater_count(whitewater) + 1u, sizeof *p);
    assert_non_null(p);
    OK(whitewater_read(whitewater, p));
    return p;
}

void place_whitewater(whitewater *whitewater, const struct whitewater_particle *particles,
                      uint32_t count)
{
    const whitewater_saved saved = {.next_id = count, .count = count};
    OK(whitewater_restore(whitewater, &saved, particles, NULL));
}

struct whitewater_particle whitewater_at(uint32_t kind, vec3 place, vec3 velocity)
{
    return (struct whitewater_particle){.position = {place.x, place.y, place.z, 0.002f},
                                        .velocity = {velocity.x, velocity.y, velocity.z, 0.0f},
                                        .kind = kind,
                                        .lifetime = 1000.0f};
}
