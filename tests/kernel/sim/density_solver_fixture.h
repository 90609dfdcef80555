/* Density solvers, and blocks of particles for them. */
#ifndef WEIR_TESTS_DENSITY_SOLVER_FIXTURE_H
#define WEIR_TESTS_DENSITY_SOLVER_FIXTURE_H

#include "base.h"
#include "validation.h"

#include "kept_log.h"

#include "weir/density_solver.h"
#include "weir/sim.h"

#define ROOM 1024u
#define SIDE 8u /* particles along an edge of the block */
#define H 0.125
#define D 0.0625
#define DT (1.0f / 128.0f)

/* Lengths and the step are powers of two, so that floats represent every position exactly. */
#define SCENE_OF(box, sides, solver)                                                        \
    "{\"name\": \"alone\", \"domain\": {\"min\": [-1, -1, -1], \"max\": [1, 1, 1]"          \
    "" sides "}, \"gravity\": [0, 0, 0], \"frame_rate\": 128, \"duration\": 0.1,"           \
    " \"spacing\": 0.0625, \"solver\": {\"substeps\": 1, \"support_radius\": 2" solver "}," \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                   \
    " {" box "}}}}]}"

#define SCENE(sides, solver) \
    SCENE_OF("\"min\": [-1, -1, -1], \"max\": [-0.5, -0.5, -0.5]", sides, solver)

#define PLANE(solver) \
    SCENE_OF("\"min\": [-1, -1, -1], \"max\": [-0.5, -0.5, 1]", "", ", \"dimensions\": 2" solver)

#define OPEN ", \"sides\": {\"x\": \"open\", \"y\": \"open\", \"z\": \"open\"}"
#define PLAIN ", \"kernel\": \"poly6\", \"iterations\": 3, \"chebyshev_spectral_radius\": 0"

typedef struct cloud {
    uint32_t count;
    float x[3 * ROOM], v[3 * ROOM], w[ROOM];
    uint32_t offsets[ROOM + 1], neighbours[ROOM * ROOM / 2]; /* pairs within the support radius */
} cloud;

extern weir_device *shared_device;

extern cloud given, seen, other;

int open_shared_device(void **state);
int close_shared_device(void **state);
weir_scene *parse(const char *text);
weir_density_solver *create(const weir_scene *scene);
weir_density_solver *create_from(const char *text);

/* Fills a compressed block in the corner of the domain, slightly disordered and in motion. */
void fill(cloud *c, float corner, bool planar);

weir_density_solver_particles all_of(cloud *c);
void solve(weir_density_solver *solver, const weir_density_solver_particles *p,
           weir_density_solver_report *report);

/* Lists all pairs within reach at the start. Each particle also lists itself, which must not count
 * twice. */
void list_all(cloud *c);

#endif
