#version 460
layout(location = 0) in vec3 colour;
layout(location = 0) out vec4 written;

void main() { written = vec4(colour, 1.0); }
