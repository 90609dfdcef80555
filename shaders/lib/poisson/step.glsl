// The step of conjugate gradients.
// Buffers: right_sides, matvec_products.
#ifndef POISSON_STEP_GLSL
#define POISSON_STEP_GLSL

float step_length; // solve.alpha; set once, because CPU drivers would load it for every cell

// Returns b - A x of a cell after the step.
float stepped_right_side(uint i) { return right_sides[i] - step_length * matvec_products[i]; }
#endif
