#include "validate.h"
#define S(n)                   \
    weir_result n(validate *v) \
    {                          \
        (void)v;               \
        return WEIR_OK;        \
    }
S(validate_ellipse)
S(validate_standing_wave)
S(validate_shear)
S(validate_dam) S(validate_ritter) S(validate_spheric) S(validate_clustering) S(validate_vorticity)
    S(validate_convergence)
