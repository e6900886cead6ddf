#!/usr/bin/env python3
"""Guests of a gateway that send as much as it takes, and a client that wants answers meanwhile.

Usage: greedy_guests.py PORT INSPECTOR MODE. It prints how long the client waited for an answer, in
milliseconds: at the median and at most while nobody else was there, then the same among the others.
It leaves once it may read a line.

    flood COUNT SECONDS   COUNT guests with values of 1,200 ids and lines of a log, and half as many
                          front ends that read nothing
    burst IDS UPDATES     one guest with small values of IDS ids, sent once more UPDATES times
"""

import base64
import os
import select
import socket
import struct
import sys
import time

PORT, INSPECTOR = int(sys.argv[1]), int(sys.argv[2])
MODE, ONE, TWO = sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
PAUSE = 0.05


def read_until(stream, words):
    received = b""
    while words not in received:
        more = stream.recv(65536)
        assert more, "the gateway has closed the connection"
        received += more


def connect(port, path):
    stream = socket.create_connection(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    read_until(stream, b" 101 ")
    return stream


def frame(payload, opcode=1):
    """Masked with zeros."""
    size = len(payload)
    if size < 126:
        head = bytes([0x80 | opcode, 0x80 | size])
    elif size < 65536:
        head = bytes([0x80 | opcode, 0x80 | 126]) + struct.pack(">H", size)
    else:
        head = bytes([0x80 | opcode, 0x80 | 127]) + struct.pack(">Q", size)
    return head + bytes(4) + payload


def update(name, text):
    return frame(b'{"type":"update","id":"%s","data":"%s"}' % (name, text))


def ask():
    """Asks for the page at / on a connection of its own; the time until it begins."""
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", PORT)) as stream:
        stream.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\n".encode())
        read_until(stream, b" 200 ")
    return time.monotonic() - begin


def push(streams, pieces, end):
    """Sends to each stream its pieces, as fast as it takes them."""
    waiting = {stream: b"" for stream in streams}
    for stream in streams:
        stream.setblocking(False)
    while waiting and time.monotonic() < end:
        for stream in select.select([], list(waiting), [], 0.1)[1]:
            rest = waiting[stream] or next(pieces[stream], b"")
            try:
                waiting[stream] = rest[stream.send(rest) :]
            except BlockingIOError:
                continue
            except OSError:
                rest = b""
            if not rest:
                del waiting[stream]
    for stream in streams:
        stream.setblocking(True)


def flood(count, seconds):
    guests = [connect(INSPECTOR, "/ws") for _ in range(count)]
    for _ in range(count // 2):
        connections.append(connect(INSPECTOR, "/ws"))
        connections[-1].sendall(frame(b'{"type":"subscribe"}'))

    def pieces(guest):
        turn = 0
        while True:
            filler = b"%d " % (guest * 1000003 + turn) * (1000 if turn % 50 else 400000)
            name = b"%d" % (turn % 1200)
            yield update(name, filler)
            yield frame(b'{"type":"log","message":"%s","level":"info"}' % filler[:3000])
            turn += 1

    connections.extend(guests)
    all_pieces = {guest: pieces(index) for index, guest in enumerate(guests)}
    push(guests, all_pieces, time.monotonic() + seconds)


def burst(ids, updates):
    guest = connect(INSPECTOR, "/ws")
    connections.append(guest)
    first = b"".join(update(b"id %d" % number, b"x" * 40) for number in range(ids))
    rest = b"".join(update(b"id %d" % (n % ids), b"%d" % n) for n in range(updates))
    push([guest], {guest: iter([first, rest])}, time.monotonic() + 120)
    # All was heard once a ping behind it is answered (RFC 6455).
    guest.sendall(frame(b"the end", 9))
    read_until(guest, b"the end")


connections = []


def watch(is_over):
    """Asks again and again; the waits."""
    waits = []
    while not is_over():
        waits.append(ask())
        time.sleep(PAUSE)
    waits.sort()
    return waits[len(waits) // 2] * 1000, waits[-1] * 1000


quiet_end = time.monotonic() + 2
quiet = watch(lambda: time.monotonic() > quiet_end)
done, is_done = os.pipe()
leave, may_leave = os.pipe()
child = os.fork()
if child == 0:
    os.close(may_leave)
    begin = time.monotonic()
    (flood if MODE == "flood" else burst)(ONE, TWO)
    os.write(is_done, b"%.1f" % (time.monotonic() - begin))
    os.read(leave, 1)
    os._exit(0)
os.close(is_done)
busy = watch(lambda: select.select([done], [], [], 0)[0])
seconds = os.read(done, 64).decode()
print("%.0f %.0f %.0f %.0f %s" % (*quiet, *busy, seconds), flush=True)
sys.stdin.readline()
os.close(may_leave)
os.waitpid(child, 0)
