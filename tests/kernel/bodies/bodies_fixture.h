/* Two bodies in the middle of a substep, between a solid, walls and fluid. */
#ifndef WEIR_TESTS_BODIES_FIXTURE_H
#define WEIR_TESTS_BODIES_FIXTURE_H

#include "one_world.h"
#include "ref_body.h"
#include "sim_pass_fixture.h"

#define PLACE 2e-5f /* d */
#define SUM 2e-4    /* relative to the maximum */
#define MANY 1500u
#define BODIES 2u

/* `more`: additional keys, each followed by a comma. */
#define SCENE(more)                                                                                \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2], 'friction': 0.2},"           \
    " 'solids': [{'name': 'ball', 'friction': 0.4, 'shape': {'sphere': {'radius': 0.2},"           \
    " 'position': [0.75, 0.2, 0.4]}, 'motion': {'spin': {'axis': [0, 0, 1], 'rate': 3}}}],"        \
    " 'bodies': [{'name': 'heavy', 'density': 3000, 'friction': 0.5, 'shape': {'sphere': {"        \
    "'radius': 0.15}, 'position': [0.3, 0.25, 0.3]}}, {'name': 'light', 'density': 200,"           \
    " 'friction': 0.1, 'shape': {'sphere': {'radius': 0.12}, 'position': [0.3, 0.6, 0.3]}}]," more \
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [1, 1, 1],"                   \
    " 'max': [1.2, 1.2, 1.2]}}}}, {'name': 'oil', 'density': 600, 'fill': {'shape': {'box': {"     \
    "'min': [1, 1.3, 1], 'max': [1.2, 1.5, 1.2]}}}}]}"

int open_balls(void **state);
int open_with_a_box(void **state);

typedef struct crowd {
    stage s;
    ref_bodies ref;
    struct body_properties *properties;
    struct body_state *states, *iterates;
    uint32_t samples;
} crowd;

/* Reads the buffer that the contact passes bind at `binding`. */
void *read_bound(uint32_t binding, size_t count, size_t size);

void meet_up(crowd *c, uint32_t count, const char *pass);
void part(crowd *c);
void assert_sums(const crowd *c, const ref_impulse *want);

#endif
