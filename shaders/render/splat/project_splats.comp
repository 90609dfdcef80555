// Computes the splat of every point for a camera (pass.constant): the ellipsoid's quadric in view space, and
// the pixels that it covers, by the planes through the eye that touch it (Sigg et al. 2006 in closed form:
// with c the centre and Q = A A^T, x = m z touches where (c.x - m c.z)^2 = Q.xx - 2 m Q.xz + m^2 Q.zz). One
// invocation per point.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
#include "render/attribute_colour.glsl"
#include "render/splat.glsl"
READ_ANY(centres);
READ_ANY(shapes);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(ids);
READ_ANY(fluids);
READ_ANY(densities);
READ_ANY(lambdas);
WRITE_ANY(splats);
ATOMIC(splat_lists);
WRITE_ANY(listed_splats);
WRITE_ANY(inner_splats);

// Returns the slopes of the two tangent planes.
vec2 tangent_slopes(float c, float z, float q, float qz, float qzz)
{
    float a = z * z - qzz, b = c * z - qz, e = c * c - q;
    float root = sqrt(max(b * b - a * e, 0.0));
    return vec2(b - root, b + root) / a;
}

// Returns left, top, right and bottom in pixels; all 0 if the ellipsoid is not visible.
vec4 pixel_bounds(render_camera camera, vec3 c, mat3 q)
{
    float near = camera.eye.w, deep = sqrt(q[2][2]);
    vec2 x, y, middle = camera.middle.xy;
    if (c.z + deep <= near) return vec4(0.0);
    if (camera.forward.w != 0.0) {
        x = c.x + vec2(-1.0, 1.0) * sqrt(q[0][0]);
        y = c.y + vec2(-1.0, 1.0) * sqrt(q[1][1]);
    } else if (c.z - 1.001 * deep > 0.0) {
        x = tangent_slopes(c.x, c.z, q[0][0], q[0][2], q[2][2]);
        y = tangent_slopes(c.y, c.z, q[1][1], q[1][2], q[2][2]);
    } else { // the ellipsoid reaches the eye's plane: its outline may be unbounded
        x = middle.x + vec2(-camera.right.w, camera.right.w);
        y = middle.y + vec2(-camera.up.w, camera.up.w);
    }
    vec2 size = camera.frame.xy;
    vec2 wide = vec2(camera.right.w, camera.up.w);
    x -= middle.x;
    y -= middle.y;
    vec4 r = (0.5 + 0.5 * vec4(x.x, -y.y, x.y, -y.x) / wide.xyxy) * size.xyxy;
    // Pixels whose centres are inside, with a margin of a quarter pixel for rounding.
    r = vec4(max(ceil(r.xy - 0.75), vec2(0.0)), min(floor(r.zw + 0.75), size));
    return r.z > r.x && r.w > r.y ? r : vec4(0.0);
}

mat3 inverse_symmetric(mat3 a)
{
    vec3 x = cross(a[1], a[2]), y = cross(a[2], a[0]), z = cross(a[0], a[1]);
    return mat3(x, y, z) / dot(a[0], x);
}

// Returns the quantity that colours show; one that the points do not have is in the middle of the range.
float coloured_quantity(uint i)
{
    if (params.colour_by == RENDER_COLOUR_BY_SPEED && (params.has & 1u) != 0u)
        return length(velocities[i].xyz);
    if (params.colour_by == RENDER_COLOUR_BY_DENSITY && (params.has & 8u) != 0u) {
        uint fluid = (params.has & 4u) != 0u ? min(fluids[i], RENDER_MAX_FLUIDS - 1u) : 0u;
        return densities[i] / params.fluids[fluid].colour.w - 1.0;
    }
    if (params.colour_by == RENDER_COLOUR_BY_LAMBDA && (params.has & 16u) != 0u) return lambdas[i].w;
    if (params.colour_by == RENDER_COLOUR_BY_NEIGHBOURS) return shapes[2u * i + 1u].z;
    return 0.5 * (params.range_low + params.range_high);
}

vec3 particle_colour(uint i, uint fluid)
{
    if (params.colour_by == RENDER_COLOUR_BY_FLUID)
        return has_colour_curve(fluid) ? curve_colour(i, fluid) : params.fluids[fluid].colour.xyz;
    if (params.colour_by == RENDER_COLOUR_BY_ID) return colour_for_id((params.has & 2u) != 0u ? ids[i] : i);
    if (params.colour_by == RENDER_COLOUR_BY_ATTRIBUTE && params.colour_attribute.z != 0u)
        return attribute_colour(i);
    return scale_colour(coloured_quantity(i));
}

// Returns whether the point is in front of the slice or reaches through it.
bool is_cut_off(vec3 centre)
{
    return DRAW_SLICE && dot(params.slice_plane.xyz, centre) > params.slice_plane.w - 0.5 * params.spacing;
}

// Returns the shape of the volume that the drops of a particle without neighbours fill, stretched along its
// motion. Shadows are too soft to show the motion.
mat3 spray_matrix(uint i, float z, render_camera camera)
{
    mat3 ball = mat3(params.drops.y * params.spacing);
    vec3 v = (params.has & 1u) != 0u ? velocities[i].xyz : vec3(0.0);
    if (params.streak.y > 0.0 && pass.constant == RENDER_CAMERA_SUN) return ball;
    float shutter = mix(params.streak.x, RENDER_SHUTTER_S, drops_glass(z, camera));
    return ball + 0.5 * shutter / max(length(v), 1e-9) * outerProduct(v, v);
}

