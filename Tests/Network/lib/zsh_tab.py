"""Types words and a TAB into zsh on a terminal, and prints what zsh then shows.

Usage: zsh_tab.py FOLDER LINE, where FOLDER holds the completions."""

import os
import pty
import select
import sys
import time

folder, line = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", PS1="> ")
    os.execvp("zsh", ["zsh", "-f", "-i"])

heard = b""


def until(found, seconds):
    """Reads until `found` says so, or for this long."""
    global heard
    end = time.monotonic() + seconds
    while not found(heard) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                heard += os.read(terminal, 4096)
            except OSError:
                return


setup = [
    "unsetopt zle_bracketed_paste",
    f"fpath=({folder} $fpath)",
    "autoload -Uz compinit && compinit -u -D",
    "echo rea''dy",
]
os.write(terminal, "\n".join(setup).encode() + b"\n")
until(lambda text: b"ready\r\n" in text, 30)
heard = b""
os.write(terminal, line.encode() + b"\t")
# A completion ends the word with a space, or shows several below the line.
until(lambda text: line.encode() in text and len(text.split(line.encode())[-1].strip()) > 0, 20)
until(lambda text: False, 0.5)
sys.stdout.write(heard.decode(errors="replace") + "\n")
os.close(terminal)
