// What a substep does to attributes other than to carry and mix them: ages grow, rest positions are reset.
// Buffers: params, status, positions.
#ifndef ATTRIBUTES_ADVANCE_GLSL
#define ATTRIBUTES_ADVANCE_GLSL

// Replaces the components of vector k that belong to rest positions by those of p, m. `firsts`: bits of the
// first components of these.
vec4 attributes_set_rest(vec4 values, uint k, uint firsts, vec3 p)
{
    for (uint c = 0u; c < 4u; c++)
        for (uint axis = 0u; axis < 3u && axis <= 4u * k + c; axis++)
            if ((firsts >> (4u * k + c - axis) & 1u) != 0u) values[c] = p[axis];
    return values;
}

// Returns vector k of a particle at the end of the substep.
vec4 attributes_advance(vec4 values, uint k, ivec3 position)
{
    values += params.attribute_growth[k] * status.dt;
    uint firsts = params.rest_positions.y;
    if (firsts == 0u || status.substep + 1u != status.substeps) return values;
    return attributes_set_rest(values, k, firsts, fixed_to_metres(position));
}
#endif
