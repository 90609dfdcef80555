// Reads the thickness of the fluid, and that of its first layer behind the surface, which the filter stores
// with it.
#ifndef RENDER_LAYER_THICKNESS_GLSL
#define RENDER_LAYER_THICKNESS_GLSL

vec3 layer_thickness_at(ivec2 p) // m: thickness; thickness times fraction; thickness of the front
{
    vec3 t = texelFetch(thickness, p, 0).xyz;
    if ((pass.constant & RENDER_LAYER_ESTIMATED) != 0u) t.z = min(t.x, RENDER_LAYER_REACH * params.spacing);
    return (pass.constant & RENDER_LAYER_SEPARATE) != 0u
               ? vec3(t.xy, texelFetch(layer_thickness, p / 2, 0).x)
               : t;
}

// Returns the thickness of the fluid up to the first gap behind the surface, m; the whole thickness if fluid
// fills the space just behind the surface, where there is no gap.
float first_layer_depth(ivec2 p, float spacing)
{
    vec3 t = layer_thickness_at(p);
    float filled = t.z / (RENDER_LAYER_REACH * spacing);
    return min(mix(t.z, t.x, smoothstep(0.5, 0.75, filled)), t.x);
}
#endif
