/* Drops become round and get the volume of their particles, if that is known. */
#include "refined_surfaces.h"

/* Appends a ball of `radius` voxels around `centre` whose vertices all have `neighbours`. */
static void add_drop(mesher_surface *s, float radius, vec3 centre, float neighbours)
{
    mesher_surface ball = make_smooth_ball(radius);
    mesher_clean_info info = {0};
    assert_int_equal(mesher_surface_clean(NULL, &ball, 1, &info), WEIR_OK);
    const uint32_t first = s->vertex_count, triangles = s->triangle_count;
    s->vertex_count += ball.vertex_count;
    s->triangle_count += ball.triangle_count;
    s->position = base_realloc(s->position, s->vertex_count, sizeof *s->position);
    s->index = base_realloc(s->index, s->triangle_count, 3 * sizeof *s->index);
    s->channel_count = 1;
    s->channel[0].components = 1;
    snprintf(s->channel[0].name, sizeof s->channel[0].name, MESHER_NEIGHBOUR_CHANNEL);
    s->channel[0].values = base_realloc(s->channel[0].values, s->vertex_count, sizeof(float));
    assert_true(s->position && s->index && s->channel[0].values);
    for (uint32_t v = 0; v < ball.vertex_count; v++) {
        s->position[first + v] = vec3_add(ball.position[v], centre);
        s->channel[0].values[first + v] = neighbours;
    }
    for (uint32_t i = 0; i < 3 * ball.triangle_count; i++)
        s->index[3 * triangles + i] = ball.index[i] + first;
    s->cell_m = s->spacing_m = 1;
    s->reach_m = 4;
    mesher_surface_free(&ball);
}

/* Volume, centre, radii of the vertices, and the worst cosine between a face's normal and the ray
 * from the centre, of the part of a surface within 3 voxels of `near`. */
typedef struct shape {
    double volume, least, most, worst_cosine;
    vec3 centre;
} shape;

static const vec3 *corners_at(const mesher_surface *s, uint32_t triangle, vec3 origin, vec3 to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = vec3_sub(s->position[s->index[3 * triangle + (uint32_t)k]], origin);
    return vec3_length(to[0]) < 3 ? to : NULL;
}

static shape measure(const mesher_surface *s, vec3 near)
{
    shape m = {.least = INFINITY, .worst_cosine = 1, .centre = near};
    vec3 moment = {0, 0, 0}, c[3];
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        if (!corners_at(s, t, near, c)) continue;
        const float volume = vec3_dot(c[0], vec3_cross(c[1], c[2])) / 6;
        m.volume += (double)volume;
        moment = vec3_add(moment, vec3_scale(vec3_add(c[0], vec3_add(c[1], c[2])), volume / 4));
    }
    m.centre = vec3_add(near, vec3_scale(moment, (float)(1 / m.volume)));
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        if (!corners_at(s, t, m.centre, c)) continue;
        const vec3 normal = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
        const float length = vec3_length(c[0]);
        m.least = fmin(m.least, (double)length);
        m.most = fmax(m.most, (double)length);
        m.worst_cosine =
            fmin(m.worst_cosine, (double)(vec3_dot(normal, c[0]) / (vec3_length(normal) * length)));
    }
    return m;
}

static void a_drop_is_a_sphere_with_the_volume_of_its_particles(void **state)
{
    const vec3 centre = {0.3f, 0.2f, -0.4f};
    for (uint32_t particles = 1; particles <= 3; particles++) {
        mesher_surface s = {0};
        add_drop(&s, 0.85f, centre, (float)particles - 1);
        const uint32_t triangles = s.triangle_count;
        assert_true(triangles <= 160);
        const shape before = measure(&s, centre);
        assert_int_equal(mesher_surface_round_drops(NULL, &s, 1), WEIR_OK);
        const shape after = measure(&s, centre);
        print_message("%u: radius %g to %g before, %g to %g after; volume %g\n", particles,
                      before.least, before.most, after.least, after.most, after.volume);
        assert_sound(&s);
        assert_int_equal(s.triangle_count, 4 * triangles);
        assert_true(fabs(after.volume - particles) < 1e-3 * particles);
        assert_true(after.most < 1.02 * after.least && before.most > 1.2 * before.least);
        assert_true(vec3_length(vec3_sub(after.centre, before.centre)) < 1e-3f);
        assert_true(after.worst_cosine > cos(30 * 3.14159265 / 180));
        mesher_surface_free(&s);
    }
}

static void drops_near_each_other_or_of_unknown_neighbours_keep_their_volumes(void **state)
{
    const vec3 first = {0, 0, 0}, second = {5, 0.2f, 0}, third = {20, 0, 0}, last = {40, 0, 0};
    mesher_surface s = {0};
    add_drop(&s, 1, first, 1);
    add_drop(&s, 1, second, 1);
    add_drop(&s, 1, third, 0);
    add_drop(&s, 1, last, 5);
    s.channel[0].values[s.vertex_count - 1] = 6; /* other fluid is near */
    const vec3 centres[] = {first, second, last};
    double before[3];
    for (int i = 0; i < 3; i++)
        before[i] = measure(&s, centres[i]).volume;
    assert_int_equal(mesher_surface_round_drops(NULL, &s, 2), WEIR_OK);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(measure(&s, centres[i]).volume / before[i] - 1) < 1e-3);
    assert_true(fabs(measure(&s, third).volume - 1) < 1e-3);
    assert_sound(&s);
    mesher_surface_free(&s);
}

static void larger_bodies_stay_as_they_are(void **state)
{
    mesher_surface s = {0};
    add_drop(&s, 6, (vec3){0, 0, 0}, 20);
    mesher_surface same = copy_of(&s);
    assert_true(s.triangle_count > 160);
    assert_int_equal(mesher_surface_round_drops(NULL, &s, 1), WEIR_OK);
    assert_int_equal(s.triangle_count, same.triangle_count);
    assert_memory_equal(s.position, same.position, s.vertex_count * sizeof *s.position);
    mesher_surface_free(&same);
    mesher_surface_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_is_a_sphere_with_the_volume_of_its_particles),
        cmocka_unit_test(drops_near_each_other_or_of_unknown_neighbours_keep_their_volumes),
        cmocka_unit_test(larger_bodies_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
