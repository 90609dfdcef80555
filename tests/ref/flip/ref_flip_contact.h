/* Reference of the boundary in a cell of the MAC grid on the CPU: the pressure and friction of
 * fluid on it. Needs the cells, faces, changes and masses of a ref_flip, without
 * viscosity. */
#ifndef WEIR_TESTS_REF_FLIP_CONTACT_H
#define WEIR_TESTS_REF_FLIP_CONTACT_H

#include "ref_flip.h"

typedef struct ref_flip_middle {
    double velocity[3]; /* m/s */
    double pressure;    /* p dt / rho, m2/s */
    double rise[3];     /* pressure gradient, m/s */
} ref_flip_middle;

typedef struct ref_contact {
    double area[3]; /* over the volume of the cell, 1/m, pointing into the wall */
    double distance, velocity[3], friction, open;
} ref_contact;

ref_flip_middle ref_flip_find_middle(const ref_flip *f, const int at[3]);
/* Describes the contact with a wall: 0 is the only solid, 1 to 6 are the sides of the domain in the
 * order -x +x -y +y -z +z. Returns false where the cell does not touch it. */
bool ref_flip_contact(const ref_flip *f, const int at[3], int wall, ref_contact *contact);
double ref_flip_wall_pressure(const ref_flip_middle *middle, const ref_contact *contact);
/* Returns whether the lower face of a cell takes friction. */
bool ref_flip_takes_friction(const ref_flip *f, const int at[3], int axis);
/* Computes the change that friction makes to the velocity at the centre of the cell, m/s. */
void ref_flip_rub(const ref_flip *f, const int at[3], double change[3]);
/* ref_flip_force computes the force of pressure and friction from one cell on the only solid, N;
 * ref_flip_place its point of action, m. */
void ref_flip_force(const ref_flip *f, const int at[3], double force[3]);
void ref_flip_place(const ref_flip *f, const int at[3], double place[3]);
/* Returns the reading of a pressure gauge, Pa; position and radius are in m. */
double ref_flip_pressure(const ref_flip *f, const double place[3], double radius);

#endif
