/* Converts between the axes and unit of length of files and those of the simulation. */
#include "io.h"

vec3 io_vector_to_file_axes(vec3 v, io_file_axes axes)
{
    return vec3_scale(axes.y_up ? v : vec3_make(v.x, -v.z, v.y), (float)axes.scale);
}

vec3 io_vector_from_file_axes(vec3 v, io_file_axes axes)
{
    return vec3_scale(axes.y_up ? v : vec3_make(v.x, v.z, -v.y), (float)(1.0 / axes.scale));
}

static void convert_particles(io_particles *particles, io_file_axes axes,
                              vec3 (*convert)(vec3 v, io_file_axes axes), float scale)
{
    vec3 *const vectors[] = {particles->position, particles->velocity};
    if (axes.y_up && axes.scale == 1.0) return;
    for (size_t k = 0; k < BASE_COUNT(vectors); k++)
        for (uint32_t i = 0; vectors[k] && i < particles->count; i++)
            vectors[k][i] = convert(vectors[k][i], axes);
    for (uint32_t i = 0; particles->radius && i < particles->count; i++)
        particles->radius[i] *= scale;
}

void io_particles_to_file_axes(io_particles *particles, io_file_axes axes)
{
    convert_particles(particles, axes, io_vector_to_file_axes, (float)axes.scale);
}

void io_particles_from_file_axes(io_particles *particles, io_file_axes axes)
{
    convert_particles(particles, axes, io_vector_from_file_axes, (float)(1.0 / axes.scale));
}
