/* The walls in a cell of the MAC grid on the CPU: how the fluid presses and rubs on them. Needs the
 * cells, faces and changes of a ref_flip, without viscosity. */
#ifndef WEIR_TESTS_REF_FLIP_CONTACT_H
#define WEIR_TESTS_REF_FLIP_CONTACT_H

#include "ref_flip.h"

typedef struct ref_flip_middle {
    double velocity[3]; /* m/s */
    double pressure;    /* p dt / rho, m2/s */
    double rise[3];     /* its gradient, m/s */
} ref_flip_middle;

typedef struct ref_contact {
    double area[3]; /* over the cell's volume, 1/m, into the wall */
    double distance, velocity[3], friction, room;
} ref_contact;

ref_flip_middle ref_flip_find_middle(const ref_flip *f, const int at[3]);
/* Wall 0: the only solid; 1 to 6: sides of the domain, -x +x -y +y -z +z. False without one. */
bool ref_flip_contact(const ref_flip *f, const int at[3], int wall, ref_contact *contact);
double ref_flip_wall_pressure(const ref_flip_middle *middle, const ref_contact *contact);
/* What friction changes of the velocity in the middle of the cell, m/s. */
void ref_flip_rub(const ref_flip *f, const int at[3], double change[3]);
/* N on the only solid, by pressure and friction, from one cell, and where it acts, m. */
void ref_flip_force(const ref_flip *f, const int at[3], double force[3]);
void ref_flip_place(const ref_flip *f, const int at[3], double place[3]);
/* Pa, of a gauge at a place in m with a radius in m. */
double ref_flip_pressure(const ref_flip *f, const double place[3], double radius);

#endif
