// Evaluates smoothing kernels and their integrals over boundaries, all times the particle volume V. The
// constant SMOOTHING_KERNEL selects poly6 for density with the spiky gradient for corrections (Mueller,
// Charypar and Gross 2003), or Wendland's C2 kernel for both (Wendland 1995). The factors are in sim_params.
#ifndef PARTICLES_SMOOTHING_KERNELS_GLSL
#define PARTICLES_SMOOTHING_KERNELS_GLSL

// Returns the smoothing kernel of the density over its value at 0, for a pair at the distance r, in h, with
// r2 = r^2 and g = max(1 - r, 0).
float kernel_value(float r2, float g)
{
    if (SMOOTHING_KERNEL == SIM_KERNEL_WENDLAND) {
        float g2 = g * g;
        return g2 * g2 * (5.0 - 4.0 * g);
    }
    float t = max(1.0 - r2, 0.0);
    return t * t * t;
}

// Returns s times the magnitude of the corrections' gradient over r, without its factor: the product with the
// offset of the pair is s times the gradient.
float kernel_gradient_factor(float s, float g, float inverse)
{
    return s * g * g * (SMOOTHING_KERNEL == SIM_KERNEL_WENDLAND ? g : inverse);
}

// Returns g from the squared distance. `inverse` becomes 1 / r; with Wendland's kernel, which does not need
// it, 0.
float kernel_one_minus_r(float r2, out float inverse)
{
    inverse = 0.0;
    if (SMOOTHING_KERNEL == SIM_KERNEL_WENDLAND) return max(1.0 - sqrt(r2), 0.0);
    inverse = inversesqrt(max(r2, 1e-20));
    return max(1.0 - r2 * inverse, 0.0);
}

// Returns the fraction of the rest density that a flat boundary at the signed distance phi = q h adds, for
// poly6: the kernel integrated over the half space behind the boundary.
float boundary_density_poly6(float q)
{
    float a = min(abs(q), 1.0), a2 = a * a, b = 1.0 - a2, b2 = b * b;
    float odd = a * a2 * (1.0 / 3.0 + a2 * (-0.6 + a2 * (3.0 / 7.0 - a2 / 9.0)));
    float share = max(0.5 - 9.84375 * odd - 1.23046875 * a * b2 * b2, 0.0);
    return q < 0.0 ? 1.0 - share : share;
}

// Returns the magnitude of the gradient of the boundary's density for the spiky kernel, 1/m.
float boundary_gradient_spiky(float q, float h)
{
    float a = min(abs(q), 1.0), b = 1.0 - a, b2 = b * b;
    return 1.5 / h * b2 * b2 * (1.0 + 4.0 * a);
}

// boundary_density_poly6 and boundary_gradient_spiky in planar flow, for the kernels
//   4 / (pi h^8) (h^2 - r^2)^3   and   10 / (pi h^5) (h - r)^3.
// The first is, with s^2 = 1 - q^2,
//   1/2 - (asin q + q s (1 + 2/3 s^2 + 8/15 s^4 + 16/35 s^6)) / pi.
// Because drivers differ in asin, it is computed as (1 - q)^(9/2) times a polynomial, with an error below
// 2e-8.
float boundary_density_poly6_2d(float q)
{
    float a = min(abs(q), 1.0), b = 1.0 - a, b2 = b * b;
    float rest = 0.35865414 + a * (0.03547202 + a * (-0.00256019 + a * 0.00026427));
    float share = b2 * b2 * sqrt(b) * (0.5 + a * (1.08589603 + a * (0.9490163 + a * rest)));
    return q < 0.0 ? 1.0 - share : share;
}

float boundary_gradient_spiky_2d(float q, float h)
{
    float a = clamp(abs(q), 1e-6, 1.0), a2 = a * a, s = sqrt(1.0 - a2);
    float slope = s * (0.25 + 1.625 * a2) - a2 * log((1.0 + s) / a) * (1.5 + 0.375 * a2);
    return 6.36619772 / h * max(slope, 0.0);
}

// Returns the drag of a flat boundary at the distance phi = q h on a velocity parallel (x) and normal (y) to
// it, over that of the viscosity, times h^2: the viscous stress of the half space behind the boundary, whose
// fluid mirrors the particle's velocity (docs/equations.md). Below 0.1 h the drag is constant.
vec2 boundary_viscous_drag(float q)
{
    float a = clamp(q, 0.1, 1.0), b = 1.0 - a, b2 = b * b, b5 = b2 * b2 * b;
    float along = 240.0 + a * (1440.0 + a * (3280.0 + a * (2880.0 + a * (1200.0 + a * 200.0))));
    float across =
        480.0 + a * (2400.0 + a * (7200.0 + a * (16800.0 + a * (17760.0 + a * (9000.0 + a * 1800.0)))));
    return vec2(b * along, across) * (b5 / (77.0 * a));
}

