/* Tests images and draw passes: copies, blending, depth, layouts, and rejected passes. */
#include "gpu_internal.h"
#include "tests/shaders.h"
#include "validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)
#define WIDTH 37u
#define HEIGHT 19u
#define INSTANCES 29u

typedef struct bench {
    gpu_device *device;
    gpu_pipeline *cells, *blend;
    gpu_image *least, *sum, *depth, *result;
    gpu_buffer *values;
    char log[8192];
} bench;

static bench b;

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)level;
    (void)user;
    size_t used = strlen(b.log);
    snprintf(b.log + used, sizeof b.log - used, "%s\n", text);
}

static float value_of(uint32_t instance)
{
    return (float)((instance * 17u + 5u) % 31u);
}

static gpu_image *make_image(const char *name, gpu_format format, uint32_t width, uint32_t height)
{
    gpu_image *image = NULL;
    OK(gpu_image_create(b.device, &(gpu_image_def){name, format, width, height}, &image));
    return image;
}

static gpu_draw_def cells_def(void)
{
    return (gpu_draw_def){
        .name = "draw_columns",
        .vertex = &tests_shaders[TEST_DRAW_COLUMNS_VERT],
        .fragment = &tests_shaders[TEST_DRAW_COLUMNS_FRAG],
        .strips = true,
        .colours = {GPU_R32F, GPU_RG16F},
        .blends = {GPU_BLEND_MIN, GPU_BLEND_ADD},
        .colour_count = 2,
        .depth = GPU_D32,
        .depth_test = GPU_DEPTH_ALWAYS,
        .depth_write = true,
    };
}

static int open_bench(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = keep, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    ask_for_validation(&def);
    OK(gpu_device_create(&def, &b.device));
    assert_true(gpu_device_can_draw(b.device));
    /* Enabled on all CPU drivers. Nothing here draws without colour attachments, after which a
     * newer lavapipe loses it, so that gpu_device_independent_blend is false there. */
    assert_true(b.device->independent_blend);
    assert_true(gpu_format_can_blend(b.device, GPU_R32F));
    const gpu_draw_def draw = cells_def();
    OK(gpu_draw_pipeline_create(b.device, &draw, &b.cells));
    OK(gpu_pipeline_create(b.device, &(gpu_pipeline_def){.shader = &tests_shaders[TEST_IMAGE_ADD]},
                           &b.blend));
    b.least = make_image("least", GPU_R32F, WIDTH, HEIGHT);
    b.sum = make_image("sum", GPU_RG16F, WIDTH, HEIGHT);
    b.depth = make_image("depth", GPU_D32, WIDTH, HEIGHT);
    b.result = make_image("result", GPU_R32F, WIDTH, HEIGHT);
    OK(gpu_buffer_create(
        b.device, &(gpu_buffer_def){.name = "values", .stride = 4, .count = INSTANCES}, &b.values));
    float values[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++)
        values[i] = value_of(i);
    OK(gpu_buffer_upload(b.device, b.values, 0, values, sizeof values));
    return 0;
}

static int close_bench(void **state)
{
    gpu_buffer_destroy(b.device, &b.values);
    for (gpu_image **all[] = {&b.least, &b.sum, &b.depth, &b.result}, ***p = all; p < all + 4; p++)
        gpu_image_destroy(b.device, *p);
    gpu_pipeline_destroy(b.device, &b.cells);
    gpu_pipeline_destroy(b.device, &b.blend);
    uint32_t complaints = gpu_device_validation_count(b.device);
    if (complaints) print_error("%s", b.log);
    gpu_device_destroy(&b.device);
    return complaints ? -1 : 0;
}

static gpu_pass cells_pass(uint32_t instances)
{
    static const float far[4] = {1000.0f, 1000.0f, 1000.0f, 1000.0f}, none[4] = {0};
    gpu_dispatch_size cells = {.name = "cells", .count = instances, .vertices = 4};
    gpu_pass pass = gpu_pass_make(b.cells, cells);
    pass.constant = WIDTH;
    gpu_pass_bind(&pass, 0, b.values);
    gpu_pass_attach(&pass, b.least, far);
    gpu_pass_attach(&pass, b.sum, none);
    gpu_pass_attach(&pass, b.depth, none);
    return pass;
}

static gpu_pass blend_pass(void)
{
    gpu_pass pass =
        gpu_pass_make(b.blend, (gpu_dispatch_size){.name = "pixels", .count = WIDTH * HEIGHT});
    gpu_pass_bind_images(&pass, (gpu_image *const[]){b.least, b.sum, b.result}, 3);
    return pass;
}

