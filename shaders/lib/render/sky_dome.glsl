// Computes the light of directions above the floor: an environment image, a studio or an analytic sky.
#ifndef RENDER_SKY_DOME_GLSL
#define RENDER_SKY_DOME_GLSL

vec4 sky_bilinear(texture2D image, vec2 pixel)
{
    ivec2 size = textureSize(image, 0);
    vec2 p = pixel - 0.5, f = fract(p);
    ivec2 low = ivec2(floor(p)), a = clamp(low, ivec2(0), size - 1), b = clamp(low + 1, ivec2(0), size - 1);
    return mix(mix(texelFetch(image, a, 0), texelFetch(image, ivec2(b.x, a.y), 0), f.x),
               mix(texelFetch(image, ivec2(a.x, b.y), 0), texelFetch(image, b, 0), f.x), f.y);
}

float sky_random(ivec2 p)
{
    uint h = uint(p.x) * 1597334677u ^ uint(p.y) * 3812015801u;
    h = (h ^ h >> 15) * 2246822519u;
    return float((h ^ h >> 13) & 0xffffu) / 65535.0;
}

float sky_noise(vec2 p)
{
    ivec2 i = ivec2(floor(p));
    vec2 f = fract(p), t = f * f * (3.0 - 2.0 * f);
    return mix(mix(sky_random(i), sky_random(i + ivec2(1, 0)), t.x),
               mix(sky_random(i + ivec2(0, 1)), sky_random(i + ivec2(1, 1)), t.x), t.y);
}

// Returns the density of thin cloud on a plane overhead, 0 to 1. With it, a calm surface reflects more than
// one colour.
float sky_cloud(vec3 d)
{
    vec2 p = 1.4 * d.xz / (max(d.y, 0.0) + 0.12);
    float sum = 0.0, share = 0.5;
    for (int i = 0; i < 4; i++, share *= 0.5) {
        sum += share * sky_noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.0;
    }
    return smoothstep(0.42, 0.78, sum) * smoothstep(0.0, 0.2, d.y);
}

// Returns how much of a soft box a ray sees, 0 to 1: a rectangle around the unit direction `to`, with half
// sizes as tangents. It dims by a quarter from its middle to its soft edges.
float sky_softbox(vec3 d, vec3 to, vec2 half_size)
{
    float along = dot(d, to);
    if (along <= 0.05) return 0.0;
    vec3 right = normalize(vec3(to.z, 0.0, -to.x)), up = cross(to, right);
    vec2 at = abs(vec2(dot(d, right), dot(d, up)) / along) / half_size;
    vec2 inside = 1.0 - smoothstep(0.75, 1.1, at);
    return inside.x * inside.y * (0.75 + 0.25 * clamp(1.0 - length(at), 0.0, 1.0));
}

// Returns the cosine of the angle between the azimuths of two directions.
float sky_azimuth_cosine(vec3 a, vec3 b)
{
    return dot(a.xz, b.xz) * inversesqrt(max(dot(a.xz, a.xz) * dot(b.xz, b.xz), 1e-12));
}

// Returns the radiance of the studio's lamps: key light with a bright core, strip, fill, and a lit wall
// behind the subject, which gives flat water its sheen. A turning camera does not move them.
vec3 sky_lamps(vec3 d)
{
    vec3 key = params.sun_direction.xyz;
    vec3 sum = vec3(1.0, 0.98, 0.95) * sky_softbox(d, key, vec2(0.55, 0.38));
    sum += 8.0 * smoothstep(0.9975, 0.9990, dot(d, key));
    sum += 0.55 * vec3(0.92, 0.97, 1.0) * sky_softbox(d, params.lamp_strip.xyz, vec2(0.10, 0.6));
    sum += 0.30 * vec3(0.95, 0.98, 1.0) * sky_softbox(d, params.lamp_fill.xyz, vec2(0.25, 0.5));
    float behind = sky_azimuth_cosine(d, params.lamp_wall.xyz), high = 1.0 - smoothstep(0.30, 0.85, d.y);
    float wall = smoothstep(0.45, 0.95, behind) * smoothstep(0.10, 0.26, d.y) * high;
    return params.lamp_strip.w * (sum + 0.20 * vec3(0.95, 0.98, 1.0) * wall);
}

// Returns what surrounds the sun in the analytic sky: glare, and the glow of the horizon below a low sun.
vec3 sky_glow(vec3 d)
{
    vec3 sun = params.sun_direction.xyz;
    float near_sun = max(dot(d, sun), 0.0), toward = max(sky_azimuth_cosine(d, sun), 0.0);
    float glare = 6.0 * pow(near_sun, 900.0) + 1.5 * pow(near_sun, 160.0) + 0.12 * pow(near_sun, 24.0);
    float glow = params.sun_colour.w * (1.0 - sun.y) * toward * toward * toward * exp(-5.0 * max(d.y, 0.0));
    return (glare + glow) * params.sun_colour.xyz;
}

vec3 sky_analytic(vec3 d)
{
    float up = max(d.y, 0.0);
    float share = pow(up, 0.55) * smoothstep(0.0, 0.12, up); // no visible line where the floor has faded out
    vec3 c = mix(params.sky_horizon.xyz, params.sky_zenith.xyz, share);
    float near_sun = max(dot(d, params.sun_direction.xyz), 0.0);
    float disc = smoothstep(params.sun_direction.w - 0.0006, params.sun_direction.w + 0.0002, near_sun);
    if (params.sky_horizon.w > 0.0)
        c = mix(c, 1.15 * params.sky_horizon.xyz, params.sky_horizon.w * sky_cloud(d));
    return c + 60.0 * disc * params.sun_colour.xyz + sky_glow(d);
}

// Returns the radiance of an environment image. It contains all directions: longitude along x, the zenith at
// its top.
vec3 sky_image(vec3 d)
{
    vec2 at = vec2(0.5 + atan(d.z, d.x) / 6.28318531, acos(clamp(d.y, -1.0, 1.0)) / 3.14159265);
    return sky_bilinear(environment, at * vec2(textureSize(environment, 0))).xyz;
}

// Returns the radiance from a direction that does not hit the floor, without the studio's lamps.
vec3 sky_backdrop(vec3 d)
{
    if (ENVIRONMENT_IMAGE) return sky_image(d);
    if (!STUDIO) return sky_analytic(d);
    float up = clamp(d.y, 0.0, 1.0);
    return mix(params.sky_horizon.xyz, params.sky_zenith.xyz, smoothstep(0.0, 0.75, pow(up, 0.8)));
}

// Returns the same at the horizon below or above a direction.
vec3 sky_horizon(vec3 d)
{
    vec3 level = vec3(d.x, 0.0, d.z) * inversesqrt(max(dot(d.xz, d.xz), 1e-12));
    if (ENVIRONMENT_IMAGE) return sky_image(level);
    return STUDIO ? params.sky_horizon.xyz : params.sky_horizon.xyz + sky_glow(level);
}
#endif
