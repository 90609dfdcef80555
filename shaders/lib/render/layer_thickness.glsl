// The fluid's thickness, and that of what is just behind its surface, which the filter puts beside it.
#ifndef RENDER_LAYER_THICKNESS_GLSL
#define RENDER_LAYER_THICKNESS_GLSL

vec3 front_thickness(ivec2 p) // metres; metres times share; metres of the front
{
    vec3 t = texelFetch(thickness, p, 0).xyz;
    return (row.constant & RENDER_FRONT_APART) != 0u ? vec3(t.xy, texelFetch(front, p / 2, 0).x) : t;
}

// Metres of fluid before the first gap behind the surface. There is none where fluid fills the space just
// behind the surface.
float front_layer(ivec2 p, float spacing)
{
    vec3 t = front_thickness(p);
    float filled = t.z / (RENDER_FRONT_REACH * spacing);
    return min(mix(t.z, t.x, smoothstep(0.5, 0.75, filled)), t.x);
}
#endif
