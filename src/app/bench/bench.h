/* bench: weir bench, what each pass costs. */
#ifndef WEIR_APP_BENCH_H
#define WEIR_APP_BENCH_H

int bench_main(int argc, char **argv);

#endif