uint pack_bits(uint i, uint fluid)
{
    uint id = (params.has & 2u) != 0u ? ids[i] : i;
    return params.drops.x < 2.0 ? packUnorm4x8(vec4(particle_colour(i, fluid), float(fluid) / 255.0))
                                : fluid << 24 | drops_hash(id) & 0xffffffu;
}

const float INSIDE = 0.98; // fraction of neighbours from which a particle counts as inside the fluid

// Returns how many particles this one stands for in a draft; 0: another one stands for it. Particles inside
// the fluid are hidden, so only the sum of their chords matters; particles that are adjacent in memory are
// close in space, so the fluid is thinned evenly.
float draft_weight(uint i, float share)
{
    bool thinned = (params.has & RENDER_DRAFT) != 0u && pass.constant == RENDER_CAMERA_EYE && share > INSIDE;
    if (!thinned) return 1.0;
    return i % RENDER_DRAFT_SHARE == 0u ? float(RENDER_DRAFT_SHARE) : 0.0;
}

// Returns the largest 1/z that a splat inside the fluid reaches, where it is a whole ellipsoid; 0 outside, or
// if it reaches the near plane. The margin is that of rounding in splat_intersect.
float inner_reach(render_camera camera, vec3 c, mat3 q, float share)
{
    float least = c.z - 1.002 * sqrt(q[2][2]) - 4e-5 * abs(c.z);
    return share > INSIDE && least > max(camera.eye.w, 0.0) ? 1.0 / least : 0.0;
}

shared uint outer_count, inner_count, first_outer, first_inner;

// Appends a splat to the list that it belongs to. Their order does not matter; the workgroup counts first, so
// that few invocations wait for each other.
void append_to_lists(uint i, bool visible, float reach)
{
    uint place = 0u, lane = gl_LocalInvocationID.x;
    if (lane == 0u) outer_count = inner_count = 0u;
    barrier();
    if (visible) place = reach > 0.0 ? atomicAdd(inner_count, 1u) : atomicAdd(outer_count, 1u);
    barrier();
    if (lane == 0u && inner_count > 0u) first_inner = atomicAdd(splat_lists.inner_count, inner_count);
    if (lane == 0u && outer_count > 0u) {
        first_outer = atomicAdd(splat_lists.outer_count, outer_count);
        uint instances = (first_outer + outer_count + GPU_INSTANCE_QUADS - 1u) / GPU_INSTANCE_QUADS;
        atomicMax(splat_lists.outer[1], instances);
    }
    barrier();
    if (visible && reach > 0.0) inner_splats[first_inner + place] = uvec2(i, floatBitsToUint(reach));
    if (visible && reach <= 0.0) listed_splats[first_outer + place] = i;
}

// Writes splat i. Returns whether it is visible, and inner_reach.
bool write_splat(uint i, out float reach)
{
    render_camera camera = params.cameras[pass.constant];
    mat3 a = mat3(1.0);
    vec3 centre = positions[i].xyz;
    float share = 1.0, apart = 0.0, radius = 0.5, det = 1.0;
    if (params.show != RENDER_SHOW_PARTICLES) {
        vec4 c = centres[i], s = shapes[2u * i], t = shapes[2u * i + 1u];
        a = mat3(s.x, s.y, s.z, s.y, s.w, t.x, s.z, t.x, t.y);
        centre = c.xyz;
        share = c.w;
        det = t.w;
        apart = params.drops.x < 2.0 ? 0.0 : drops_spread(share);
        radius = mix(params.drop_radius, params.bulk_radius, smoothstep(0.1, 0.4, share));
    }
    radius *= params.spacing;
    a *= radius;
    det *= radius * radius * radius;
    if (apart > 0.0) {
        a = (1.0 - apart) * a + apart * spray_matrix(i, camera_world_to_view(camera, centre).z, camera);
        det = determinant(a);
    }
    if ((params.has & 1u) != 0u) centre += params.drops.z * velocities[i].xyz;
    mat3 turn = transpose(mat3(camera.right.xyz, camera.up.xyz, camera.forward.xyz));
    mat3 view = turn * a * transpose(turn);
    vec3 c = camera_world_to_view(camera, centre);
    mat3 b = inverse_symmetric(view);
    uint fluid = (params.has & 4u) != 0u ? min(fluids[i], RENDER_MAX_FLUIDS - 1u) : 0u;
    float volume = params.spacing * params.spacing * params.spacing / (4.18879020 * det);
    splats[i].low = vec4(b[0][0], b[0][1], b[0][2], b[1][1]);
    splats[i].high = vec4(b[1][2], b[2][2], c.xy);
    float weight = draft_weight(i, share);
    splats[i].rest = vec4(c.z, weight * volume, share, uintBitsToFloat(pack_bits(i, fluid)));
    // w below 0: there is no particle in this element
    bool none = is_cut_off(centre) || positions[i].w < 0.0 || weight == 0.0;
    vec4 bounds = none ? vec4(0.0) : pixel_bounds(camera, c, view * view);
    splats[i].bounds = bounds;
    bool whole = apart <= 0.0 && params.show != RENDER_SHOW_PARTICLES;
    reach = whole ? inner_reach(camera, c, view * view, share) : 0.0;
    return bounds.z > bounds.x;
}

void main()
{
    uint i = invocation_index();
    float reach = 0.0;
    bool visible = i < params.count && write_splat(i, reach);
    append_to_lists(i, visible, reach);
}
