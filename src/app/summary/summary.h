/* weir summary: one HTML file about a run or a measurement. */
#ifndef WEIR_APP_SUMMARY_H
#define WEIR_APP_SUMMARY_H

int summary_main(int argc, char **argv);

#endif
