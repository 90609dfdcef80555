/* run: weir run, which simulates a scene and writes its frames. */
#ifndef WEIR_APP_RUN_H
#define WEIR_APP_RUN_H

int run_main(int argc, char **argv);

#endif
