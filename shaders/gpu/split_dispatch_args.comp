// Computes the dispatch arguments for the parts of a pass whose number of workgroups only the device knows;
// one invocation per part. Part k of n has the workgroups k, k + n, k + 2n ..., so the parts are equally long
// for any number. pass.outer: n; pass.constant: offset of the pass's own arguments, in words.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 64
#include "bindings/dispatch.glsl"

#define BIND_arguments WEIR_ARRAY(0, uint)
#define BIND_part_arguments WEIR_ARRAY(1, uint)
READ_ANY(arguments);
WRITE_OWN(part_arguments);

void main()
{
    uint part = invocation_index(), parts = pass.outer, at = pass.constant;
    if (part >= parts) return;
    uint groups = arguments[at] * arguments[at + 1u] * arguments[at + 2u];
    uint own = groups > part ? (groups - part - 1u) / parts + 1u : 0u;
    uint lines = (own + 65534u) / 65535u;
    part_arguments[3u * part] = lines > 1u ? 65535u : own;
    part_arguments[3u * part + 1u] = lines;
    part_arguments[3u * part + 2u] = 1u;
}
