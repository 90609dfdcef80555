/* The named looks: all constants of light, sky and floor. Radiance and albedo are linear. The
 * floor is lighter than water, and the sky behind it darker than foam and highlights. */
#include "render.h"

static const render_look_preset looks[RENDER_LOOK_COUNT] = {
    [RENDER_LOOK_STUDIO] =
        {
            .lamp_radiance = 5.0f,
            .sun_azimuth_degrees = 130.0f,
            .sun_elevation_degrees = 42.0f,
            .sun_colour = {1.05f, 1.00f, 0.95f},
            .zenith = {0.02f, 0.03f, 0.05f},
            .horizon = {0.12f, 0.155f, 0.20f},
            .floor = {0.50f, 0.485f, 0.465f},
            .lines = {0.33f, 0.325f, 0.32f},
            .line_strength = 0.5f,
            .floor_gloss = 1.0f,
            .ambient = 0.5f,
            .absorption_scale = 1.4f,
            .scattering_ratio = 0.1f,
        },
    [RENDER_LOOK_DAYLIGHT] =
        {
            .sun_azimuth_degrees = 120.0f,
            .sun_elevation_degrees = 45.0f,
            .sun_colour = {1.80f, 1.62f, 1.36f},
            .zenith = {0.04f, 0.13f, 0.40f},
            .horizon = {0.20f, 0.32f, 0.50f},
            .horizon_glow = 0.3f,
            .clouds = 0.3f,
            .floor = {0.40f, 0.375f, 0.33f},
            .lines = {0.30f, 0.28f, 0.25f},
            .line_strength = 0.6f,
            .floor_gloss = 1.0f,
            .absorption_scale = 1.1f,
            .scattering_ratio = 0.1f,
        },
    [RENDER_LOOK_DUSK] =
        {
            .sun_azimuth_degrees = 130.0f,
            .sun_elevation_degrees = 22.0f,
            .sun_colour = {1.45f, 0.86f, 0.48f},
            .zenith = {0.10f, 0.14f, 0.27f},
            .horizon = {0.07f, 0.08f, 0.13f},
            .horizon_glow = 0.3f,
            .clouds = 0.3f,
            .floor = {0.34f, 0.36f, 0.41f},
            .lines = {0.25f, 0.265f, 0.30f},
            .line_strength = 0.5f,
            .floor_gloss = 1.0f,
            .absorption_scale = 1.3f,
            .scattering_ratio = 0.25f,
        },
    [RENDER_LOOK_TECHNICAL] =
        {
            .lamp_radiance = 2.0f,
            .sun_azimuth_degrees = -40.0f,
            .sun_elevation_degrees = 60.0f,
            .sun_colour = {0.55f, 0.55f, 0.55f},
            .zenith = {0.42f, 0.44f, 0.46f},
            .horizon = {0.50f, 0.52f, 0.54f},
            .floor = {0.50f, 0.50f, 0.50f},
            .lines = {0.22f, 0.23f, 0.25f},
            .line_strength = 1.0f,
            .floor_gloss = 1.0f,
            .ambient = 0.6f,
            .absorption_scale = 0.9f,
            .scattering_ratio = 0.05f,
        },
};

const render_look_preset *render_look_preset_get(uint32_t index)
{
    return index < RENDER_LOOK_COUNT ? &looks[index] : NULL;
}

/* Returns the unit vector at an azimuth, from +z towards +x, and an elevation. */
static vec3 direction_at(float azimuth_degrees, float elevation_degrees)
{
    const float radians = 0.0174532925f;
    float azimuth = azimuth_degrees * radians, elevation = elevation_degrees * radians;
    float level = base_cos(elevation);
    return vec3_make(level * base_sin(azimuth), base_sin(elevation), level * base_cos(azimuth));
}

/* Directions of the lamps from the camera's azimuth, degrees. */
#define STRIP_AZIMUTH -140.4f
#define STRIP_ELEVATION 22.8f
#define FILL_AZIMUTH 77.3f
#define FILL_ELEVATION 26.6f

render_look render_look_from_preset(const render_look_preset *preset, float azimuth_degrees)
{
    render_look look = {
        .sun = direction_at(azimuth_degrees + preset->sun_azimuth_degrees,
                            preset->sun_elevation_degrees),
        .strip = direction_at(azimuth_degrees + STRIP_AZIMUTH, STRIP_ELEVATION),
        .fill = direction_at(azimuth_degrees + FILL_AZIMUTH, FILL_ELEVATION),
        .wall = direction_at(azimuth_degrees + 180.0f, 0.0f),
        .lamp_radiance = preset->lamp_radiance,
        .ambient = preset->ambient,
        .horizon_glow = preset->horizon_glow,
        .clouds = preset->clouds,
        .line_strength = preset->line_strength,
        .floor_gloss = preset->floor_gloss,
        .floor_tile = 0.25f,
        .floor_fade = 6.0f,
        .refraction = 1.333f,
        .bulk_radius = 0.9f,
        .drop_radius = 0.62f, /* radius of a sphere with a particle's volume */
    };
    memcpy(look.sun_colour, preset->sun_colour, sizeof look.sun_colour);
    memcpy(look.zenith, preset->zenith, sizeof look.zenith);
    memcpy(look.horizon, preset->horizon, sizeof look.horizon);
    memcpy(look.floor_light, preset->floor, sizeof look.floor_light);
    memcpy(look.floor_dark, preset->lines, sizeof look.floor_dark);
    return look;
}

render_look render_look_default(void)
{
    return render_look_from_preset(&looks[RENDER_LOOK_STUDIO], 0.0f);
}
