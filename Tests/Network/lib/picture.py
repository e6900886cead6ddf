"""Draws what `tmux capture-pane -e -p` prints as an SVG, and reads the text out of one again.

Usage: picture.py draw TITLE <capture >picture.svg
       picture.py read <picture.svg
"""

import re
import sys
import unicodedata
from html import escape, unescape

WIDTH, HEIGHT, SIZE, MARGIN, BAR = 8.4, 18, 14, 14, 34
INK, PAPER = "#d8dee9", "#1d222b"
PALETTE = """#3b4252 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d8dee9
#6b7486 #ef8b93 #b5d99c #f0d399 #8cc6f7 #d9a0e8 #82d0da #ffffff""".split()


class Style:
    """What SGR has set (ECMA-48 §8.3.117)."""

    def __init__(self):
        self.ink, self.bold, self.dim, self.line, self.reverse = None, False, False, False, False

    def set(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (38, 48) and codes[:1] == [5]:
                number = codes[1]
                codes = codes[2:]
                if code == 38:
                    self.ink = PALETTE[number] if number < 16 else INK
            elif code in (1, 22):
                self.bold, self.dim = code == 1, False
            elif code == 2:
                self.dim = True
            elif code in (4, 24):
                self.line = code == 4
            elif code in (7, 27):
                self.reverse = code == 7
            elif 30 <= code <= 37:
                self.ink = PALETTE[code - 30]
            elif 90 <= code <= 97:
                self.ink = PALETTE[code - 82]
            elif code == 39:
                self.ink = None

    def key(self):
        return self.ink or INK, self.bold, self.dim, self.line, self.reverse


def runs(line, style):
    """The parts of a line that look alike: (style, text)."""
    found = []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            style.set(part[2:-1])
        elif part:
            found.append((style.key(), part))
    return found


def columns(text):
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide


def drawn(row, column, look, text):
    ink, bold, dim, line, reverse = look
    x, y, width = MARGIN + column * WIDTH, BAR + row * HEIGHT, columns(text) * WIDTH
    box = ""
    if reverse:
        box = f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{HEIGHT}" fill="{ink}"/>'
        ink = PAPER
    if not text.strip():
        return box
    shape = ' font-weight="bold"' * bold + ' opacity="0.6"' * dim
    shape += ' text-decoration="underline"' * line
    return box + (
        f'<text x="{x:.1f}" y="{y + 13.5}" fill="{ink}" textLength="{width:.1f}"{shape}>'
        f"{escape(text, quote=False)}</text>"
    )


def draw(title, lines):
    width = max(columns(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    across, down = 2 * MARGIN + width * WIDTH, BAR + len(lines) * HEIGHT + MARGIN
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{down}"'
        f' viewBox="0 0 {across:.0f} {down}" role="img" aria-label="{escape(title)}"'
        f' font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace"'
        f' font-size="{SIZE}" xml:space="preserve">'
    )
    print(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>')
    for place, ink in enumerate((PALETTE[1], PALETTE[3], PALETTE[2])):
        print(f'<circle cx="{MARGIN + 6 + 18 * place}" cy="16" r="5.5" fill="{ink}"/>')
    style = Style()
    for row, line in enumerate(lines):
        parts, column = [], 0
        for look, text in runs(line, style):
            parts.append(drawn(row, column, look, text))
            column += columns(text)
        print(f'<g data-row="{row}">{"".join(parts)}</g>')
    print("</svg>")


def read(picture):
    for row in re.findall(r'<g data-row="\d+">(.*?)</g>', picture, re.DOTALL):
        line = ""
        for x, text in re.findall(r'<text x="([\d.]+)"[^>]*>(.*?)</text>', row, re.DOTALL):
            column = round((float(x) - MARGIN) / WIDTH)
            line += " " * (column - columns(line)) + unescape(text)
        print(line.rstrip())


if sys.argv[1:2] == ["draw"] and len(sys.argv) == 3:
    draw(sys.argv[2], sys.stdin.read().rstrip("\n").split("\n"))
elif sys.argv[1:] == ["read"]:
    read(sys.stdin.read())
else:
    sys.exit(__doc__)
