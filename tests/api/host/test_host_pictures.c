/* The fluid in a host's picture: drawn over its colours, hidden by its depth, with its matrices. */
#include "host_screen.h"

/* ---- tests ---------------------------------------------------------------------------------- */

/* The pixels of the fluid equal those of Weir's own picture; all others, and the depth, are
   unchanged. */
static void the_fluid_is_drawn_where_it_is(void **state)
{
    fixture *f = *state;
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    weir_camera view = weir_camera_default(f->scene);
    weir_image *image = NULL;
    uint32_t width, height, apart = 0;
    const uint8_t *own;
    memcpy(view.eye, eye, sizeof eye);
    memcpy(view.target, target_point, sizeof target_point);
    view.fov_y_degrees = 2.0f * 57.29578f * atanf(tangent);
    view.width = WIDTH;
    view.height = HEIGHT;
    view.transparent = true;
    draw(f, &s, STANDARD, 0.0f);
    const uint8_t *pixels = s.bytes;
    const float *depths = (const float *)(const void *)(pixels + 4 * PIXELS);
    assert_int_equal(weir_render_points(f->renderer, f->points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &own), WEIR_OK);
    for (uint32_t i = 0; i < PIXELS; i++) {
        apart += (own[4 * i + 3] > 127) != !is_cleared(pixels + 4 * i);
        assert_true(depths[i] == 1.0f);
    }
    assert_true(count_drawn(pixels) > PIXELS / 16);
    assert_int_equal(apart, 0);
    weir_image_destroy(&image);
    close_screen(&s);
}

static void every_projection_gives_the_same_picture(void **state)
{
    fixture *f = *state;
    static uint8_t standard[4 * PIXELS], other[4 * PIXELS];
    static const float walls[] = {0.0f, 1.1f};
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    for (size_t w = 0; w < COUNT_OF(walls); w++)
        for (int kind = STANDARD; kind < PROJECTIONS; kind++) {
            bool upright = is_upright((projection)kind);
            draw(f, &s, (projection)kind, walls[w]);
            /* upright pictures store their bottom line first */
            for (uint32_t y = 0; y < HEIGHT; y++)
                memcpy(other + 4 * WIDTH * y,
                       (uint8_t *)s.bytes + 4 * WIDTH * (upright ? HEIGHT - 1 - y : y), 4 * WIDTH);
            if (kind == STANDARD || kind == PARALLEL) memcpy(standard, other, sizeof other);
            assert_true(count_drawn(other) > 100);
            assert_true(differ(standard, other, 8) < PIXELS / 100);
        }
    close_screen(&s);
}

/* A parallel projection shows what a very distant eye sees through a long lens. */
static void parallel_rays_are_those_of_a_far_eye(void **state)
{
    fixture *f = *state;
    static uint8_t far_off[4 * PIXELS];
    const float away = 150.0f, dx = eye[0] - target_point[0], dy = eye[1] - target_point[1],
                dz = eye[2] - target_point[2];
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    s.tiled = true;
    draw_by(f, &s,
            look_from(INFINITE, away, half_height / (away * sqrtf(dx * dx + dy * dy + dz * dz))),
            0.0f);
    memcpy(far_off, s.bytes, sizeof far_off);
    draw(f, &s, PARALLEL, 0.0f);
    uint32_t apart = 0, drawn = 0, differing = differ(far_off, s.bytes, 8);
    for (uint32_t i = 0; i < PIXELS; i++) {
        const uint8_t *a = far_off + 4 * i, *b = (uint8_t *)s.bytes + 4 * i;
        drawn += !is_hosts(b);
        apart += is_hosts(a) != is_hosts(b);
    }
    print_message("%u of %u pixels differ, %u at the rim\n", differing, drawn, apart);
    assert_true(drawn > PIXELS / 10);
    assert_true(apart <= 8 && differing < drawn / 40);
    close_screen(&s);
}

/* Anything nearer than the near plane is not drawn. */
static void a_parallel_projection_has_a_near_plane(void **state)
{
    fixture *f = *state;
    uint32_t drawn[3];
    static const float nears[3] = {-100.0f, 1.2f, 3.0f};
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    for (int i = 0; i < 3; i++) {
        weir_vulkan_draw_def d = look(PARALLEL);
        d.projection[10] = 1.0f / (nears[i] - FAR);
        d.projection[14] = nears[i] / (nears[i] - FAR);
        draw_by(f, &s, d, 1.0f);
        drawn[i] = count_drawn(s.bytes);
    }
    draw(f, &s, PARALLEL, 0.0f);
    assert_int_equal(drawn[0], count_drawn(s.bytes));
    assert_true(drawn[1] > 0 && drawn[1] < drawn[0]);
    assert_int_equal(drawn[2], 0);
    close_screen(&s);
}