// boundary_viscous_drag in planar flow; the error of the polynomials is below 2e-5 of the largest value.
vec2 boundary_viscous_drag_2d(float q)
{
    float a = clamp(q, 0.1, 1.0), b = 1.0 - a, b2 = b * b;
    float along = 3.0636693 + a * (16.8629275 + a * (31.3802288 + a * (17.3374617 + a * 8.40742858)));
    float rest = 151.801487 + a * (104.149049 + a * 56.5843622);
    float across = 6.12752979 + a * (27.5587177 + a * (76.4255783 + a * rest));
    return vec2(b * along, across) * (b2 * b2 * sqrt(b) / a);
}

// The boundary's density for Wendland's C2 kernel, 21 / (2 pi h^3) (1 - q)^4 (1 + 4 q), and the magnitude of
// its gradient, 1/m.
float boundary_density_wendland(float q)
{
    float a = min(abs(q), 1.0), b = 1.0 - a, b3 = b * b * b;
    float share = b3 * b3 * (0.5 + a * (1.5 + 1.5 * a));
    return q < 0.0 ? 1.0 - share : share;
}

float boundary_gradient_wendland(float q, float h)
{
    float a = min(abs(q), 1.0), b = 1.0 - a, b2 = b * b;
    return b2 * b2 * b * (1.5 + a * (7.5 + 12.0 * a)) / h;
}

// Both in planar flow, 7 / (pi h^2) (1 - q)^4 (1 + 4 q). Near the boundary the closed form is a polynomial of
// q^2 and one logarithm, far from it a power of 1 - q times a polynomial; the polynomials are fitted to 5e-8.
float boundary_density_wendland_2d(float q)
{
    float a = clamp(abs(q), 1e-6, 1.0), a2 = a * a, b = 1.0 - a, b2 = b * b;
    float near = 1.48544613 + a2 * (-3.71361466 + a2 * (0.956846844 + a2 * (1.79285764 - 0.0204085485 * a2)));
    near = 0.5 - a * near + a2 * a2 * a * log(a) * (6.68450761 + 0.795774715 * a2);
    float far = 2.3280912 + b * (-2.2833723 + b * (0.38920888 + b * (0.041165984 + 0.021107068 * b)));
    float share = a < 0.5 ? near : b2 * b2 * b * sqrt(b) * far;
    return q < 0.0 ? 1.0 - share : share;
}

float boundary_gradient_wendland_2d(float q, float h)
{
    float a = clamp(abs(q), 1e-6, 1.0), a2 = a * a, b = 1.0 - a, b2 = b * b;
    float near = 1.4854461 + a2 * (-11.1408384 + a2 * (-1.90040786 + a2 * (11.7552352 - 0.185981333 * a2)));
    near -= a2 * a2 * log(a) * (33.422538 + 5.570423 * a2);
    float far = 0.39915873 + b * (0.073479746 + 0.11319203 * b);
    far = 12.804498 + b * (-14.841512 + b * (2.9114048 + b * far));
    return (a < 0.5 ? near : b2 * b2 * sqrt(b) * far) / h;
}

// Density of a flat boundary, and the magnitude of its gradient, 1/m, for the selected kernels.
float kernel_boundary_density(float q, bool planar)
{
    if (SMOOTHING_KERNEL == SIM_KERNEL_WENDLAND)
        return planar ? boundary_density_wendland_2d(q) : boundary_density_wendland(q);
    return planar ? boundary_density_poly6_2d(q) : boundary_density_poly6(q);
}

float kernel_boundary_gradient(float q, float h, bool planar)
{
    if (SMOOTHING_KERNEL == SIM_KERNEL_WENDLAND)
        return planar ? boundary_gradient_wendland_2d(q, h) : boundary_gradient_wendland(q, h);
    return planar ? boundary_gradient_spiky_2d(q, h) : boundary_gradient_spiky(q, h);
}

// Returns the cohesion kernel (Akinci, Akinci and Teschner 2013, equation 2, times pi h^3 / 32): attraction
// beyond 0.28 h, repulsion nearer.
float kernel_cohesion(float q)
{
    float t = (1.0 - q) * q, t3 = t * t * t;
    return q > 0.5 ? t3 : 2.0 * t3 - 1.0 / 64.0;
}
#endif
