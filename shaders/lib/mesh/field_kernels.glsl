// Evaluates the weights of the mesher's fields, up to a factor that cancels.
#ifndef MESH_FIELD_KERNELS_GLSL
#define MESH_FIELD_KERNELS_GLSL

// (1 - s^2)^3, s = r / R (Zhu and Bridson 2005); inverse2 = 1 / R^2.
float mesh_weight_zhu_bridson(float r2, float inverse2)
{
    float t = max(1.0 - r2 * inverse2, 0.0);
    return t * t * t;
}

// Cubic spline (Monaghan 1992) as a difference of two cubes, halved; inverse = 1 / R.
float mesh_weight_spline(float r2, float inverse)
{
    float q = sqrt(r2) * inverse;
    float a = max(1.0 - q, 0.0), b = max(0.5 - q, 0.0);
    return a * a * a - 4.0 * (b * b * b);
}
#endif
