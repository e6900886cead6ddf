"""Draws what `tmux capture-pane -e -p` prints as an SVG, and reads the text out of one again.

Usage: picture.py draw TITLE <captures >picture.svg
       picture.py still NUMBER <picture.svg >still.svg
       picture.py read <still.svg
       picture.py look still.svg FONT <picture.png

Several captures make a moving picture. A line that begins with a form feed precedes each of them,
and says which keys led there. Where nothing moves, its last one is seen. `still` takes one out of
it, counted from 1; of a picture that does not move, the whole.

`look` takes what a browser has made of a picture in that font, and compares the cells that have ink
with those that have a glyph.
"""

import re
import struct
import sys
import unicodedata
import zlib
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
    """A rectangle behind reversed cells, and each run of glyphs with the place of each of them.

    A browser collapses spaces, and another font is wider or narrower: a glyph is where its cell is
    only if the picture says so, by a list of x.
    """
    ink, bold, dim, line, reverse = look
    y, fade = BAR + row * HEIGHT, ' opacity="0.6"' * dim
    shape = ' font-weight="bold"' * bold + ' text-decoration="underline"' * line
    box = ""
    if reverse:
        box = (
            f'<rect x="{left(column)}" y="{y}" width="{columns(text) * WIDTH:.1f}"'
            f' height="{HEIGHT}" fill="{ink}" shape-rendering="crispEdges"/>'
        )
        ink, fade = PAPER, ""
    words = re.finditer(r"\S+", text)
    return box + "".join(
        f'<text x="{places(column + columns(text[: word.start()]), word[0])}" y="{y + 13.5}"'
        f' fill="{ink}"{fade}{shape}>{escape(word[0], quote=False)}</text>'
        for word in words
    )


def left(column):
    return f"{MARGIN + column * WIDTH:.1f}"


def places(column, word):
    return " ".join(left(column + columns(word[:index])) for index in range(len(word)))


def rows(lines):
    """Each line of a capture as a group."""
    style = Style()
    for row, line in enumerate(lines):
        parts, column = [], 0
        for look, text in runs(line, style):
            parts.append(drawn(row, column, look, text))
            column += columns(text)
        yield f'<g data-row="{row}">{"".join(parts)}</g>'


