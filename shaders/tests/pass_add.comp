// Accesses own elements only: total = 3 total + source + index; one invocation per element. Both arrays may
// be larger than one binding, so both are indexed from pass.first.
#version 460
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"

#define BIND_source WEIR_ARRAY(0, uint)
#define BIND_totals WEIR_ARRAY(1, uint)
#define BIND_count WEIR_STRUCT(2, uint)
READ_OWN(source);
UPDATE_OWN(totals);
BLOCK(count);

void main()
{
    uint i = invocation_index(), place = pass.first + i;
    if (place >= count || i >= uint(totals.length())) return;
    totals[i] = 3u * totals[i] + source[i] + place;
}
