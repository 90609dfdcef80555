/* Pair weights of the diffusion of attributes: shaders/lib/attributes/exchange.glsl. */
#include "sim_state.h"

/* The second moment of the weights on the rest lattice, along each axis, gives the factor: with it
 * a parabola diffuses exactly. */
double sim_attribute_exchange(const scene_data *scene, double *factor)
{
    const double support = (double)scene->solver.support_radius, d = (double)scene->spacing;
    const int reach = (int)ceil(support), depth = scene->solver.dimensions == 2 ? 0 : reach;
    double sum = 0.0, moment = 0.0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double t = fmax(1.0 - sqrt((double)(x * x + y * y + z * z)) / support, 0.0);
                if (x == 0 && y == 0 && z == 0) continue;
                sum += t * t * t;
                moment += t * t * t * x * x * d * d;
            }
    *factor = 2.0 / moment;
    return *factor * sum;
}
