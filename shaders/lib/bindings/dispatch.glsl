// Declares the push constants of a dispatch, and finds the element of an invocation.
#ifndef BINDINGS_DISPATCH_GLSL
#define BINDINGS_DISPATCH_GLSL
#include "bindings/bindings.glsl"
#include "pass.h"

layout(local_size_x_id = 0) in;
layout(push_constant) uniform pass_push { gpu_pass_push pass; };

// Returns the workgroup's number within the whole pass, of which this dispatch may run a part. More than
// 65535 workgroups fold into y.
uint workgroup_index() { return (gl_WorkGroupID.x + gl_WorkGroupID.y * 65535u) * pass.parts + pass.part; }

uint invocation_index() { return workgroup_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }

// Return from a shader if the invocation is out of range or nothing is left to do: the frame is broken
// (state.flags), no substep is running (status.running), or the iterations have converged
// (status.iterations_done).
#define RETURN_IF_BROKEN(out_of_range) if (out_of_range || state.flags != 0u) return
#define RETURN_IF_HALTED(out_of_range) if (out_of_range || state.flags != 0u || status.running == 0u) return
#define RETURN_IF_SOLVED(out_of_range) \
    if (out_of_range || state.flags != 0u || status.running == 0u || status.iterations_done != 0u) return

// Declares `i`, the particle of this invocation; returns past the last live one or if the frame is broken.
#define PARTICLE_OR_RETURN(i)             \
    uint i = pass.first + invocation_index();     \
    if (i >= state.live || state.flags != 0u) return

// The same for the particles of a rank and its first layer of ghosts, whose neighbours are complete.
#define NEAR_PARTICLE_OR_RETURN(i)        \
    uint i = pass.first + invocation_index();     \
    if (i >= state.near || state.flags != 0u) return

// The same for all particles that a rank holds.
#define HELD_PARTICLE_OR_RETURN(i)        \
    uint i = pass.first + invocation_index();     \
    if (i >= state.held || state.flags != 0u) return

// Declares `i` in an iteration of the density solve; also returns if the iterations have converged.
#define UNSOLVED_PARTICLE_OR_RETURN(i)    \
    uint i = pass.first + invocation_index();     \
    if (i >= state.live || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return
#define UNSOLVED_NEAR_PARTICLE_OR_RETURN(i) \
    uint i = pass.first + invocation_index();     \
    if (i >= state.near || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return
#endif
