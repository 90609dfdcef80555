"""Line and scatter charts as SVG, by the standard library alone. Used by tools/plot."""
import math
from xml.sax.saxutils import escape

COLOURS = ["#1f5fa8", "#c8501e", "#2e8b57", "#7b4aa0", "#9a7b1a", "#555555"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 800, 380, 66, 236, 34, 48


def ticks(low, high, count=6):
    """Round numbers from low to high."""
    span = (high - low) or 1.0
    step = 10 ** math.floor(math.log10(span / count))
    for factor in (1, 2, 5, 10):
        if span / (step * factor) <= count:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, int(math.floor(high / step + 1e-9)) + 1)]


def decades(low, high):
    return [10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            if low * 0.999 <= 10.0**e <= high * 1.001]


class Chart:
    def __init__(self, title, x_name, y_name, log_x=False, log_y=False):
        self.title, self.x_name, self.y_name = title, x_name, y_name
        self.log_x, self.log_y = log_x, log_y
        self.series = []  # (name, points, kind)
        self.y_range = None

    def add(self, name, points, kind="line"):
        """`kind`: line, dash, dots or rings. Points that a logarithm cannot take are left out."""
        kept = [(float(x), float(y)) for x, y in points
                if (not self.log_x or float(x) > 0) and (not self.log_y or float(y) > 0)]
        if kept:
            self.series.append((name, kept, kind))
        return self

    def _ranges(self):
        xs = [x for _, points, _ in self.series for x, _ in points]
        ys = [y for _, points, _ in self.series for _, y in points]
        x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
        if self.y_range:
            y0, y1 = self.y_range
        elif not self.log_y:
            margin = 0.05 * ((y1 - y0) or 1.0)
            y0, y1 = y0 - margin, y1 + margin
        return x0, x1 if x1 > x0 else x0 + 1, y0, y1 if y1 > y0 else y0 + 1

    def _scales(self):
        x0, x1, y0, y1 = self._ranges()
        wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

        def place(value, low, high, log):
            if log:
                value, low, high = math.log10(value), math.log10(low), math.log10(high)
            return (value - low) / ((high - low) or 1.0)

        return (lambda x: LEFT + wide * place(x, x0, x1, self.log_x),
                lambda y: TOP + tall * (1 - place(y, y0, y1, self.log_y)), (x0, x1, y0, y1))

    def _axes(self, out, sx, sy, ranges):
        x0, x1, y0, y1 = ranges
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for x in decades(x0, x1) if self.log_x else ticks(x0, x1):
            out.append(f'<path d="M{sx(x):.1f} {TOP}V{bottom}" class="g"/>')
            out.append(f'<text x="{sx(x):.1f}" y="{bottom + 16}" class="m">{x:g}</text>')
        for y in decades(y0, y1) if self.log_y else ticks(y0, y1):
            out.append(f'<path d="M{LEFT} {sy(y):.1f}H{right}" class="g"/>')
            out.append(f'<text x="{LEFT - 6}" y="{sy(y) + 4:.1f}" class="e">{y:g}</text>')
        out.append(f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" class="f"/>')
        out.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 10}" class="m">{escape(self.x_name)}</text>')
        middle = (TOP + bottom) / 2
        out.append(f'<text x="14" y="{middle}" class="m" transform="rotate(-90 14 {middle})">'
                   f'{escape(self.y_name)}</text>')
        out.append(f'<text x="{LEFT}" y="20" class="t">{escape(self.title)}</text>')

    def _curve(self, out, points, kind, colour, scales):
        sx, sy, (x0, x1, y0, y1) = scales
        inside = [(sx(x), sy(min(max(y, y0), y1))) for x, y in points]
        if kind == "rings":
            out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="none" stroke="{colour}"/>' for x, y in inside)
            return
        if kind == "dots":
            out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in inside)
            return
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in inside)
        dash = ' stroke-dasharray="6 4"' if kind == "dash" else ""
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')

    def svg(self):
        if not self.series:
            return None
        sx, sy, ranges = self._scales()
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
               'font-family="sans-serif" font-size="12">',
               "<style>.g{stroke:#ddd;fill:none}.f{fill:none;stroke:#444}.m{text-anchor:middle}"
               ".e{text-anchor:end}.t{font-size:14px;font-weight:bold}</style>",
               f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
        self._axes(out, sx, sy, ranges)
        names = []
        for name, points, kind in self.series:
            if name not in names:
                names.append(name)
            colour = COLOURS[names.index(name) % len(COLOURS)]
            self._curve(out, points, kind, colour, (sx, sy, ranges))
        for i, name in enumerate(names):
            y, colour = TOP + 16 + 16 * i, COLOURS[i % len(COLOURS)]
            out.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
            out.append(f'<text x="{WIDTH - RIGHT + 28}" y="{y}">{escape(name)}</text>')
        out.append("</svg>\n")
        return "\n".join(out)
