// The quad as a ball, lit from above.
#version 460
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 written;

void main()
{
    float off = dot(at, at);
    if (off > 1.0) discard;
    vec3 normal = vec3(at, sqrt(1.0 - off));
    float light = 0.45 + 0.55 * max(dot(normal, normalize(vec3(0.3, 0.8, 0.5))), 0.0);
    written = vec4(vec3(0.15, 0.45, 0.85) * light, 1.0);
}
