// Draws one quad per instance: instance i covers the pixels of columns 0 to i of an image that is
// `pass.constant` pixels wide.
#version 460
#define BIND(name) BIND_##name
#include "bindings/draw.glsl"

#define BIND_values WEIR_ARRAY(0, float)
READ_ANY(values);
layout(location = 0) flat out float value;

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    float right = 2.0 * float(gl_InstanceIndex + 1) / float(pass.constant) - 1.0;
    gl_Position = vec4(corner.x > 0.0 ? right : -1.0, 2.0 * corner.y - 1.0, 0.25, 1.0);
    value = values[gl_InstanceIndex];
}
