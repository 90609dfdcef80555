/* validate: weir validate, which compares the physics with theory and experiment. */
#ifndef WEIR_APP_VALIDATE_H
#define WEIR_APP_VALIDATE_H

int validate_main(int argc, char **argv);

#endif