/* ---- off the picture's centre --------------------------------------------------------------- */

/* Scales the x and y that the projection stores, then shifts them. */
static void crop(weir_vulkan_draw_def *d, float scale, float x, float y)
{
    float *p = d->projection;
    p[0] *= scale;
    p[5] *= scale;
    p[8] = scale * p[8] + x * p[11];
    p[9] = scale * p[9] + y * p[11];
    p[12] = scale * p[12] + x * p[15];
    p[13] = scale * p[13] + y * p[15];
}

/* Two pictures; b is the part of a from (x, y) on. */
typedef struct overlap {
    const uint8_t *a, *b;
    uint32_t a_width, x, y, rim;
} overlap;

/* Counts differing pixels among those farther than the rim from the sides of the smaller
   picture. *seen: how many of them are not the host's. */
static uint32_t differ_within(const overlap *o, int tolerance, uint32_t *seen)
{
    uint32_t count = 0;
    *seen = 0;
    for (uint32_t y = o->rim; y + o->rim < HEIGHT; y++)
        for (uint32_t x = o->rim; x + o->rim < WIDTH; x++) {
            const uint8_t *a = o->a + 4 * ((y + o->y) * o->a_width + x + o->x),
                          *b = o->b + 4 * (y * WIDTH + x);
            int most = 0;
            for (uint32_t k = 0; k < 4; k++)
                most = abs((int)a[k] - (int)b[k]) > most ? abs((int)a[k] - (int)b[k]) : most;
            count += most > tolerance;
            *seen += !is_hosts(a);
        }
    return count;
}

#define RIM 16u /* pixels from which the filters reach the side */

typedef struct screens {
    screen large, small;
} screens;

/* Draws a part of a picture of twice the size alone, in front of a wall. Returns how many of its
   pixels differ. */
static uint32_t differ_in_part(fixture *f, screens *s, projection kind, const uint32_t at[2],
                               uint32_t *seen)
{
    int tolerance = s->small.tiled ? 8 : 2;
    weir_vulkan_draw_def drawing = look(kind);
    float depth = stored(&drawing, kind, 1.6f);
    const overlap o = {s->large.bytes, s->small.bytes, 2 * WIDTH, at[0], at[1], RIM};
    crop(&drawing, 2.0f, 1.0f - 2.0f * (float)at[0] / WIDTH, 1.0f - 2.0f * (float)at[1] / HEIGHT);
    s->small.x = at[0];
    s->small.y = at[1];
    draw_by(f, &s->small, drawing, depth);
    return differ_within(&o, tolerance, seen);
}

/* In front of a uniform colour they are equal but for rays that end at the edge of a shadow or a
   line on the floor, which magnifies rounding errors; in front of tiles some rays are refracted to
   a place outside the part. */
static void parts_are_those_of_the_picture(void **state)
{
    fixture *f = *state;
    static const uint32_t parts[][2] = {{0, 0},          {WIDTH, 0}, {0, HEIGHT},
                                        {WIDTH, HEIGHT}, {60, 40},   {31, 53}};
    screens s = {open_large(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM, 2),
                 open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM)};
    for (int kind = STANDARD; kind < PROJECTIONS; kind++)
        for (int tiled = 0; tiled < 2; tiled++) {
            uint32_t all = 0;
            s.large.tiled = s.small.tiled = tiled;
            draw(f, &s.large, (projection)kind, 1.6f);
            for (size_t p = 0; p < COUNT_OF(parts); p++) {
                uint32_t seen, differing = differ_in_part(f, &s, (projection)kind, parts[p], &seen);
                if (differing > seen / (tiled ? 10 : 20))
                    fail_msg("%u of %u pixels differ", differing, seen);
                all += seen;
            }
            assert_true(all > 1500);
        }
    close_screen(&s.large);
    close_screen(&s.small);
}

/* A shift by whole pixels along either axis. Thickness is sampled at every other pixel: a shift by
 * an odd number samples others, and differs by more at the rims. */
