"""Compares relays on loopback: one producer, four consumers, a paced stream of messages. The runs are
interleaved, so that whatever else this machine does falls on all alike. A benchmark: it asserts
nothing about time, and fails only if messages are lost.

    relay.py BIN [--rate N] [--seconds N] [--size BYTES] [--rounds N]

    socketio-ours      our gateway as a Socket.IO relay
    socketio-python    python-socketio with aiohttp (Tests/Network/peers/cluster_relay.py)
    ws-node            the least relay on Node's ws (relay.js)

Each line: what was delivered to each consumer a second, from the first message to the last; lost, over
all consumers; processor time and peak memory of the relay's process.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CONSUMERS = 4
NODE = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}


class Process:
    """One program, ended with the block; what it says goes to a file."""

    def __init__(self, *command, environment=None):
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.STDOUT, env=environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()

    def said(self):
        self.output.seek(0)
        return self.output.read()

    async def says(self, word):
        """The word behind that one, once it is said."""
        for _ in range(200):
            if len(parts := self.said().split(word + " ", 1)) > 1 and parts[1].split():
                return parts[1].split()[0]
            await asyncio.sleep(0.05)
        raise RuntimeError(f"never {word}: {self.said()}")

    def seconds(self):
        """Processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        """The most memory that it ever had."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        return 0


@contextlib.asynccontextmanager
async def gateway(options):
    """Ours, with the port on which it listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {**os.environ, "STATESURF_PORT": str(options.port), "STATESURF_INTERFACE": "lo"}
    command = options.bin / "statesurf", "gateway", "--listen", f"127.0.0.1:{port}"
    with Process(*command, environment=environment) as process:
        await process.says("serving")
        yield process, port


class Link:
    """A WebSocket that only counts what it is sent, by the bytes: a whole client for each of tens of
    thousands of messages a second would be what is measured. It answers no pings, so runs are
    short."""

    MARK = b'"ACTION"'
    """Once in every message that counts."""

    def __init__(self):
        self.count = 0
        self.last = 0.0
        self.reader = self.writer = None

    async def open(self, port, path):
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", port, limit=1 << 20)
        self.writer.write((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise RuntimeError(head.decode())

    @staticmethod
    def frame(text):
        """A client's text frame; a mask of zeros changes nothing."""
        size = len(text.encode())
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        return b"\x81" + length + bytes(4) + text.encode()

    async def say(self, text):
        self.writer.write(self.frame(text))
        await self.writer.drain()

    async def hear(self, words):
        await asyncio.wait_for(self.reader.readuntil(words.encode()), 10)

    async def read(self):
        rest = b""
        while chunk := await self.reader.read(1 << 20):
            found = (rest + chunk).count(self.MARK)
            # Shorter than the mark, so that none is counted twice.
            rest = chunk[-6:] if len(chunk) >= 6 else (rest + chunk)[-6:]
            if found:
                self.count += found
                self.last = time.perf_counter()

    def close(self):
        if self.writer:
            self.writer.close()


@contextlib.asynccontextmanager
async def links(count, port, path):
    """So many, opened."""
    opened = [Link() for _ in range(count)]
    try:
        for link in opened:
            await link.open(port, path)
        yield opened
    finally:
        for link in opened:
            link.close()


async def settle(counters, expected):
    """Waits until all is there, or nothing more has come for three seconds."""
    while any(counter.count < expected for counter in counters):
        if time.perf_counter() - max(counter.last for counter in counters) > 3:
            return
        await asyncio.sleep(0.05)


async def pace(rate, count, send):
    """Calls `send` so often, in bursts of 5 ms."""
    start = time.perf_counter()
    sent = 0
    while sent < count:
        due = min(count, int((time.perf_counter() - start) * rate) + 1)
        while sent < due:
            await send()
            sent += 1
        await asyncio.sleep(0.005)


def row(name, process, before, counters, expected, start):
    last = max(counter.last for counter in counters)
    seconds = max(last - start, 1e-9)
    delivered = sum(counter.count for counter in counters)
    return {
        "relay": name, "perSecond": round(delivered / len(counters) / seconds),
        "lost": expected * len(counters) - delivered,
        "cpuSeconds": round(process.seconds() - before, 2),
        "cpuSecondsPerMillion": round((process.seconds() - before) / max(delivered, 1) * 1e6, 1),
        "peakMB": round(process.megabytes(), 1)}


async def measure(name, process, opened, text, options):
    """The first is the producer, the others are consumers; all are connected already."""
    producer, consumers = opened[0], opened[1:]
    readers = [asyncio.create_task(link.read()) for link in opened]
    frame = Link.frame(text)
    count = options.rate * options.seconds

    async def send():
        producer.writer.write(frame)
        await producer.writer.drain()

    before, start = process.seconds(), time.perf_counter()
    for link in consumers:
        link.last = start
    await pace(options.rate, count, send)
    await settle(consumers, count)
    result = row(name, process, before, consumers, count, start)
    for task in readers:
        task.cancel()
    return result


def action(options):
    return {"type": "ACTION", "action": "x" * options.size, "instanceId": "1"}


async def socket_io(name, process, port, options):
    path = "/socket.io/?EIO=4&transport=websocket"
    async with links(CONSUMERS + 1, port, path) as opened:
        for link in opened:
            # The handshake, and then into the main namespace.
            await link.hear('"sid"')
            await link.say("40")
            await link.hear('40{"sid"')
        text = "42" + json.dumps(["log", action(options)], separators=(",", ":"))
        return await measure(name, process, opened, text, options)


async def run_gateway_socket_io(options):
    async with gateway(options) as (process, port):
        return await socket_io("socketio-ours", process, port, options)


async def run_python_socket_io(options):
    file = HERE.parent / "peers" / "cluster_relay.py"
    with Process(sys.executable, file, "--skip-sender") as process:
        port = int(await process.says("listening"))
        return await socket_io("socketio-python", process, port, options)


async def run_node(options):
    with Process("node", HERE / "relay.js", environment=NODE) as process:
        port = int(await process.says("listening"))
        async with links(CONSUMERS + 1, port, "/") as opened:
            text = json.dumps(action(options), separators=(",", ":"))
            return await measure("ws-node", process, opened, text, options)


def lacks_node():
    """Why Node's relay cannot be measured; nothing if it can."""
    try:
        subprocess.run(
            ["node", "-e", "require('ws')"], env=NODE, check=True, capture_output=True)
    except FileNotFoundError:
        return "there is no node"
    except subprocess.CalledProcessError:
        return "there is no ws for node: apt-get install node-ws"
    return None


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path, help=".build/release")
    parser.add_argument("--rate", type=int, default=1_000, help="messages a second")
    parser.add_argument("--seconds", type=int, default=5, choices=range(1, 11))
    parser.add_argument("--size", type=int, default=200, help="octets of a message or a state")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--port", type=int, default=20_000 + os.getpid() % 6_000 * 2)
    parser.add_argument("--only", action="append", help="names of relays; all if none is given")
    options = parser.parse_args()
    runs = {
        "socketio-ours": run_gateway_socket_io, "socketio-python": run_python_socket_io,
        "ws-node": run_node}
    if options.only:
        runs = {name: run for name, run in runs.items() if name in options.only}
    if "ws-node" in runs and (reason := lacks_node()):
        print("skip ws-node:", reason)
        del runs["ws-node"]
    lost = 0
    for _ in range(options.rounds):
        for run in runs.values():
            result = await run(options)
            lost += result["lost"]
            print(*(f"{key}={value}" for key, value in result.items()), flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
