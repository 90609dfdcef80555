// Eigenvalues and vectors of a symmetric 3x3 matrix by a fixed number of cyclic Jacobi sweeps (Golub and
// Van Loan 8.5): no branch on the data, and no axis is lost where eigenvalues coincide.

// One rotation that makes a[p][q] zero; `v` gathers the rotations.
void eigen_rotate(inout mat3 a, inout mat3 v, int p, int q)
{
    float off = a[p][q];
    float theta = (a[q][q] - a[p][p]) / (2.0 * (off == 0.0 ? 1.0 : off));
    float t = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1.0));
    if (off == 0.0) t = 0.0;
    float c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    mat3 r = mat3(1.0);
    r[p][p] = c;
    r[q][q] = c;
    r[q][p] = s; // column q, row p
    r[p][q] = -s;
    a = transpose(r) * a * r;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    v = v * r;
}

// Columns of `vectors` are unit eigenvectors, in no order.
void eigen_symmetric(mat3 a, uint sweeps, out vec3 values, out mat3 vectors)
{
    vectors = mat3(1.0);
    for (uint k = 0u; k < sweeps; k++) {
        eigen_rotate(a, vectors, 0, 1);
        eigen_rotate(a, vectors, 0, 2);
        eigen_rotate(a, vectors, 1, 2);
    }
    values = vec3(a[0][0], a[1][1], a[2][2]);
}
