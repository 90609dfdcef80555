"""Times programs that take turns, so that a machine whose speed changes treats all alike; for tools/compare."""
import resource
import statistics
import time


def quartiles(values):
    """Returns the lower quartile, the median and the upper quartile."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    return tuple(statistics.quantiles(values, n=4, method="inclusive"))


class Times:
    """Wall and processor times of the runs of one program, in the order of the rounds."""

    def __init__(self):
        self.runs = []

    def wall(self):
        return statistics.median(wall for wall, _ in self.runs)

    def summary(self):
        """Returns medians and quartiles for a table; the unit is that of the runs."""
        wall, processor = (quartiles(list(column)) for column in zip(*self.runs))
        return {"ms": wall[1], "ms_quartiles": [wall[0], wall[2]], "processor_ms": processor[1],
                "processor_ms_quartiles": [processor[0], processor[2]]}


def measure(programs, rounds):
    """Calls the functions in turn, forwards in one round and backwards in the next. Each returns a run's wall and
    processor time. Returns their Times by name.
    """
    times = {name: Times() for name in programs}
    for turn in range(rounds):
        for name in list(programs)[::-1 if turn % 2 else 1]:
            times[name].runs.append(tuple(programs[name]()))
    return times


def ratio_words(theirs, mine):
    """Says how many times as fast `mine` is, by the ratios of the runs of the same rounds: (wall, processor) of each."""
    words = []
    for kind, name in enumerate(("by the wall", "by processor time")):
        low, middle, high = quartiles([a[kind] / b[kind] for a, b in zip(theirs, mine)])
        words.append("%.2f times as fast %s (quartiles %.2f to %.2f)" % (middle, name, low, high))
    return ", ".join(words)


def seconds_of(command, run, **options):
    """Runs a program; returns its wall and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    run(command, **options)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
