// Writes the instance's value to both attachments, which blend differently; its depth is greater than the
// quad's.
#version 460
layout(depth_greater) out float gl_FragDepth;
layout(location = 0) flat in float value;
layout(location = 0) out float least;
layout(location = 1) out vec2 sum;

void main()
{
    least = value;
    sum = vec2(value, 1.0);
    gl_FragDepth = 0.5 + 0.001 * value;
}