def draw(title, text):
    frames = [part.split("\n") for part in text.rstrip("\n").split("\f")]
    captions = [""]
    if len(frames) > 1:
        frames = frames[1:]
        captions = [frame.pop(0) for frame in frames]
        frames = [without_end(frame) for frame in frames]
    width = max(
        columns(re.sub(r"\x1b\[[0-9;]*m", "", line)) for frame in frames for line in frame)
    height = max(len(frame) for frame in frames)
    across, down = 2 * MARGIN + width * WIDTH, BAR + height * HEIGHT + MARGIN
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{down}"'
        f' viewBox="0 0 {across:.0f} {down}" role="img" aria-label="{escape(title)}"'
        f' font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace"'
        f' font-size="{SIZE}">'
    )
    print(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>')
    for place, ink in enumerate((PALETTE[1], PALETTE[3], PALETTE[2])):
        print(f'<circle cx="{MARGIN + 6 + 18 * place}" cy="16" r="5.5" fill="{ink}"/>')
    drawings = [list(rows(frame)) for frame in frames]
    if len(frames) == 1:
        print("\n".join(drawings[0]))
    else:
        film(drawings, captions, across)
    print("</svg>")


def without_end(lines):
    while lines and not lines[-1]:
        lines.pop()
    return lines


def film(drawings, captions, across):
    """What all frames have in common is drawn once. A frame takes two seconds, the last one six."""
    count = len(drawings)
    shared = [row for row in drawings[-1] if all(row in drawing for drawing in drawings)]
    part, hold = 100 / (count + 2), 300 / (count + 2)
    print(
        "<style>g[data-frame]{visibility:hidden}"
        f'g[data-frame="{count}"]{{visibility:visible}}'
        "@media (prefers-reduced-motion:no-preference){g[data-frame]"
        f"{{animation:{2 * (count + 2)}s step-end infinite frame}}"
        f'g[data-frame="{count}"]{{animation-name:last}}}}'
        f"@keyframes frame{{0%{{visibility:visible}}{part:.3f}%,to{{visibility:hidden}}}}"
        f"@keyframes last{{0%{{visibility:visible}}{hold:.3f}%,to{{visibility:hidden}}}}</style>"
    )
    print("\n".join(shared))
    for number, (drawing, caption) in enumerate(zip(drawings, captions)):
        own = "\n".join(row for row in drawing if row not in shared)
        # It begins when all before it are over. Until then it is where it would be in the last turn.
        delay = 2 * (number - count - 2) if number else 0
        print(
            f'<g data-frame="{number + 1}" style="animation-delay:{delay}s">'
            f'<text x="{across - MARGIN:.0f}" y="21" text-anchor="end" fill="{INK}">'
            f"{escape(caption, quote=False)}</text>\n{own}\n</g>"
        )


def still(number, picture):
    frames = re.compile(r'<g data-frame="(\d+)"[^>]*>\n?(.*?\n)</g>\n', re.DOTALL)
    picture = re.sub(r"<style>.*?</style>\n", "", picture, flags=re.DOTALL)
    print(frames.sub(lambda frame: frame[2] if frame[1] == number else "", picture), end="")


def texts(picture):
    """(row, [(column, text)]) of each row."""
    for number, row in re.findall(r'<g data-row="(\d+)">(.*?)</g>', picture, re.DOTALL):
        found = re.findall(r'<text x="([\d.]+)[^>]*>(.*?)</text>', row, re.DOTALL)
        yield int(number), [(round((float(x) - MARGIN) / WIDTH), unescape(text)) for x, text in found]


def read(picture):
    for _, words in sorted(texts(picture)):
        line = ""
        for column, text in words:
            line += " " * (column - columns(line)) + text
        print(line.rstrip())


def pixels(png):
    """The rows of pixels of a PNG with eight bits a channel (PNG filters of type 0 to 4)."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6), "not the PNG of a browser"
    size, data, place = {2: 3, 6: 4}[kind], b"", 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + length]
        place += length + 12
    data, above, lines = zlib.decompress(data), bytearray(width * size), []
    for row in range(height):
        start = row * (width * size + 1)
        line = bytearray(data[start + 1 : start + 1 + width * size])
        for index in range(len(line)):
            west = line[index - size] if index >= size else 0
            north, corner = above[index], above[index - size] if index >= size else 0
            line[index] = (line[index] + guess(data[start], west, north, corner)) & 255
        lines.append([tuple(line[at : at + 3]) for at in range(0, len(line), size)])
        above = line
    return lines


def guess(filter, west, north, corner):
    if filter == 4:  # Paeth: whichever is nearest to the gradient
        gradient = west + north - corner
        return min((west, north, corner), key=lambda value: abs(gradient - value))
    return (0, west, north, (west + north) // 2)[filter]


def look(picture, font, png):
    """Ends with 1 unless the cells that have ink are those with a glyph."""
    wanted = {}
    for row, words in texts(picture):
        for column, text in words:
            for index, glyph in enumerate(text):
                place = column + columns(text[:index])
                for cell in range(place, place + columns(glyph)):
                    wanted[row, cell] = glyph
    image, faults = pixels(png), []
    across = round((len(image[0]) - 2 * MARGIN) / WIDTH)
    for row in range((len(image) - BAR - MARGIN) // HEIGHT):
        for column in range(across):
            glyph, inked = wanted.get((row, column)), has_ink(image, row, column)
            # A symbol that the font lacks comes from another one, and may be wider than its cell.
            spills = any(not wanted.get((row, column + at), " ").isascii() for at in (-1, 1))
            if inked != (glyph is not None) and (glyph or not spills):
                said = f"{glyph!r} is not there" if glyph else "ink where no glyph is"
                faults.append(f"{font}: row {row}, column {column}: {said}")
    print(f"{font}: {len(wanted)} glyphs, {len(faults)} faults", *faults[:10], sep="\n")
    sys.exit(1 if faults or not wanted else 0)


def has_ink(image, row, column):
    """Whether something is drawn in the middle of a cell: glyphs touch the edges of others."""
    x, y = MARGIN + column * WIDTH, BAR + row * HEIGHT
    middle = [
        image[line][place]
        for line in range(y + 1, y + HEIGHT - 1)
        for place in range(round(x + 1.5), round(x + WIDTH - 1.5))
    ]
    ground = max(set(middle), key=middle.count)
    return any(sum(abs(a - b) for a, b in zip(pixel, ground)) > 90 for pixel in middle)


if sys.argv[1:2] == ["draw"] and len(sys.argv) == 3:
    draw(sys.argv[2], sys.stdin.read())
elif sys.argv[1:2] == ["still"] and len(sys.argv) == 3:
    still(sys.argv[2], sys.stdin.read())
elif sys.argv[1:] == ["read"]:
    read(sys.stdin.read())
elif sys.argv[1:2] == ["look"] and len(sys.argv) == 4:
    with open(sys.argv[2]) as file:
        look(file.read(), sys.argv[3], sys.stdin.buffer.read())
else:
    sys.exit(__doc__)
