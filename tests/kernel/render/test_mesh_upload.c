/* Pictures of meshes overlap: drawing one waits neither for the pictures before it nor for its own
 * triangles to arrive. */
#include "render_support.h"

#include "renderer_internal.h"

#define ATTEMPTS 4u /* a slow thread may find that the device has caught up */

static weir_device *owner;

static int open_owner(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.validation = true;
    def.cache_folder = "";
    OK(weir_device_create(&def, &owner));
    return 0;
}

static int close_owner(void **state)
{
    weir_device_destroy(&owner);
    return 0;
}

static weir_mesh *load_boat(void)
{
    weir_mesh *mesh = NULL;
    OK(weir_mesh_load(owner, "scenes/boat.obj", NULL, &mesh));
    return mesh;
}

static weir_camera view_of(uint32_t width, uint32_t samples)
{
    weir_camera view = weir_camera_default(NULL);
    view.width = width;
    view.height = width / 2;
    view.samples = samples;
    return view;
}

static void a_picture_of_a_mesh_waits_for_no_other(void **state)
{
    weir_renderer *renderer = NULL;
    weir_image *large = NULL;
    weir_mesh *meshes[ATTEMPTS + 2];
    const weir_camera slow = view_of(1280, 2);
    bool overlapped = false;
    gpu_device_limit_submission(owner->gpu, 1e6); /* one picture, one submission */
    OK(weir_renderer_create(owner, NULL, &renderer));
    for (uint32_t i = 0; i < ATTEMPTS + 2; i++)
        meshes[i] = load_boat();
    for (uint32_t i = 0; i < 2; i++) /* creates pipelines, images and buffers */
        OK(weir_render_mesh(renderer, meshes[i], &slow, &large));
    OK(gpu_device_wait(owner->gpu));
    for (uint32_t i = 0; i < ATTEMPTS && !overlapped; i++) {
        OK(weir_render_mesh(renderer, meshes[i + 1], &slow, &large));
        uint64_t earlier = large->ticket;
        OK(weir_render_mesh(renderer, meshes[i + 2], &slow, &large));
        overlapped = !gpu_ticket_done(owner->gpu, earlier);
        OK(gpu_device_wait(owner->gpu));
    }
    assert_true(overlapped);
    for (uint32_t i = 0; i < ATTEMPTS + 2; i++)
        weir_mesh_destroy(&meshes[i]);
    weir_image_destroy(&large);
    weir_renderer_destroy(&renderer);
}

/* Only a mesh that was not the last one drawn, or has changed since, is brought to the device. */
static void the_same_mesh_is_uploaded_once(void **state)
{
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    weir_mesh *a = load_boat(), *b = load_boat();
    const weir_camera view = view_of(64, 1);
    OK(weir_renderer_create(owner, NULL, &renderer));
    const api_uploaded_mesh *u = &renderer->uploaded;
    OK(weir_render_mesh(renderer, a, &view, &image));
    uint32_t turn = u->turn;
    OK(weir_render_mesh(renderer, a, &view, &image));
    assert_int_equal(u->turn, turn);
    OK(weir_render_mesh(renderer, b, &view, &image));
    assert_int_equal(u->turn, (turn + 1) % API_MESHES_IN_FLIGHT);
    weir_mesh_refine_def plain = weir_mesh_refine_def_default();
    plain.smooth_iterations = 0;
    plain.remove_slivers = false;
    OK(weir_mesh_refine(b, &plain, NULL));
    OK(weir_render_mesh(renderer, b, &view, &image));
    assert_int_equal(u->turn, (turn + 2) % API_MESHES_IN_FLIGHT);
    weir_mesh_destroy(&a);
    weir_mesh_destroy(&b);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_of_a_mesh_waits_for_no_other),
        cmocka_unit_test(the_same_mesh_is_uploaded_once),
    };
    return cmocka_run_group_tests(tests, open_owner, close_owner);
}
