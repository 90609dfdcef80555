/* Every format of a host's picture that Weir accepts and the driver supports. */
#include "host_screen.h"

#define WALL 1.1f /* m: hides a part of the fluid */

/* Encodes a linear value as a byte of sRGB, whatever the format. */
static uint8_t encode(float linear)
{
    float value =
        linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
    return (uint8_t)(255.0f * fminf(fmaxf(value, 0.0f), 1.0f) + 0.5f);
}

/* Decodes an unsigned float: 5 exponent bits above the mantissa bits. */
static float small_float(uint32_t bits, uint32_t mantissa_bits)
{
    uint32_t exponent = bits >> mantissa_bits;
    float mantissa = (float)(bits & ((1u << mantissa_bits) - 1u)) / (float)(1u << mantissa_bits);
    return exponent ? ldexpf(1.0f + mantissa, (int)exponent - 15) : ldexpf(mantissa, -14);
}

static void take_colours(const screen *s, uint8_t *out)
{
    for (uint32_t i = 0; i < PIXELS; i++) {
        const uint8_t *pixel = (const uint8_t *)s->bytes + 4 * i;
        uint32_t word;
        memcpy(&word, pixel, 4);
        memcpy(out + 4 * i, pixel, 4);
        if (s->format == VK_FORMAT_B8G8R8A8_UNORM || s->format == VK_FORMAT_B8G8R8A8_SRGB) {
            out[4 * i] = pixel[2];
            out[4 * i + 2] = pixel[0];
        } else if (s->format == VK_FORMAT_B10G11R11_UFLOAT_PACK32) {
            out[4 * i] = encode(small_float(word & 0x7ffu, 6));
            out[4 * i + 1] = encode(small_float(word >> 11 & 0x7ffu, 6));
            out[4 * i + 2] = encode(small_float(word >> 22, 5));
            out[4 * i + 3] = 255;
        }
    }
}

static bool driver_has(const host *h, VkFormat format, bool depth)
{
    VkFormatProperties properties;
    const VkFormatFeatureFlags wanted = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                        VK_FORMAT_FEATURE_TRANSFER_DST_BIT |
                                        (depth ? VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT
                                               : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    vkGetPhysicalDeviceFormatProperties(h->physical, format, &properties);
    return (properties.optimalTilingFeatures & wanted) == wanted;
}

/* Reports a format that the driver lacks. Fails on lavapipe if lavapipe should have it, because
   then the test has missed the format. */
static void pass_over(const host *h, const char *name, bool lavapipe_has_it)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(h->physical, &properties);
    print_message("  %s has no %s\n", properties.deviceName, name);
    assert_false(lavapipe_has_it && strstr(properties.deviceName, "llvmpipe"));
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* The same picture in each format, within its quantisation. Five bits of mantissa give steps of
   3 %, up to 4 of the 255 values of sRGB. */
static void every_colour_shows_the_same_picture(void **state)
{
    static const struct {
        VkFormat format;
        const char *name;
        int tolerance;
    } formats[] = {{VK_FORMAT_R8G8B8A8_SRGB, "R8G8B8A8_SRGB", 2},
                   {VK_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 0},
                   {VK_FORMAT_B8G8R8A8_SRGB, "B8G8R8A8_SRGB", 2},
                   /* lavapipe supports all */
                   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, "B10G11R11_UFLOAT", 6}};
    fixture *f = *state;
    static uint8_t plain[4 * PIXELS], shown[4 * PIXELS];
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    draw(f, &s, STANDARD, WALL);
    memcpy(plain, s.bytes, sizeof plain);
    close_screen(&s);
    assert_true(count_drawn(plain) > 100);
    for (uint32_t i = 0; i < COUNT_OF(formats); i++) {
        if (!driver_has(f->h, formats[i].format, false)) {
            pass_over(f->h, formats[i].name, true);
            continue;
        }
        s = open_screen(f->h, f->device, formats[i].format);
        draw(f, &s, STANDARD, WALL);
        take_colours(&s, shown);
        uint32_t far_off = differ(plain, shown, formats[i].tolerance);
        if (far_off) print_error("  %s\n", formats[i].name);
        assert_int_equal(far_off, 0);
        close_screen(&s);
    }
}

/* The wall at its distance hides the same pixels, except at the waterline, where the rounding of
   a low-precision depth may decide otherwise. The depths are unchanged. */
static void every_depth_hides_the_same_pixels(void **state)
{
    static const struct {
        VkFormat format;
        const char *name;
        uint32_t bytes, bits; /* of a depth value that is read; 32 bits: a float */
    } formats[] = {{VK_FORMAT_D16_UNORM, "D16_UNORM", 2, 16},
                   {VK_FORMAT_X8_D24_UNORM_PACK32, "X8_D24_UNORM", 4, 24},
                   {VK_FORMAT_D24_UNORM_S8_UINT, "D24_UNORM_S8_UINT", 4, 24},
                   {VK_FORMAT_D32_SFLOAT_S8_UINT, "D32_SFLOAT_S8_UINT", 4, 32}};
    fixture *f = *state;
    static uint8_t plain[4 * PIXELS];
    const weir_vulkan_draw_def drawing = look(STANDARD);
    const double wall = stored(&drawing, STANDARD, WALL);
    screen s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM);
    draw(f, &s, STANDARD, 0.0f);
    uint32_t whole = count_drawn(s.bytes);
    draw(f, &s, STANDARD, WALL);
    memcpy(plain, s.bytes, sizeof plain);
    close_screen(&s);
    assert_true(count_drawn(plain) > 100 && count_drawn(plain) < whole - 100);
    for (uint32_t i = 0; i < COUNT_OF(formats); i++) {
        if (!driver_has(f->h, formats[i].format, true)) {
            pass_over(f->h, formats[i].name, formats[i].bits != 24);
            continue;
        }
        s = open_formats(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM, formats[i].format, 1);
        draw(f, &s, STANDARD, WALL);
        uint32_t far_off = differ(plain, s.bytes, 2);
        if (far_off > 40) print_error("  %s: %u pixels\n", formats[i].name, far_off);
        assert_true(far_off <= 40);
        const double steps = formats[i].bits == 32 ? 1e7 : (double)((1u << formats[i].bits) - 1u);
        for (uint32_t k = 0; k < PIXELS; k++) {
            uint32_t word = 0;
            float value;
            memcpy(&word, (const uint8_t *)s.bytes + 4 * PIXELS + k * formats[i].bytes,
                   formats[i].bytes);
            memcpy(&value, &word, 4);
            double depth =
                formats[i].bits == 32 ? (double)value : (double)(word & 0xffffffu) / steps;
            assert_true(fabs(depth - wall) <= 1.0 / steps);
        }
        close_screen(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_colour_shows_the_same_picture),
        cmocka_unit_test(every_depth_hides_the_same_pixels),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