static float *pixels_of(gpu_image *image)
{
    float *pixels = malloc((size_t)WIDTH * HEIGHT * 4);
    assert_non_null(pixels);
    OK(gpu_image_download(b.device, image, pixels));
    return pixels;
}

/* Instances i >= x cover column x. */
static float least_at(uint32_t x, uint32_t instances)
{
    float least = 1000.0f;
    for (uint32_t i = x; i < instances; i++)
        least = fminf(least, value_of(i));
    return least;
}

static void images_come_back_as_they_went_in(void **state)
{
    static const uint32_t heights[] = {1, 63, 64, 65, 2200};
    for (int f = GPU_R32F; f < GPU_D32; f++) {
        uint32_t width = 501, height = heights[f % 5];
        gpu_image *image = make_image("image", (gpu_format)f, width, height);
        size_t size = (size_t)width * height * gpu_format_bytes((gpu_format)f);
        uint8_t *in = malloc(size), *out = malloc(size);
        assert_true(in && out);
        OK(gpu_image_download(b.device, image, out));
        for (size_t i = 0; i < size; i++)
            assert_int_equal(out[i], 0);
        for (size_t i = 0; i < size; i++)
            in[i] = (uint8_t)((i * 7 + i / 251) & 0x3f); /* small numbers in every format */
        OK(gpu_image_upload(b.device, image, in));
        OK(gpu_image_download(b.device, image, out));
        assert_memory_equal(in, out, size);
        free(in);
        free(out);
        gpu_image_destroy(b.device, &image);
    }
}

/* Checks a draw of all columns over whatever was in the attachments before. */
static void check_columns(void)
{
    const gpu_pass pass = cells_pass(INSTANCES);
    OK(gpu_run_passes(b.device, &pass, 1));
    float *least = pixels_of(b.least), *depth = pixels_of(b.depth);
    uint16_t *sums = (uint16_t *)pixels_of(b.sum);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t x = i % WIDTH;
        assert_true(least[i] == least_at(x, INSTANCES));
        float last = x < INSTANCES ? 0.5f + 0.001f * value_of(INSTANCES - 1) : 0.0f;
        /* the depth test always passes: the last value stays */
        assert_true(fabsf(depth[i] - last) < 1e-6f);
        if (x >= INSTANCES) assert_int_equal(sums[2 * i + 1], 0);
    }
    free(least);
    free(depth);
    free(sums);
}

static void draws_blend_each_attachment_in_its_own_way(void **state)
{
    check_columns();
}

/* A draw that takes longer than a submission may is drawn in parts, in the order of the whole. */
static void a_long_draw_comes_in_parts_and_looks_the_same(void **state)
{
    static const struct {
        double budget_ms;
        uint32_t parts;
    } cases[] = {{1e-3, 3}, {3e-4, 8}, {1e-9, INSTANCES}};
    const double before = b.device->submit_budget_ms;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        uint64_t ticket = b.device->next_ticket;
        gpu_device_limit_submission(b.device, cases[i].budget_ms);
        check_columns();
        gpu_device_limit_submission(b.device, before);
        /* besides, each of the three attachments is read back */
        assert_int_equal(b.device->next_ticket - ticket, cases[i].parts + 3);
    }
}

static void computation_sees_what_was_drawn_and_the_other_way_round(void **state)
{
    float zero[WIDTH * HEIGHT] = {0};
    OK(gpu_image_upload(b.device, b.result, zero));
    const gpu_pass passes[4] = {cells_pass(INSTANCES), blend_pass(), cells_pass(3), blend_pass()};
    OK(gpu_run_passes(b.device, passes, 4));
    float *result = pixels_of(b.result);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t x = i % WIDTH;
        float layers = (float)(x < INSTANCES ? INSTANCES - x : 0) + (float)(x < 3 ? 3 - x : 0);
        assert_true(result[i] == least_at(x, INSTANCES) + least_at(x, 3) + 10.0f * layers);
    }
    free(result);
}

static void a_draw_of_nothing_clears_its_attachments(void **state)
{
    const gpu_pass passes[2] = {cells_pass(INSTANCES), cells_pass(0)};
    OK(gpu_run_passes(b.device, passes, 2));
    float *least = pixels_of(b.least);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(least[i] == 1000.0f);
    free(least);
}

