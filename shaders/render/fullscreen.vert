// Draws one triangle over the whole picture.
#version 460

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(4.0 * corner - 1.0, 0.0, 1.0);
}
