"""Draws pictures with two axes and a legend as SVG, with the standard library only. Used by tools/plot and
tools/plot-bench.
"""
import math
from xml.sax.saxutils import escape

COLOURS = ["#1f5fa8", "#c8501e", "#2e8b57", "#7b4aa0", "#9a7b1a", "#555555"]


class Axis:
    """Maps values from low to high to pixels from a to b, linearly or logarithmically."""

    def __init__(self, low, high, a, b, log=False):
        self.low, self.high, self.a, self.b, self.log = low, high, a, b, log

    def at(self, value):
        low, high = self.low, self.high
        if self.log:
            value, low, high = math.log10(value), math.log10(low), math.log10(high)
        return self.a + (self.b - self.a) * (value - low) / ((high - low) or 1.0)

    def ticks(self, count=6):
        """Returns round numbers from low to high; powers of ten on a logarithmic axis."""
        low, high = self.low, self.high
        if self.log:
            return [10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
                    if low * 0.999 <= 10.0**e <= high * 1.001]
        span = (high - low) or 1.0
        step = 10 ** math.floor(math.log10(span / count))
        step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= count)
        first = math.ceil(low / step - 1e-9)
        return [i * step for i in range(first, int(math.floor(high / step + 1e-9)) + 1)]


def pixels(value):
    return f"{value:.1f}" if isinstance(value, float) else str(value)


class Picture:
    """A drawing between four margins, with a legend in the right one."""

    def __init__(self, width, height, left, right, top, bottom):
        self.width, self.left, self.right = width, left, width - right
        self.height, self.top, self.bottom = height, top, height - bottom
        self.out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                    'font-family="sans-serif" font-size="12">',
                    "<style>.g{stroke:#ddd;fill:none}.f{fill:none;stroke:#444}.m{text-anchor:middle}"
                    ".e{text-anchor:end}.t{font-size:14px;font-weight:bold}</style>",
                    f'<rect width="{width}" height="{height}" fill="#fff"/>']

    def text(self, x, y, words, kind="", more=""):
        """Adds text. `kind`: m centred, e ending at x, t a title."""
        kind = f' class="{kind}"' if kind else ""
        self.out.append(f'<text x="{pixels(x)}" y="{pixels(y)}"{kind}{more}>{escape(words)}</text>')

    def axes(self, x_axis, y_axis, x_name, y_name, title):
        for x in x_axis.ticks():
            self.out.append(f'<path d="M{x_axis.at(x):.1f} {self.top}V{self.bottom}" class="g"/>')
            self.text(x_axis.at(x), self.bottom + 16, f"{x:g}", "m")
        for y in y_axis.ticks():
            self.out.append(f'<path d="M{self.left} {y_axis.at(y):.1f}H{self.right}" class="g"/>')
            self.text(self.left - 6, y_axis.at(y) + 4, f"{y:g}", "e")
        self.out.append(f'<rect x="{self.left}" y="{self.top}" width="{self.right - self.left}" '
                        f'height="{self.bottom - self.top}" class="f"/>')
        self.text((self.left + self.right) / 2, self.height - 10, x_name, "m")
        middle = (self.top + self.bottom) / 2
        self.text(14, middle, y_name, "m", f' transform="rotate(-90 14 {middle})"')
        self.text(self.left, 20, title, "t")

    def path(self, points, colour, dashed=False):
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        self.out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')

    def circle(self, x, y, radius, look):
        self.out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{pixels(radius)}" {look}/>')

    def legend(self, entries):
        """Adds a legend of pairs of a name and its colour."""
        for i, (name, colour) in enumerate(entries):
            y = self.top + 16 + 16 * i
            self.out.append(f'<rect x="{self.right + 12}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
            self.text(self.right + 28, y, name)

    def svg(self):
        return "\n".join(self.out + ["</svg>\n"])


class Chart:
    """Curves and points, with axes fitted to them."""

    def __init__(self, title, x_name, y_name, log_x=False, log_y=False):
        self.title, self.x_name, self.y_name = title, x_name, y_name
        self.log_x, self.log_y = log_x, log_y
        self.series = []  # (name, points, kind)

    def add(self, name, points, kind="line"):
        """Adds a curve. `kind`: line, dash, dots or rings. Points that have no logarithm are omitted."""
        kept = [(float(x), float(y)) for x, y in points
                if (not self.log_x or float(x) > 0) and (not self.log_y or float(y) > 0)]
        if kept:
            self.series.append((name, kept, kind))
        return self

    def _ranges(self):
        xs = [x for _, points, _ in self.series for x, _ in points]
        ys = [y for _, points, _ in self.series for _, y in points]
        x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
        if not self.log_y:
            margin = 0.05 * ((y1 - y0) or 1.0)
            y0, y1 = y0 - margin, y1 + margin
        return x0, x1 if x1 > x0 else x0 + 1, y0, y1 if y1 > y0 else y0 + 1

    def svg(self):
        if not self.series:
            return None
        picture = Picture(800, 380, 66, 236, 34, 48)
        x0, x1, y0, y1 = self._ranges()
        x_axis = Axis(x0, x1, picture.left, picture.right, self.log_x)
        y_axis = Axis(y0, y1, picture.bottom, picture.top, self.log_y)
        picture.axes(x_axis, y_axis, self.x_name, self.y_name, self.title)
        colours = {}
        for name, points, kind in self.series:
            colour = colours.setdefault(name, COLOURS[len(colours) % len(COLOURS)])
            inside = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
            if kind in ("line", "dash"):
                picture.path(inside, colour, kind == "dash")
                continue
            radius, look = (5, f'fill="none" stroke="{colour}"') if kind == "rings" else (3, f'fill="{colour}"')
            for x, y in inside:
                picture.circle(x, y, radius, look)
        picture.legend(colours.items())
        return picture.svg()