static void instances_can_be_counted_on_the_gpu(void **state)
{
    const uint32_t arguments[5] = {99, 4, 7, 0, 0};
    gpu_buffer *buffer = NULL;
    OK(gpu_buffer_create(b.device, &(gpu_buffer_def){.name = "arguments", .stride = 4, .count = 5},
                         &buffer));
    OK(gpu_buffer_upload(b.device, buffer, 0, arguments, sizeof arguments));
    gpu_pass pass = cells_pass(INSTANCES);
    pass.dispatch_size.arguments = buffer;
    pass.dispatch_size.argument_offset = 4;
    OK(gpu_run_passes(b.device, &pass, 1));
    float *least = pixels_of(b.least);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(least[i] == least_at(i % WIDTH, 7));
    free(least);
    pass.dispatch_size.argument_offset = 8; /* the four words of draw arguments do not fit */
    assert_int_equal(gpu_passes_check(b.device, &pass, 1), WEIR_ERROR_ARGUMENT);
    gpu_buffer_destroy(b.device, &buffer);
}

static void refuse(const gpu_pass *pass, const char *words)
{
    b.log[0] = '\0';
    assert_int_equal(gpu_passes_check(b.device, pass, 1), WEIR_ERROR_ARGUMENT);
    if (!strstr(b.log, words)) fail_msg("\"%s\" is not in the log:\n%s", words, b.log);
}

static void wrong_images_are_refused_by_name(void **state)
{
    gpu_image *small = make_image("small", GPU_D32, WIDTH, 3);
    gpu_pass pass = cells_pass(1);
    pass.images[1].image = b.result;
    refuse(&pass, "pass draw_columns: the format of attachment result differs");
    pass = cells_pass(1);
    pass.images[2].image = small;
    refuse(&pass, "pass draw_columns: attachments least and small differ in size");
    pass = cells_pass(1);
    pass.image_count = 2;
    refuse(&pass, "pass draw_columns has 2 attachments, its pipeline 3");
    pass = blend_pass();
    pass.images[0].image = b.result;
    refuse(&pass, "pass image_add races with itself: result is used as read any and as update own");
    pass = blend_pass();
    gpu_pass_bind(&pass, 2, b.values);
    refuse(&pass,
           "pass image_add: a buffer or image is bound to a number that its shader does not");
    pass = blend_pass();
    pass.images[2].image = NULL;
    refuse(&pass, "pass image_add: its shader declares result (binding 2), but no image is bound");
    gpu_image_destroy(b.device, &small);
    gpu_image *huge = NULL;
    const gpu_image_def def = {"huge", GPU_R32F, gpu_device_image_limit(b.device) + 1, 1};
    b.log[0] = '\0';
    assert_int_equal(gpu_image_create(b.device, &def, &huge), WEIR_ERROR_ARGUMENT);
    assert_non_null(strstr(b.log, "image huge of "));
    b.log[0] = '\0';
}

static VkMemoryBarrier2 seen[16];
static uint32_t seen_count;
static PFN_vkCmdPipelineBarrier2 barrier;

static void VKAPI_CALL see_barrier(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    assert_true(seen_count < 16);
    seen[seen_count++] = info->pMemoryBarriers[0];
    barrier(commands, info);
}

static void watch_barriers(void)
{
    barrier = b.device->vk.vkCmdPipelineBarrier2;
    b.device->vk.vkCmdPipelineBarrier2 = see_barrier;
    seen_count = 0;
}

/* Waiting for draw stages and flushing their caches costs GPU time. */
static void computation_waits_for_draws_only_where_there_was_one(void **state)
{
    static const VkPipelineStageFlags2 fragments =
        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    /* The barriers: after earlier submissions, between these passes, and before the host. */
    const gpu_pass passes[] = {blend_pass(), blend_pass(), cells_pass(3), blend_pass(),
                               blend_pass()};
    static const bool from_draws[] = {true, false, false, false, true, false, false};
    static const bool to_draws[] = {true, false, false, true, false, false, false};
    watch_barriers();
    weir_result result = gpu_run_passes(b.device, passes, BASE_COUNT(passes));
    b.device->vk.vkCmdPipelineBarrier2 = barrier;
    OK(result);
    assert_int_equal(seen_count, BASE_COUNT(from_draws));
    for (uint32_t i = 0; i < seen_count; i++) {
        assert_int_equal((seen[i].srcStageMask & fragments) != 0, from_draws[i]);
        assert_int_equal((seen[i].dstStageMask & fragments) != 0, to_draws[i]);
        if (!from_draws[i])
            assert_int_equal(seen[i].srcAccessMask & ~VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_ACCESS_2_SHADER_WRITE_BIT);
    }
}

/* The barrier between the fills of `other` covers only compute and transfers; a draw after it reads
 * what was filled before it. */
