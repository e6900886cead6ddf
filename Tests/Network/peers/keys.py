"""Runs `statesurf watch` on a terminal of its own, and looks at the terminal on every way out.

Usage: keys.py STATESURF. Prints `ok` and `not ok` lines.
"""

import os
import pty
import resource
import select
import signal
import sys
import termios
import time

COMMAND = sys.argv[1]
FLAGS = termios.ICANON | termios.ECHO


class Watch:
    """A viewer whose terminal is `self.master`."""

    def __init__(self, *arguments, stdin=None, command=(COMMAND, "watch")):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if stdin is not None:
                os.dup2(stdin, 0)
            os.environ["TERM"] = "xterm"
            os.execvp(command[0], [*command, *arguments])
        self.shown = b""

    def mode(self):
        return termios.tcgetattr(self.master)

    def has_keys(self):
        return self.mode()[3] & FLAGS == 0

    def until(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if select.select([self.master], [], [], 0.02)[0]:
                try:
                    self.shown += os.read(self.master, 4096)
                except OSError:
                    # Nobody has it open any more.
                    time.sleep(0.02)
        return condition()

    def type(self, text):
        os.write(self.master, text)

    def ending(self):
        """The wait status, once it has ended; None if it goes on."""
        status = []

        def ended():
            if not status:
                pid, code = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    status.append(code)
            return bool(status)

        if not self.until(ended):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            return None
        return os.waitstatus_to_exitcode(status[0])


def check(name, passed):
    print(f"{'ok' if passed else 'not ok'} {name}", flush=True)


def leaves(name, way, code, *arguments):
    watch = Watch(*arguments)
    before = watch.mode()
    took = watch.until(watch.has_keys)
    way(watch)
    ended = watch.ending()
    after = watch.mode()
    check(f"{name} ends watch", took and ended == code)
    check("and the terminal is as it was", after == before)
    os.close(watch.master)
    return watch


def send(number):
    return lambda watch: os.kill(watch.pid, number)


# With job control, so that a shell notices the stop and resumes it.
STOP_AND_GO = """
"$0" watch
stty -a | grep -o ' -\\?icanon'
fg
"""


def stop_and_go():
    watch = Watch(command=["bash", "-m", "-c", STOP_AND_GO, COMMAND])
    watch.until(watch.has_keys)
    watch.type(b"\x1a")
    check("Ctrl-Z gives the terminal back", watch.until(lambda: b" icanon" in watch.shown))
    check("until it goes on", watch.until(watch.has_keys))
    watch.type(b"q")
    check("and ends by q", watch.ending() == 0 and not watch.has_keys())
    os.close(watch.master)


def main():
    typed = leaves("q", lambda watch: watch.type(b"xyz\rq"), 0)
    check("what was typed is not shown", b"xyz" not in typed.shown)
    leaves("Ctrl-C", lambda watch: watch.type(b"\x03"), -signal.SIGINT)
    leaves("Ctrl-\\", lambda watch: watch.type(b"\x1c"), -signal.SIGQUIT)
    leaves("SIGTERM", send(signal.SIGTERM), -signal.SIGTERM)
    leaves("SIGHUP", send(signal.SIGHUP), -signal.SIGHUP)
    stop_and_go()
    leaves("its time", lambda watch: None, 0, "--for", "1")
    reader, writer = os.pipe()
    os.write(writer, b"q")
    watch = Watch("--for", "1", stdin=reader)
    check("without a terminal for keys it goes on", watch.ending() == 0 and not watch.has_keys())
    check("and leaves its input alone", os.read(reader, 10) == b"q")


main()
