/* bench: weir bench, which measures the cost of each pass. */
#ifndef WEIR_APP_BENCH_H
#define WEIR_APP_BENCH_H

int bench_main(int argc, char **argv);

#endif
