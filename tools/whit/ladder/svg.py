# SPDX-License-Identifier: MIT
"""A ladder as a picture. The same ladder gives the same octets."""

from xml.etree import ElementTree

from whit.ladder.scale import Fold, Scale, scale_of
from whit.ladder.steps import Ladder, Step
from whit.ladder.words import (
    STRATEGIES,
    colour_of,
    ending,
    event_words,
    milliseconds,
    number,
    several,
    step_words,
    strategies_in,
)

WIDTH = 1040
TIME_X, LEFT_X, RIGHT_X = 64, 336, 664
LEFT_WORDS_LEN, RIGHT_WORDS_LEN = 41, 46  # letters that have room
HELD_LEN = 64  # px of the most that is held
TOP, BOTTOM = 34, 28  # px of the life lines before the first step and after the last one
LETTER, WORDS_SEP = 6.3, 11.0  # px: of a letter, about; between two lines of words at least
LOST_SHARE = 0.62  # of its way
COLOURS = {"S0": "#1f5fa8", "S1": "#d1701c", "S2": "#3d8b4f", "S3": "#8a4fa0", "S4": "#0f8b8d", "": "#3a3a3a"}
CONNECTIONS = ("#222222", "#c2185b", "#00838f", "#7a8b00", "#6d4c41", "#5e35b1")
INK, SOFT, FAINT, GRID = "#222222", "#666666", "#a8a8a8", "#efefef"
ALARM, TIMER, HELD = "#c62828", "#a06000", "#f3c98b"
STYLE = f"""
.ladder-svg text {{ font-family: "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; font-size: 11px; fill: {INK};
 paint-order: stroke; stroke: #ffffff; stroke-width: 3px }}
.ladder-svg .title {{ font-size: 16px; font-weight: bold }}
.ladder-svg .name {{ font-size: 13px; font-weight: bold; stroke: none }}
.ladder-svg .soft {{ fill: {SOFT} }}
.ladder-svg .time {{ fill: {SOFT}; font-size: 10px }}
.ladder-svg .timer {{ fill: {TIMER}; font-style: italic }}
.ladder-svg .held {{ font-size: 10px; stroke: none }}
.ladder-svg .ack {{ fill: {SOFT}; font-size: 10px }}
.ladder-svg .alarm {{ fill: {ALARM} }}
.ladder-svg .fold {{ fill: {SOFT}; font-size: 10px; stroke-width: 4px }}
.ladder-svg line, .ladder-svg path {{ fill: none }}
"""  # its own class names: a page may hold several pictures


def svg(ladder: Ladder) -> str:
    """Returns a complete SVG element, also valid within HTML."""
    return _Picture(ladder).text()


