/* Tests whitewater in pictures: depths add up by Beer's law in any order, thin foam vanishes, and
 * the switch removes it. */
#include "render_support.h"

#include "shared/whitewater.h"

#define SIZE 33u /* odd: the centre of a pixel is that of the picture */

/* Dark on all sides with a sun, so that whitewater is brighter than its background. */
static render_look dark_look(void)
{
    render_look look = plain_look();
    for (int k = 0; k < 3; k++) {
        look.zenith[k] = look.horizon[k] = 0.05f;
        look.sun_colour[k] = 1.5f;
    }
    return look;
}

static struct whitewater_particle whitewater_at(vec3 place)
{
    return (struct whitewater_particle){
        .position = {place.x, place.y, place.z, 0.2f}, .kind = WHITEWATER_FOAM, .lifetime = 1.0f};
}

/* Renders the whole picture as RGBA; release with base_free. */
static uint8_t *picture(renderer *r, const weir_camera *view,
                        const struct whitewater_particle *particles, uint32_t count)
{
    uint64_t ticket;
    gpu_image *image = NULL;
    gpu_buffer *buffer = NULL;
    const gpu_image_def def = {"picture", GPU_RGBA8, view->width, view->height};
    const gpu_buffer_def whitewater = {
        .name = "whitewater", .stride = sizeof *particles, .count = count};
    uint8_t *pixels = base_alloc((size_t)view->width * view->height, 4);
    assert_non_null(pixels);
    OK(gpu_image_create(device, &def, &image));
    OK(gpu_buffer_create(device, &whitewater, &buffer));
    if (count) OK(gpu_buffer_upload(device, buffer, 0, particles, count * sizeof *particles));
    const render_frame frame = {.view = view, .whitewater = buffer, .whitewater_count = count};
    OK(render_draw(r, &frame, image, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    OK(gpu_image_download(device, image, pixels));
    gpu_image_destroy(device, &image);
    gpu_buffer_destroy(device, &buffer);
    return pixels;
}

static double linear(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

#define FILM_DEPTH 0.35   /* whitewater_composite.comp */
#define FILM_OF_ONE 0.142 /* optical depth of a particle's film at its centre: whitewater.vert */

/* Returns the depth that is drawn for the optical depths of foam in front of the fluid: of specks
 * and, where it is dense, of its film. */
static double drawn_depth(double specks, double film)
{
    double x = fmin(fmax((film - 0.3) / (1.5 - 0.3), 0.0), 1.0), dense = x * x * (3.0 - 2.0 * x);
    double depth = specks + (film - specks) * dense;
    return depth * depth / (depth + FILM_DEPTH);
}

/* Returns the optical depth of specks alone from the drawn share of white. */
static double depth_of(double share)
{
    double drawn = -log(1.0 - fmin(fmax(share, 0.0), 0.999));
    return 0.5 * (drawn + sqrt(drawn * drawn + 4.0 * FILM_DEPTH * drawn));
}

/* Returns the green value in the middle, with `count` particles at one place. */
static double middle(renderer *r, const weir_camera *view, uint32_t count)
{
    struct whitewater_particle particles[64];
    assert_true(count <= BASE_COUNT(particles));
    for (uint32_t i = 0; i < count; i++)
        particles[i] = whitewater_at((vec3){0, 0, 0});
    uint8_t *pixels = picture(r, view, particles, count);
    double green = linear(pixels[4 * (SIZE / 2 * SIZE + SIZE / 2) + 1]);
    base_free(pixels);
    return green;
}

static void depths_add_up_to_white(void **state)
{
    render_look look = dark_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(SIZE, SIZE);
    double nothing = middle(r, &view, 0), white = middle(r, &view, 60);
    assert_true(white > nothing + 0.3);
    double one = depth_of((middle(r, &view, 1) - nothing) / (white - nothing));
    for (uint32_t n = 2; n <= 8; n *= 2) {
        double share = (middle(r, &view, n) - nothing) / (white - nothing);
        double expected = 1.0 - exp(-drawn_depth(n * one, n * FILM_OF_ONE));
        print_message("  %u: %g, expected %g\n", n, share, expected);
        assert_true(fabs(share - expected) < 0.02);
    }
    render_destroy(&r);
}

static void the_order_does_not_matter(void **state)
{
    enum { COUNT = 40 };
    struct whitewater_particle forth[COUNT], back[COUNT];
    render_look look = dark_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(SIZE, SIZE);
    for (int i = 0; i < COUNT; i++) {
        forth[i] =
            whitewater_at((vec3){0.1f * (float)(i % 7), 0.1f * (float)(i % 5), 0.2f * (float)i});
        forth[i].kind = (uint32_t)i % WHITEWATER_KINDS;
        forth[i].velocity.x = 60;
        back[COUNT - 1 - i] = forth[i];
    }
    uint8_t *a = picture(r, &view, forth, COUNT), *b = picture(r, &view, back, COUNT);
    for (size_t i = 0; i < 4 * SIZE * SIZE; i++)
        assert_true(abs(a[i] - b[i]) <= 1);
    base_free(a);
    base_free(b);
    render_destroy(&r);
}

static void the_switch_takes_it_away(void **state)
{
    render_look look = dark_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(SIZE, SIZE);
    double nothing = middle(r, &view, 0), shown = middle(r, &view, 4);
    view.whitewater = false;
    assert_true(shown > nothing + 0.1);
    assert_true(middle(r, &view, 4) == nothing);
    render_destroy(&r);
}

/* Seen from near, a particle consists of specks with the depth of a disc of 7 radii. */
static void whitewater_from_near_is_specks(void **state)
{
    enum { WIDE = 99 };
    render_look look = dark_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(WIDE, WIDE);
    struct whitewater_particle particles[60];
    for (uint32_t i = 0; i < BASE_COUNT(particles); i++)
        particles[i] = whitewater_at((vec3){0, 0, 0});
    uint8_t *bare = picture(r, &view, particles, 0), *one = picture(r, &view, particles, 1);
    uint8_t *many = picture(r, &view, particles, BASE_COUNT(particles));
    double middle_bare = linear(bare[4 * (WIDE / 2 * WIDE + WIDE / 2) + 1]), sum = 0.0;
    double white = linear(many[4 * (WIDE / 2 * WIDE + WIDE / 2) + 1]) - middle_bare;
    double radius = 7.0 * 0.2 * 0.5 * WIDE / (10.0 * tan(20.0 * 0.017453292519943295));
    uint32_t clear = 0, inside = 0;
    for (uint32_t i = 0; i < WIDE * WIDE; i++) {
        double x = i % WIDE - 49.0, y = i / WIDE - 49.0;
        double share = (linear(one[4 * i + 1]) - linear(bare[4 * i + 1])) / white;
        if (x * x + y * y > radius * radius) continue;
        inside++;
        clear += share < 0.02;
        sum += depth_of(share);
    }
    double expected = 0.74 * 3.14159265 * radius * radius / 3.0;
    print_message("  %u of %u pixels clear; depth %g, expected %g\n", clear, inside, sum, expected);
    assert_true(clear > inside / 4 && fabs(sum / expected - 1.0) < 0.1);
    base_free(bare);
    base_free(one);
    base_free(many);
    render_destroy(&r);
}

typedef struct sums {
    double depth, xx, film; /* optical depth; second moment, pixels2; optical depth of the film */
} sums;

/* Draws one particle in front of nothing and sums up what the passes accumulate. */
static sums sum_up(renderer *r, uint32_t kind, float speed)
{
    weir_camera view = make_view(200, 200);
    struct whitewater_particle one = whitewater_at((vec3){0, 0, 0});
    one.position.w = kind == WHITEWATER_FOAM ? 0.05f : 0.15f;
    one.kind = kind;
    one.velocity.x = speed;
    base_free(picture(r, &view, &one, 1));
    uint16_t *layers = read_image(r->images.whitewater), *film = read_image(r->images.foam);
    sums s = {0};
    for (uint32_t i = 0; i < 200 * 200; i++) {
        double x = i % 200 + 0.5 - 100.0;
        double depth = (double)half_float(layers[4 * i]) + (double)half_float(layers[4 * i + 3]);
        s.depth += depth;
        s.xx += depth * x * x;
    }
    for (uint32_t i = 0; i < 100 * 100; i++)
        s.film += 4.0 * (double)half_float(film[4 * i]);
    free(layers);
    free(film);
    return s;
}

/* Returns the second moment along a soft capsule with an axis of this length: a strip, whose
 * profile sums up to 16/15 of the radius, and two halves of a disc, which sums up to pi/3 of its
 * square. */
static double capsule_moment(double length, double radius, double disc_moment)
{
    double strip = 16.0 / 15.0 * radius * length, disc = 1.0471976 * radius * radius;
    double ends = 0.25 * length * length + 0.291 * radius * length + disc_moment;
    return (strip * length * length / 12.0 + disc * ends) / (strip + disc);
}

/* Every kind is blurred over the way in a fortieth of a second; the film of foam has the depth of
 * its specks. */
static void motion_spreads_whitewater_and_keeps_its_depth(void **state)
{
    const double pixels_per_metre = 100.0 / (10.0 * tan(20.0 * 0.017453292519943295));
    render_look look = dark_look();
    renderer *r = make_renderer(&look, NULL);
    for (uint32_t kind = 0; kind < WHITEWATER_KINDS; kind++) {
        sums still = sum_up(r, kind, 0.0f), fast = sum_up(r, kind, 60.0f);
        double way = 60.0 / 40.0 * pixels_per_metre;
        static const double radii[WHITEWATER_KINDS] = {2.5 * 0.15, 7.0 * 0.05, 3.0 * 0.15,
                                                       2.5 * 0.15}; /* m */
        double longer = fast.xx / fast.depth, disc = still.xx / still.depth;
        double expected = capsule_moment(way, radii[kind] * pixels_per_metre, disc);
        print_message("  kind %u: depth %g and %g, film %g; moment %g, expected %g\n", kind,
                      still.depth, fast.depth, still.film, longer, expected);
        assert_true(still.depth > 0.0 && fabs(fast.depth / still.depth - 1.0) < 0.05);
        assert_true(fabs(longer / expected - 1.0) < 0.05);
        if (kind != WHITEWATER_FOAM) assert_true(still.film == 0.0 && fast.film == 0.0);
        if (kind != WHITEWATER_FOAM) continue;
        assert_true(fabs(still.film / still.depth - 1.0) < 0.05);
        assert_true(fabs(fast.film / fast.depth - 1.0) < 0.05);
    }
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_add_up_to_white),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(the_switch_takes_it_away),
        cmocka_unit_test(whitewater_from_near_is_specks),
        cmocka_unit_test(motion_spreads_whitewater_and_keeps_its_depth),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