static void a_jitter_moves_the_picture(void **state)
{
    fixture *f = *state;
    static uint8_t still[4 * PIXELS];
    static const uint32_t moves[][2] = {{2, 0}, {0, 2}, {8, 4}, {1, 0}, {7, 3}};
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    draw(f, &s, STANDARD, 0.0f);
    memcpy(still, s.bytes, sizeof still);
    for (size_t m = 0; m < COUNT_OF(moves); m++) {
        uint32_t seen;
        static uint8_t moved[4 * PIXELS];
        weir_vulkan_draw_def drawing = look(STANDARD);
        float depth = stored(&drawing, STANDARD, 0.0f);
        crop(&drawing, 1.0f, 2.0f * (float)moves[m][0] / WIDTH, 2.0f * (float)moves[m][1] / HEIGHT);
        draw_by(f, &s, drawing, depth);
        memset(moved, 0, sizeof moved);
        memcpy(moved, (uint8_t *)s.bytes + 4 * (WIDTH * moves[m][1] + moves[m][0]),
               sizeof moved - 4 * (WIDTH * moves[m][1] + moves[m][0]));
        const overlap o = {still, moved, WIDTH, 0, 0, RIM};
        bool odd = moves[m][0] % 2 != 0;
        uint32_t differing = differ_within(&o, odd ? 8 : 2, &seen);
        print_message("%u of %u pixels differ\n", differing, seen);
        assert_true(seen > 500 && differing <= seen / 20);
        assert_true(differ(still, s.bytes, 8) > 50); /* it did move */
    }
    close_screen(&s);
}

/* Nearer objects hide the fluid, wholly or in part. */
static void the_hosts_depth_hides_the_fluid(void **state)
{
    fixture *f = *state;
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    for (int kind = STANDARD; kind < PROJECTIONS; kind++) {
        draw(f, &s, (projection)kind, 0.5f);
        assert_int_equal(count_drawn(s.bytes), 0);
        draw(f, &s, (projection)kind, 0.0f);
        uint32_t all = count_drawn(s.bytes);
        draw(f, &s, (projection)kind, 1.1f);
        uint32_t some = count_drawn(s.bytes);
        assert_true(some > 0 && some < all);
    }
    close_screen(&s);
}

/* Everything is in one command buffer, which the host submits. */
static void a_picture_can_be_recorded(void **state)
{
    fixture *f = *state;
    static uint8_t submitted[4 * PIXELS];
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    weir_vulkan_draw_def drawing = look(STANDARD);
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    draw(f, &s, STANDARD, 1.1f);
    memcpy(submitted, s.bytes, sizeof submitted);
    memset(s.bytes, 0, sizeof submitted);
    submit.commands = s.buffers[0];
    drawing.submit = &submit;
    begin(&s, s.buffers[0]);
    record_clear(&s, stored(&drawing, STANDARD, 1.1f));
    if (weir_vulkan_draw(f->renderer, f->points, s.target, &drawing) != WEIR_OK)
        fail_msg("%s", logged);
    record_read(&s);
    finish(&s, VK_NULL_HANDLE);
    assert_int_equal(weir_vulkan_notify_done(f->device, s.buffers[0]), WEIR_OK);
    assert_memory_equal(s.bytes, submitted, sizeof submitted);
    close_screen(&s);
}

/* sRGB bytes are the same whether the format or the shader encodes them. */
static void colours_are_those_of_the_format(void **state)
{
    fixture *f = *state;
    static uint8_t encoded[4 * PIXELS];
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    draw(f, &s, STANDARD, 0.0f);
    memcpy(encoded, s.bytes, sizeof encoded);
    close_screen(&s);
    s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_SRGB);
    draw(f, &s, STANDARD, 0.0f);
    assert_int_equal(differ(encoded, s.bytes, 2), 0);
    close_screen(&s);
    s = open_screen(f->h, f->device, VK_FORMAT_B8G8R8A8_SRGB);
    draw(f, &s, STANDARD, 0.0f);
    uint8_t *pixels = s.bytes;
    for (uint32_t i = 0; i < PIXELS; i++) {
        uint8_t blue = pixels[4 * i];
        pixels[4 * i] = pixels[4 * i + 2];
        pixels[4 * i + 2] = blue;
    }
    assert_int_equal(differ(encoded, s.bytes, 2), 0);
    close_screen(&s);
    s = open_screen(f->h, f->device, VK_FORMAT_R16G16B16A16_SFLOAT);
    draw(f, &s, STANDARD, 0.0f);
    uint32_t drawn = 0;
    const uint16_t *halves = s.bytes;
    for (uint32_t i = 0; i < PIXELS; i++)
        drawn += memcmp(halves + 4 * i, halves, 8) != 0; /* the first pixel shows no fluid */
    assert_int_equal(drawn, count_drawn(encoded));
    close_screen(&s);
}