class _Picture:
    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.scale: Scale = scale_of(ladder)
        self.numbered = several(ladder)
        self.held_most = max((octets for _, octets in ladder.held), default=0)
        self.words_x = RIGHT_X + 12 + (HELD_LEN + 4 if self.held_most else 0)
        self.root = ElementTree.Element(
            "svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "ladder-svg", "role": "img"}
        )
        ElementTree.SubElement(self.root, "title").text = ladder.title
        ElementTree.SubElement(self.root, "style").text = STYLE
        self.paper = self.add("rect", x=0, y=0, width=WIDTH, height=0, fill="#ffffff")
        self.top = self.legend(68) + 52.0
        self.height = self.top + TOP + self.scale.height + BOTTOM

    def text(self) -> str:
        self.grid()
        self.held()
        self.lines()
        for index in range(len(self.ladder.steps)):
            self.step(index)
        self.events()
        for fold in self.scale.folds:
            self.fold(fold)
        self.words()
        height = f"{self.height + 16:.0f}"
        self.paper.set("height", height)
        self.root.attrib |= {"viewBox": f"0 0 {WIDTH} {height}", "width": str(WIDTH), "height": height}
        ElementTree.indent(self.root, " ")
        return ElementTree.tostring(self.root, encoding="unicode") + "\n"

    # ---------------------------------------------------------------- elements

    def add(self, name: str, **attributes: str | float) -> ElementTree.Element:
        """Numbers are px; _ in a name stands for -."""
        named = {
            key.rstrip("_").replace("_", "-"): value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
            for key, value in attributes.items()
        }
        return ElementTree.SubElement(self.root, name, named)

    def write(self, x: float, y: float, words: str, class_: str = "", anchor: str = "start", **more: str) -> None:
        named = {"class": class_} if class_ else {}
        element = self.add("text", x=x, y=y, text_anchor=anchor, **named, **more)
        element.text = words

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, width: float, dash: str = "") -> None:
        dashed = {"stroke_dasharray": dash} if dash else {}
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, **dashed)

    def cross(self, x: float, y: float) -> None:
        for sign in (-5, 5):
            self.line(x - 5, y - sign, x + 5, y + sign, ALARM, 2)

    def clock(self, x: float, y: float) -> None:
        self.add("circle", cx=x, cy=y, r=5, fill="#fff8e6", stroke=TIMER, stroke_width=1.3)
        self.add("path", d=f"M{x:.1f},{y - 3:.1f} V{y:.1f} H{x + 2.5:.1f}", stroke=TIMER, stroke_width=1.2)

    # ---------------------------------------------------------------- parts

    def y(self, place: float) -> float:
        return self.top + TOP + place

    def legend(self, y: float) -> float:
        """Draws the title, the summary and the legend. Returns its lower edge."""
        self.write(24, 30, self.ladder.title, "title")
        self.write(24, 48, ending(self.ladder), "soft")
        steps = self.ladder.steps
        samples = [(STRATEGIES[name], COLOURS[name], 2.4, "") for name in strategies_in(self.ladder)]
        if any(step.kind == "data" and not colour_of(step.strategy) for step in steps):
            samples.append(("data", COLOURS[""], 2.4, ""))
        if any(step.kind == "ack" for step in steps):
            samples.append(("acknowledgment", FAINT, 1.0, ""))
        if any(step.again for step in steps):
            samples.append(("sent again", INK, 1.8, "6 4"))
        x = 24.0
        for words, colour, width, dash in samples:
            x, y = self._wrap(x, y, words)
            self.line(x, y - 4, x + 26, y - 4, colour, width, dash)
            self.write(x + 32, y, words, "soft")
            x += 54 + LETTER * len(words)
        signs = [("lost", "lost")] if any(step.end_us is None for step in steps) else []
        signs += [("timer", "timer or counter")] if self.ladder.events else []
        signs += [("held", f"memory held, at most {number(self.held_most)} B")] if self.held_most else []
        signs += [("fold", "time left out")] if self.scale.folds else []
        for sign, words in signs:
            x, y = self._wrap(x, y, words)
            self._sign(sign, x + 13, y - 4)
            self.write(x + 32, y, words, "soft")
            x += 54 + LETTER * len(words)
        return y

    def _wrap(self, x: float, y: float, words: str) -> tuple[float, float]:
        return (24.0, y + 18) if x + 32 + LETTER * len(words) > WIDTH - 16 else (x, y)

    def _sign(self, sign: str, x: float, y: float) -> None:
        if sign == "lost":
            self.cross(x, y)
        elif sign == "timer":
            self.clock(x, y)
        elif sign == "held":
            self.add("rect", x=x - 13, y=y - 5, width=26, height=10, fill=HELD)
        else:
            self._break(x, y)

    def _break(self, x: float, y: float) -> None:
        """A life line that is cut."""
        for shift in (-3, 3):
            self.add("path", d=f"M{x - 7:.1f},{y + shift + 2:.1f} l14,-4", stroke=SOFT, stroke_width=1.2)

    def grid(self) -> None:
        """A time for each row that has room for it."""
        self.write(TIME_X, self.top - 14, "ms", "time", "end")
        rows = sorted({*zip(self.scale.begins, (step.begin_us for step in self.ladder.steps), strict=True)})
        last, said = -100.0, ""
        for place, time_us in rows:
            if place - last >= WORDS_SEP:
                y, last = self.y(place), place
                self.line(TIME_X + 6, y, WIDTH - 16, y, GRID, 1)
                said, before = milliseconds(time_us), said
                if said != before:
                    self.write(TIME_X, y + 3.5, said, "time", "end")

    def lines(self) -> None:
        for x, name in ((LEFT_X, self.ladder.left), (RIGHT_X, self.ladder.right)):
            width = 28 + 8 * len(name)
            self.line(x, self.top, x, self.height, INK, 1.6)
            self.add("rect", x=x - width / 2, y=self.top - 28, width=width, height=26, rx=5, fill="#f4f6f8", stroke=INK)
            self.write(x, self.top - 10.5, name, "name", "middle")

    def held(self) -> None:
        """Draws the memory that the server holds, as a bar along its line."""
        if not self.held_most:
            return
        path, last_x = "", RIGHT_X + 1.0
        for time_us, octets in self.ladder.held:
            x, y = RIGHT_X + 1 + HELD_LEN * octets / self.held_most, self.y(self.scale.at(time_us))
            path += f"M{last_x:.1f},{y:.1f} " if not path else f"V{y:.1f} "
            path += f"H{x:.1f} "
            last_x = x
        path += f"V{self.y(self.scale.height):.1f} H{RIGHT_X + 1} Z"
        self.add("path", d=path, style=f"fill: {HELD}; fill-opacity: 0.75")
        self.held_words()

    def held_words(self) -> None:
        """Writes the size of the held memory where the bar is long enough for it."""
        places = [self.scale.at(time_us) for time_us, _ in self.ladder.held]
        for (_, octets), place, end in zip(self.ladder.held, places, [*places[1:], self.scale.height], strict=True):
            if octets and end - place >= WORDS_SEP:
                self.write(RIGHT_X + 5, self.y(place) + 9.5, f"{number(octets)} B", "held")

    def step(self, index: int) -> None:
        step = self.ladder.steps[index]
        from_x, to_x = map(float, (LEFT_X, RIGHT_X) if step.left_to_right else (RIGHT_X, LEFT_X))
        from_y, to_y = self.y(self.scale.begins[index]), self.y(self.scale.ends[index])
        colour, width = _stroke(step)
        if step.end_us is None:
            to_x, to_y = from_x + (to_x - from_x) * LOST_SHARE, from_y + (to_y - from_y) * LOST_SHARE
        self.line(from_x, from_y, to_x, to_y, colour, width, "7 4" if step.again else "")
        if step.end_us is None:
            self.cross(to_x, to_y)
        else:
            self.tip(from_x, from_y, to_x, to_y, colour, 5 if step.kind == "ack" else 8)
        if self.numbered and step.connection:
            fill = CONNECTIONS[(step.connection - 1) % len(CONNECTIONS)]
            self.add("circle", cx=from_x, cy=from_y, r=3, fill=fill)

    def tip(self, from_x: float, from_y: float, x: float, y: float, colour: str, length: float) -> None:
        """An arrow's head, turned as its shaft is."""
        way = ((x - from_x) ** 2 + (y - from_y) ** 2) ** 0.5
        along_x, along_y = (x - from_x) / way * length, (y - from_y) / way * length
        half_x, half_y = -along_y * 0.4, along_x * 0.4
        corners = f"M{x:.1f},{y:.1f} L{x - along_x + half_x:.1f},{y - along_y + half_y:.1f} "
        corners += f"L{x - along_x - half_x:.1f},{y - along_y - half_y:.1f} Z"
        self.add("path", d=corners, style=f"fill: {colour}")

    def events(self) -> None:
        for event, place in zip(self.ladder.events, self.scale.events, strict=True):
            self.clock(LEFT_X if event.on_left else RIGHT_X, self.y(place))

    def fold(self, fold: Fold) -> None:
        y = self.y((fold.from_y + fold.to_y) / 2)
        for x in (LEFT_X, RIGHT_X):
            self.add("rect", x=x - 4, y=y - 3, width=8, height=6, fill="#ffffff")
            self._break(x, y)
        self.write((LEFT_X + RIGHT_X) / 2, y + 3.5, f"{milliseconds(fold.time_us)} ms", "fold", "middle")

    def words(self) -> None:
        """Writes the words beside the start of each step; for an acknowledgment only where they fit."""
        rows: list[tuple[float, int, bool, str, str]] = []
        for event, place in zip(self.ladder.events, self.scale.events, strict=True):
            rows.append((place, 0, event.on_left, event_words(event, numbered=self.numbered), "timer"))
        for step, place in zip(self.ladder.steps, self.scale.begins, strict=True):
            class_ = "alarm" if step.kind == "reset" or step.end_us is None else "ack" if step.kind == "ack" else ""
            rank = 1 if class_ == "ack" else 0
            rows.append((place, rank, step.left_to_right, step_words(step, numbered=self.numbered), class_))
        taken: dict[bool, list[float]] = {False: [], True: []}
        for place, rank, on_left, words, class_ in sorted(rows, key=lambda row: row[1]):
            if rank and any(abs(place - other) < WORDS_SEP for other in taken[on_left]):
                continue
            taken[on_left].append(place)
            most = LEFT_WORDS_LEN if on_left else RIGHT_WORDS_LEN
            words = words if len(words) <= most else f"{words[: most - 1]}…"
            x = LEFT_X - 12 if on_left else self.words_x
            self.write(x, self.y(place) + 3.5, words, class_, "end" if on_left else "start")


def _stroke(step: Step) -> tuple[str, float]:
    if step.kind == "reset":
        return ALARM, 1.8
    if step.kind == "ack":
        return FAINT, 1.0
    if step.kind == "data":
        return COLOURS[colour_of(step.strategy)], 2.2
    return (INK, 1.8) if step.kind == "request" else (SOFT, 1.2)
