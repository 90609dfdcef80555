// Units of the integer sums of pressure and force gauges.
// Buffers: params, status.
#ifndef REDUCE_GAUGE_UNITS_GLSL
#define REDUCE_GAUGE_UNITS_GLSL

const float GAUGE_WEIGHT_UNITS = 1073741824.0; // of a weight of 1

// Returns the unit of a displacement times a mass, kg m.
float gauge_push_unit() { return params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT; }

// Returns the unit of pressure: 2^-32 of that by which a particle moves one spacing in a substep, Pa.
float gauge_pressure_unit()
{
    float speed = params.spacing / status.dt;
    return params.max_density * speed * speed / 4294967296.0;
}
#endif
