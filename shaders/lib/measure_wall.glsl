// The part of a correction that comes from solids whose force is asked for; after wall.glsl and measure.glsl.

// `factor` times the constraint's gradient towards each measured solid, shared as wall_add shares it;
// `density` is that of all walls at p.
void measure_constraint(ivec3 p, float density, float factor)
{
    uint solids = PUSHES && params.wall_density != 0u ? wall_solids() : 0u;
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        if (!FORCES && items[item].flags >> SOLID_ITEM_FORCE_SHIFT == 0u) continue;
        wall_surface surface;
        if (!wall_find_surface(item, fixed_metres(p), params.h, surface)) continue;
        wall_sum own = wall_none();
        wall_add(own, surface.distance, surface.normal, vec3(0.0));
        float others = (1.0 - density) / max(1.0 - own.density, 1e-6);
        measure_push(item, fixed_metres(p), factor * others * own.gradient);
    }
}
