/* Smoothing kernels in double, as references for the shaders'. Poly6 and the spiky kernel:
   Mueller, Charypar and Gross 2003; Wendland's C2 kernel: Wendland 1995. */
#include "validate_internal.h"

#define PI 3.14159265358979323846

static bool is_kernel(const char *kernel, const char *name)
{
    return strcmp(kernel, name) == 0;
}

/* Returns the factor of (1 - q)^4 (1 + 4 q) that makes the integral 1. */
static double wendland_factor(uint32_t dimensions, double h)
{
    return dimensions == 3 ? 21.0 / (2.0 * PI * h * h * h) : 7.0 / (PI * h * h);
}

/* Returns the factor of (1 - q)^3 that makes the integral 1. */
static double spiky_factor(uint32_t dimensions, double h)
{
    return dimensions == 3 ? 15.0 / (PI * h * h * h) : 10.0 / (PI * h * h);
}

/* Returns the factor of (1 - q^2)^3 that makes the integral 1. */
static double poly6_factor(uint32_t dimensions, double h)
{
    return dimensions == 3 ? 315.0 / (64.0 * PI * h * h * h) : 4.0 / (PI * h * h);
}

double validate_kernel_value(const char *kernel, uint32_t dimensions, double h, double r)
{
    double q = r / h;
    if (is_kernel(kernel, "wendland"))
        return wendland_factor(dimensions, h) * pow(1.0 - q, 4) * (1.0 + 4.0 * q);
    return poly6_factor(dimensions, h) * pow(1.0 - q * q, 3);
}

double validate_kernel_slope(const char *kernel, uint32_t dimensions, double h, double r)
{
    double q = r / h;
    if (is_kernel(kernel, "wendland"))
        return 20.0 * wendland_factor(dimensions, h) * q * pow(1.0 - q, 3) / h;
    if (is_kernel(kernel, "spiky")) return 3.0 * spiky_factor(dimensions, h) * pow(1.0 - q, 2) / h;
    return 6.0 * poly6_factor(dimensions, h) * q * pow(1.0 - q * q, 2) / h;
}
