"""Who wants to bring a live `statesurf gateway` down, by what he promises or by what he does not read;
the demo Todo is behind it.

    gateway_attack.py SCENARIO PORT PID ARGUMENT…      exit code 0, or a traceback and 1

PID is the gateway's, whose memory is looked at.
"""

import asyncio
import os
import socket
import sys
import time

import websockets

from gateway_check import Session
from socketcluster import PATIENCE

MIB = 1 << 20
CROWD = 100  # within the streams that a gateway has
ROUNDS = 6  # a burst is put into one frame, of 8 MiB at most: only several would pile up
HANDSHAKE = '{"event":"#handshake","data":{"authToken":null},"cid":1}'


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def field(pid, name):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(name))


def claimed(pid):
    """What it may write to, whether it has or not."""
    return field(pid, "VmData")


def peak(pid):
    return field(pid, "VmHWM")


async def dial(port, text):
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    writer.write(text.encode())
    await writer.drain()
    return reader, writer


async def status(reader):
    return int((await asyncio.wait_for(reader.readline(), PATIENCE)).split()[1])


async def totals(port, pid):
    """Bodies and messages that are promised, and do not come."""
    before = claimed(pid)
    own = f"Host: 127.0.0.1:{port}"
    post = "POST /socket.io/?EIO=4&transport=polling HTTP/1.1\r\n{}\r\n{}\r\n\r\n"
    open_ones = []
    for host, framing, wanted in [
        # A stranger has his answer for the head alone.
        ("Host: evil.example", "Content-Length: 1000000", 403),
        ("Host: evil.example", "Content-Length: 99999999999999999999", 403),
        ("Host: evil.example", "Transfer-Encoding: chunked", 403),
        (own, "Content-Length: 99999999999999999999", 413),
        (own, "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff", 413),
    ]:
        for _ in range(CROWD // 5):
            reader, writer = await dial(port, post.format(host, framing))
            assert await status(reader) == wanted, (host, framing)
            open_ones.append(writer)
    await leave(open_ones)
    # An admitted client may promise as much as the gateway accepts.
    for _ in range(CROWD):
        _, writer = await dial(port, post.format(own, "Content-Length: 1000000") + "x")
        open_ones.append(writer)
    await leave(open_ones)
    for _ in range(CROWD):
        panel = await websockets.connect(
            f"ws://127.0.0.1:{port}/socketcluster/", compression=None, proxy=None)
        await panel.send(HANDSHAKE)
        panel.transport.write(bytes([0x81, 0xFF]) + (64 * MIB).to_bytes(8, "big") + bytes(5))
        open_ones.append(panel.transport)
    await asyncio.sleep(0.5)
    grown = claimed(pid) - before
    print(f"{grown >> 10} kB more")
    assert grown < 64 * MIB, grown
    await leave(open_ones)


async def leave(open_ones):
    for one in open_ones:
        one.abort() if hasattr(one, "abort") else one.transport.abort()
    open_ones.clear()
    await asyncio.sleep(0.1)


async def monitor(port):
    """A panel with little room, by hand."""
    connection = socket.create_connection(("127.0.0.1", int(port)))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    panel = await websockets.connect(
        f"ws://127.0.0.1:{port}/socketcluster/", sock=connection, compression=None, proxy=None,
        ping_interval=None, max_size=None)
    for message in (HANDSHAKE, '{"event":"login","data":{},"cid":2}',
                    '{"event":"#subscribe","data":{"channel":"log"},"cid":3}',
                    '{"event":"respond","data":{"type":"START"}}'):
        await panel.send(message)
    return panel


async def until(panel, word):
    while word not in (message := await asyncio.wait_for(panel.recv(), PATIENCE)):
        if not message:
            await panel.send("")  # a pong


async def slow(port, pid, app, count):
    """Panels that read nothing, beside one that reads, while the app does all it can."""
    before, began = resident(pid), time.monotonic()
    deaf = [await monitor(port) for _ in range(5)]
    for panel in deaf:
        panel.transport.pause_reading()
    reader = await monitor(port)
    with open(app, "w") as typed:
        typed.write(f"add {'x' * 60_000}\n")
    for turn in range(ROUNDS):
        with open(app, "w") as typed:
            for number in range(int(count) // ROUNDS):
                typed.write(f"filter {('open', 'all')[number % 2]}\n")
            typed.write(f"add last{turn}\n")
        await until(reader, f'"last{turn}')
    grown = peak(pid) - before
    print(f"{time.monotonic() - began:.1f} s, {grown >> 10} kB more")
    assert grown < 96 * MIB, grown
    for panel in (*deaf, reader):
        panel.transport.abort()


async def flood(port, pid):
    """Many at once who are turned away, or say half a sentence; a panel gets in beside them."""
    before, rest, answers = resident(pid), 1_000, []
    # The gateway keeps a client with half a request for seconds.
    panels = 10_000 if os.environ.get("STATESURF_LONG") else 40
    words = ("GET /socketcluster/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET / HT",
             "\0\1\2\3", "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)

    async def knock():
        nonlocal rest
        while rest > 0:
            rest -= 1
            try:
                reader, writer = await dial(port, words[rest % len(words)])
                if rest % len(words) != 1:
                    answers.append(await reader.read(12))
                writer.transport.abort()
            except ConnectionError:
                answers.append(b"")

    crowd = [asyncio.create_task(knock()) for _ in range(48)]
    admitted = 0
    while admitted < panels and not all(task.done() for task in crowd):
        async with Session(port) as session:
            assert session.instance
            admitted += 1
        await asyncio.sleep(0.1)  # the crowd's turn
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    grown = resident(pid) - before
    print(f"{len(answers)} answers, {answers.count(b'')} cut short; {admitted} panels; "
          f"{grown >> 10} kB more")
    assert admitted > 0 and any(answers)
    assert grown < 64 * MIB, grown


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
