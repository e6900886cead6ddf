"""What no panel would send, against a live `statesurf gateway`: each gets its code, and only that.

    gateway_stranger.py SCENARIO PORT      exit code 0, or a traceback and 1
"""

import asyncio
import json
import sys

import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from socketcluster import PATIENCE

MESSAGE_SIZE_MAX = 64 * 1024 * 1024
HANDSHAKE = '{"event":"#handshake","data":{"authToken":null},"cid":1}'


def address(port):
    return f"ws://127.0.0.1:{port}/socketcluster/"


async def doors(port):
    """Who may come in: by the path, the Host and the Origin."""

    async def status(url, **options):
        try:
            # Wherever the name leads, we go to the gateway: DNS rebinding does the same.
            async with websockets.connect(
                    url, host="127.0.0.1", port=int(port), proxy=None, **options):
                return 101
        except InvalidStatus as refusal:
            return refusal.response.status_code

    url = address(port)
    for path in ("/nothing", "/socketcluster", "/socketcluster/more"):
        got = await status(f"ws://127.0.0.1:{port}{path}")
        assert got == 404, (path, got)
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example"):
        got = await status(f"ws://{host}:{port}/socketcluster/")
        assert got == 403, (host, got)
    for host in ("localhost", "127.0.0.1", "[::1]"):
        got = await status(f"ws://{host}:{port}/socketcluster/")
        assert got == 101, (host, got)
    for origin in ("https://evil.example", "http://localhost.evil.example", "null"):
        got = await status(url, origin=origin)
        assert got == 403, (origin, got)
    for origin in ("http://localhost:3000", "chrome-extension://abc", "file://"):
        got = await status(url, origin=origin)
        assert got == 101, (origin, got)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
    assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 400 ")
    writer.close()


async def codes(port):
    """With which code the gateway closes."""

    async def close_code(*messages, raw=None):
        # Not closed by us: the package fails while it closes what has ended in the middle of a
        # message.
        socket = await websockets.connect(
            address(port), max_size=None, compression=None, proxy=None)
        try:
            for message in messages:
                await socket.send(message)
            if raw:
                socket.transport.write(raw)
            while True:
                await asyncio.wait_for(socket.recv(), PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    for name, wanted, got in [
        ("before the handshake", 4009, await close_code('{"event":"login","data":{},"cid":1}')),
        ("a handshake by text", 4008, await close_code('{"event":"#handshake","cid":"1"}')),
        ("no UTF-8", 1007, await close_code(raw=masked(0x81, b"\xff\xff"))),
        ("no UTF-8, late", 1007, await close_code(HANDSHAKE, raw=masked(0x81, b"\xff\xff"))),
        ("unmasked", 1002, await close_code(raw=bytes([0x81, 0x02, 0x61, 0x62]))),
        ("an unknown opcode", 1002, await close_code(raw=masked(0x83, b""))),
        # Only its length is sent.
        ("an octet too many", 1009, await close_code(
            raw=bytes([0x81, 0xFF]) + (MESSAGE_SIZE_MAX + 1).to_bytes(8, "big") + bytes(4))),
        ("65 MiB", 1009, await close_code(HANDSHAKE, "x" * 65 * 1024 * 1024)),
    ]:
        assert got == wanted, (name, got)


def masked(first, payload):
    """One frame of a client, whose mask changes nothing."""
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


async def garbage(port):
    """What means nothing is ignored: the same connection still works after it."""
    async with websockets.connect(address(port), proxy=None) as socket:
        await socket.send(HANDSHAKE)
        assert json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["rid"] == 1
        for text in [
                "{", "null", "17", "[[[]]]", "#2", "x" * 1_000_000, "[" * 100_000, '{"rid":9}',
                '{"event":5}', '{"event":"respond","data":7}', '{"event":"respond"}',
                '{"event":"respond","data":{"type":"DISPATCH","action":[]}}',
                '{"event":"respond","data":{"type":"DISPATCH","action":{"type":"JUMP_TO_ACTION"}}}',
                '{"event":"sc-","data":{"type":"RESET"}}', '{"event":"log","data":null}',
                '{"event":"#publish","data":{"channel":"log","data":{"type":"INIT"}}}']:
            await socket.send(text)
        await socket.send(bytes(range(256)))
        await socket.send('{"event":"login","data":{},"cid":2}')
        while True:
            message = await asyncio.wait_for(socket.recv(), PATIENCE)
            if message and json.loads(message).get("rid") == 2:
                break
        assert json.loads(message) == {"rid": 2, "data": "log"}, message


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](sys.argv[2]))
