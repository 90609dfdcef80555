// Places: positions as whole numbers of a unit, a power of two under h (src/sim/fixed.c), from the middle of
// the domain. Their differences are exact wherever they are; floats of metres would round each position by
// a millionth of a spacing. Needs `params` (sim_params).

// Units: longer ways are cut. From anywhere in a domain, 2^30 long at most, the end still is a whole number,
// and so is its way to the far side.
const float FIXED_FAR = 1e9;

// Not contracted: the host makes the same of a place (sim_to_metres).
vec3 fixed_metres(ivec3 p)
{
    precise vec3 way = vec3(p) * params.origin.w, metres = params.origin.xyz + way;
    return metres;
}

// The way from q to p, m.
vec3 fixed_offset(ivec3 p, ivec3 q) { return vec3(p - q) * params.origin.w; }

// A way in metres, which must be a number, in whole units.
ivec3 fixed_step(vec3 way) { return ivec3(roundEven(clamp(way * params.units, -FIXED_FAR, FIXED_FAR))); }

ivec3 fixed_of(vec3 metres) { return fixed_step(metres - params.origin.xyz); }

bool fixed_is_lost(vec3 way) { return any(isnan(way)) || any(isinf(way)); }
