#!/usr/bin/env python3
"""Clients of a gateway that begin messages and do not end them, and one that wants an answer.

Usage: greedy_panels.py PORT COUNT MIB. Each of COUNT clients sends MIB of a message of 60 MiB. It
prints the longest time, in milliseconds, that an honest client waited for an answer meanwhile, and
how many of the others were closed; then it leaves."""

import base64
import os
import socket
import struct
import sys
import time

PORT, COUNT, MIB = (int(word) for word in sys.argv[1:4])


def connect():
    stream = socket.create_connection(("127.0.0.1", PORT))
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(
        f"GET /socketcluster/ HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += stream.recv(4096)
    assert b" 101 " in answer, answer
    return stream


def ping(stream, number):
    """A ping of RFC 6455, and how long its answer takes."""
    payload = struct.pack(">I", number)
    begin = time.monotonic()
    stream.sendall(bytes([0x89, 0x80 | len(payload)]) + bytes(4) + payload)
    received = b""
    while payload not in received:
        received += stream.recv(4096)
    return time.monotonic() - begin


honest = connect()
longest = 0.0
greedy = [connect() for _ in range(COUNT)]
# Binary, masked with zeros.
head = bytes([0x82, 0x80 | 127]) + struct.pack(">Q", 60 << 20) + bytes(4)
chunk = b"x" * (1 << 20)
for stream in greedy:
    stream.sendall(head)
closed = set()
for _ in range(MIB):
    for stream in greedy:
        if stream in closed:
            continue
        try:
            stream.sendall(chunk)
        except OSError:
            closed.add(stream)
    longest = max(longest, ping(honest, len(closed)))
for stream in greedy:
    stream.setblocking(False)
    try:
        # A close frame, or the end.
        if stream.recv(4096)[:1] in (b"", b"\x88"):
            closed.add(stream)
    except BlockingIOError:
        pass
    except OSError:
        closed.add(stream)
print(f"{longest * 1000:.0f} {len(closed)}", flush=True)
sys.stdin.readline()
