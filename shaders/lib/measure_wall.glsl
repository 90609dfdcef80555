// The part of a correction that comes from the walls of force gauges; after wall.glsl and measure.glsl.

// `factor` times the constraint's gradient towards each measured solid, shared as wall_add shares it.
void measure_constraint(vec3 p, float factor)
{
    float density = wall_density(p).density;
    uint solids = MEASURED > 1u && params.wall_density != 0u ? wall_solids() : 0u;
    for (uint item = 0u; item < solids; item++) {
        if (items[item].flags >> SOLID_ITEM_FORCE_SHIFT == 0u) continue;
        solid_pose pose = wall_pose(item);
        vec3 local = wall_rotate(wall_conjugate(pose.rotation), p - pose.position.xyz);
        vec4 surface = solid_distance_gradient(items[item].first_node, items[item].node_count,
                                               pose.position.w, local);
        float q = surface.w / params.h;
        if (q >= 1.0) continue;
        float others = (1.0 - density) / max(1.0 - kernel_wall_density(q), 1e-6);
        vec3 gradient = -wall_rotate(pose.rotation, surface.xyz) * kernel_wall_gradient(q, params.h);
        measure_push(item, factor * others * gradient);
    }
}