static void a_draw_waits_for_what_lies_before_a_barrier_that_was_not_for_draws(void **state)
{
    gpu_buffer *other = NULL;
    const gpu_pass pass = cells_pass(3);
    OK(gpu_buffer_create(b.device, &(gpu_buffer_def){.name = "other", .stride = 4, .count = 1},
                         &other));
    OK(gpu_run_passes(b.device, &pass, 1)); /* moves its images into their layouts */
    watch_barriers();
    OK(gpu_record_begin(b.device));
    OK(gpu_record_fill(b.device, b.values, 0));
    OK(gpu_record_fill(b.device, other, 0));
    OK(gpu_record_fill(b.device, other, 1));
    OK(gpu_record_passes(b.device, &pass, 1, 0, NULL));
    OK(gpu_record_finish(b.device));
    b.device->vk.vkCmdPipelineBarrier2 = barrier;
    assert_int_equal(seen_count, 4);
    assert_true(seen[2].dstStageMask & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
    float values[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++)
        values[i] = value_of(i);
    OK(gpu_buffer_upload(b.device, b.values, 0, values, sizeof values));
    gpu_buffer_destroy(b.device, &other);
}

static uint32_t waits;
static PFN_vkWaitForFences wait_for_fences;

static VkResult VKAPI_CALL count_wait(VkDevice of, uint32_t count, const VkFence *fences,
                                      VkBool32 all, uint64_t patience)
{
    waits++;
    return wait_for_fences(of, count, fences, all, patience);
}

/* Creating a buffer in the middle of a frame does not stall the frame. */
static void a_new_buffer_waits_for_nothing_and_every_set_stays(void **state)
{
    gpu_buffer *other = NULL;
    const gpu_pass pass = blend_pass();
    OK(gpu_run_passes(b.device, &pass, 1));
    size_t sets = b.device->set_count;
    wait_for_fences = b.device->vk.vkWaitForFences;
    b.device->vk.vkWaitForFences = count_wait;
    waits = 0;
    weir_result result = gpu_buffer_create(
        b.device, &(gpu_buffer_def){.name = "other", .stride = 4, .count = 64}, &other);
    b.device->vk.vkWaitForFences = wait_for_fences;
    OK(result);
    assert_int_equal(waits, 0);
    uint32_t words[64];
    OK(gpu_buffer_download(b.device, other, 0, words, sizeof words));
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], 0);
    gpu_buffer_destroy(b.device, &other);
    assert_true(sets > 0);
    assert_int_equal(b.device->set_count, sets);
}

static void validation_sees_a_layout_that_is_wrong(void **state)
{
    bench kept = b;
    open_bench(NULL);
    uint64_t ticket;
    const gpu_pass pass = blend_pass();
    OK(gpu_record_begin(b.device));
    /* pretends that it is already in this layout */
    b.least->layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    OK(gpu_record_passes(b.device, &pass, 1, 0, NULL));
    OK(gpu_record_submit(b.device, &ticket));
    OK(gpu_ticket_wait(b.device, ticket));
    assert_true(gpu_device_validation_count(b.device) > 0);
    b.log[0] = '\0';
    close_bench(NULL);
    b = kept;
}

static void lavapipe_is_known_by_its_name(void **state)
{
    static const struct {
        const char *driver;
        bool blends;
    } drivers[] = {
        {"llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", true},
        {"llvmpipe Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)", false},
        {"llvmpipe Mesa 26.1.6-1~bpo13+1 (LLVM 19.1.7)", false},
        {"radv Mesa 26.1.6", true},
    };
    weir_device_info *info = &b.device->info;
    const weir_device_info kept = *info;
    info->driver_version = 1; /* as lavapipe of Mesa 22 and 25 says */
    for (size_t i = 0; i < BASE_COUNT(drivers); i++) {
        snprintf(info->driver, sizeof info->driver, "%s", drivers[i].driver);
        assert_int_equal(gpu_device_independent_blend(b.device), drivers[i].blends);
    }
    *info = kept;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_come_back_as_they_went_in),
        cmocka_unit_test(draws_blend_each_attachment_in_its_own_way),
        cmocka_unit_test(a_long_draw_comes_in_parts_and_looks_the_same),
        cmocka_unit_test(computation_sees_what_was_drawn_and_the_other_way_round),
        cmocka_unit_test(computation_waits_for_draws_only_where_there_was_one),
        cmocka_unit_test(a_draw_waits_for_what_lies_before_a_barrier_that_was_not_for_draws),
        cmocka_unit_test(a_new_buffer_waits_for_nothing_and_every_set_stays),
        cmocka_unit_test(a_draw_of_nothing_clears_its_attachments),
        cmocka_unit_test(instances_can_be_counted_on_the_gpu),
        cmocka_unit_test(wrong_images_are_refused_by_name),
        cmocka_unit_test(validation_sees_a_layout_that_is_wrong),
        cmocka_unit_test(lavapipe_is_known_by_its_name),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
