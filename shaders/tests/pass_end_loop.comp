// Starts a loop over two workgroups, or ends it in repetition pass.constant; one invocation.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 1
#include "bindings/dispatch.glsl"

#define BIND_loop WEIR_STRUCT(0, gpu_loop)
REDUCTION(loop);

void main()
{
    if (invocation_index() != 0u) return;
    if (pass.constant == GPU_LOOP_RUNS) {
        loop = gpu_loop(2u, 1u, 1u, GPU_LOOP_RUNS);
    } else if (pass.inner == pass.constant) {
        loop = gpu_loop(0u, 0u, 0u, pass.inner);
    }
}