static void assert_no_target(fixture *f, const weir_vulkan_target_def *def, const char *words)
{
    weir_vulkan_target *made = NULL;
    logged[0] = '\0';
    assert_int_equal(weir_vulkan_target_create(f->device, def, &made), WEIR_ERROR_ARGUMENT);
    assert_null(made);
    assert_logged(words);
}

static void faulty_targets_are_refused(void **state)
{
    fixture *f = *state;
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    weir_vulkan_target_def def = {0};
    assert_no_target(f, &def, "weir_vulkan_target_def_default");
    def = weir_vulkan_target_def_default();
    assert_no_target(f, &def,
                     "the colour and depth images and their views must not be VK_NULL_HANDLE");
    def = describe(&s);
    def.width = 0;
    assert_no_target(f, &def, "size is 0 x 64");
    def = describe(&s);
    def.colour_format = VK_FORMAT_D32_SFLOAT;
    assert_no_target(f, &def, "colour_format is VkFormat 126");
    def = describe(&s);
    def.depth_format = VK_FORMAT_R32_SFLOAT;
    assert_no_target(f, &def, "depth_format is VkFormat 100");
    def = describe(&s);
    def.colour_layout = VK_IMAGE_LAYOUT_UNDEFINED;
    assert_no_target(f, &def, "not UNDEFINED");
    close_screen(&s);
}

static void assert_not_drawn(fixture *f, const screen *s, const weir_vulkan_draw_def *drawing,
                             const char *words)
{
    logged[0] = '\0';
    assert_int_not_equal(weir_vulkan_draw(f->renderer, f->points, s->target, drawing), WEIR_OK);
    assert_logged(words);
}

static void faulty_drawings_are_refused(void **state)
{
    fixture *f = *state;
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    weir_vulkan_draw_def drawing = {0};
    const weir_vulkan_submit unmarked = {0};
    assert_not_drawn(f, &s, NULL, "must not be NULL");
    assert_not_drawn(f, &s, &drawing, "weir_vulkan_draw_def_default");
    drawing = weir_vulkan_draw_def_default();
    assert_not_drawn(f, &s, &drawing, "`view` must only rotate and translate, stored by columns");
    drawing = look(STANDARD);
    drawing.submit = &unmarked;
    assert_not_drawn(f, &s, &drawing, "weir_vulkan_submit_default");
    drawing = look(STANDARD);
    drawing.view[0] *= 2;
    assert_not_drawn(f, &s, &drawing, "`view` must only rotate and translate, stored by columns");
    drawing = look(STANDARD);
    drawing.projection[3] = NAN;
    assert_not_drawn(f, &s, &drawing, "finite");
    drawing = look(STANDARD);
    drawing.projection[11] = 0.5f;
    assert_not_drawn(f, &s, &drawing, "must be a perspective");
    drawing = look(PARALLEL);
    drawing.projection[10] = 0;
    assert_not_drawn(f, &s, &drawing, "or parallel (11 is 0, 15 is 1, 10 is not 0)");
    drawing = look(STANDARD);
    drawing.projection[4] = 0.25f;
    assert_not_drawn(f, &s, &drawing, "its elements 1, 2, 4 and 6 are 0");
    drawing = look(STANDARD);
    drawing.projection[12] = 0.25f;
    assert_not_drawn(f, &s, &drawing, "its elements 12 and 13 are 0");
    drawing = look(PARALLEL);
    drawing.projection[8] = 0.25f;
    assert_not_drawn(f, &s, &drawing, "must not shear");
    close_screen(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fluid_is_drawn_where_it_is),
        cmocka_unit_test(every_projection_gives_the_same_picture),
        cmocka_unit_test(parallel_rays_are_those_of_a_far_eye),
        cmocka_unit_test(a_parallel_projection_has_a_near_plane),
        cmocka_unit_test(parts_are_those_of_the_picture),
        cmocka_unit_test(a_jitter_moves_the_picture),
        cmocka_unit_test(the_hosts_depth_hides_the_fluid),
        cmocka_unit_test(a_picture_can_be_recorded),
        cmocka_unit_test(colours_are_those_of_the_format),
        cmocka_unit_test(faulty_targets_are_refused),
        cmocka_unit_test(faulty_drawings_are_refused),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
