"""The style of Weir's charts: readable fonts, colours that colour-blind readers can tell apart, and SVG files that
differ only if their data do. Used by tools/plot, tools/plot-bench and docs/first-measurement.md.
"""
import matplotlib

matplotlib.use("svg")  # needs no display
from matplotlib import pyplot  # noqa: E402

# Okabe and Ito's palette without its yellow, which is hard to see on white.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]

pyplot.rcParams.update({
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.xmargin": 0.02,
    "figure.constrained_layout.h_pad": 0.1,  # inches
    "figure.constrained_layout.use": True,
    "figure.figsize": (9, 4.2),  # inches
    "font.sans-serif": ["DejaVu Sans", "Arial", "sans-serif"],
    "font.size": 11,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "legend.fontsize": 10,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "weir",  # the ids of SVG elements are random without it
})


def new(title, x, y):
    """Returns the axes of a new chart. The labels of x and y state the unit, as in "Time (s)"."""
    _, axes = pyplot.subplots()
    axes.set(title=title, xlabel=x, ylabel=y)
    return axes


def save(axes, path):
    """Writes the chart as SVG, with its legend to the right of the axes unless it has one."""
    if not axes.get_legend():
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    axes.figure.savefig(path, metadata={"Date": None})
    pyplot.close(axes.figure)
