"""Guests of a live `statesurf gateway` that asks for a token, with the demo Todo behind it, which
has done `add Milk`.

    gateway_guest.py SCENARIO ARGUMENT…      exit code 0, or a traceback and 1
"""

import asyncio
import json
import shutil
import subprocess
import sys
import urllib.request

import websockets
from websockets.exceptions import InvalidStatus

from panel import Panel
from socketcluster import PATIENCE


async def panel(scheme, host, port):
    """A panel makes its URL of its fields: whatever stands in that for the host."""
    usual = {"ws": "80", "wss": "443"}[scheme]
    place = host if port == usual else f"{host}:{port}"
    async with Panel(f"{scheme}://{place}/socketcluster/") as session:
        await session.until(lambda one: one.instances)
        todo = next(iter(session.instances.values()))
        await session.until(lambda _: len(todo.lifted["stagedActionIds"]) > 1)
        await session.select(todo.id)
        await session.jump(0)
        await session.until(lambda _: todo.lifted["currentStateIndex"] == 0)


async def socketio(url, transport):
    import socketio as package

    client = package.AsyncClient(reconnection=False)
    arrived = asyncio.Event()
    client.on("log", lambda frame: arrived.set())
    await client.connect(url, transports=[transport])
    await asyncio.wait_for(arrived.wait(), PATIENCE)
    await client.disconnect()


async def subprotocol(url, token):
    offers = ["statesurf", f"statesurf.token.{token}"]
    async with websockets.connect(url, subprotocols=offers, proxy=None) as socket:
        assert socket.subprotocol == "statesurf", socket.subprotocol
    async with websockets.connect(url, subprotocols=offers[1:], proxy=None) as socket:
        assert socket.subprotocol == offers[1], socket.subprotocol


async def status(url, **options):
    try:
        async with websockets.connect(url, proxy=None, open_timeout=PATIENCE, **options):
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


async def doors(base, token):
    """`base` is ws://HOST:PORT; the token is right."""
    wrong = token[::-1] if token != token[::-1] else "0" * 32
    paths = ["/socketcluster/", "/ws", "/", "/socket.io/?EIO=4&transport=websocket"]
    for path in paths:
        mark = "&" if "?" in path else "?"
        for query, wanted in [("", 401), (f"{mark}token={wrong}", 401), (f"{mark}token=", 401)]:
            got = await status(base + path + query)
            assert got == wanted, (path, query, got)
    bearer = {"Authorization": f"Bearer {token}"}
    assert await status(base + "/socketcluster/", additional_headers=bearer) == 101
    bearer = {"Authorization": f"Bearer {wrong}"}
    assert await status(base + "/socketcluster/", additional_headers=bearer) == 401
    good = f"{base}/socketcluster/?token={token}"
    assert await status(good, origin="https://evil.example") == 403
    assert await status(good, origin="chrome-extension://abc") == 101


async def page(url, *expected):
    """What the page shows for the fragment of its URL."""
    address, _, fragment = url.partition("#")
    with urllib.request.urlopen(address, timeout=PATIENCE) as response:
        assert response.headers["Referrer-Policy"] == "no-referrer"
        text = response.read().decode()
    if not shutil.which("node"):
        return
    script = text.split("<script>")[1].split("</script>")[0]
    stub = """
        const shown = {};
        const location = Object.assign(new URL(process.argv[1]));
        const document = { getElementById: id => shown[id] ??= {} };
    """
    report = "console.log(JSON.stringify(Object.values(shown).map(one => one.textContent)));"
    said = subprocess.run(
        ["node", "-e", stub + script + report, url], check=True, capture_output=True, text=True)
    assert json.loads(said.stdout) == list(expected), said.stdout


async def flood(host, port, token, count):
    """Wrong tokens from many at once, and others who say nothing; who has the token gets in."""
    silent = [await asyncio.open_connection(host, int(port)) for _ in range(300)]
    rest, answers = int(count), []
    head = "GET /socketcluster/?token={} HTTP/1.1\r\nHost: x\r\n\r\n"

    async def knock():
        nonlocal rest
        while rest > 0:
            rest -= 1
            try:
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(head.format(f"{rest:032x}").encode())
                answers.append((await reader.read())[:12])
                writer.close()
            except ConnectionError:
                answers.append(b"")

    crowd = [asyncio.create_task(knock()) for _ in range(64)]
    admitted = 0
    while not all(task.done() for task in crowd):
        got = await status(f"ws://{host}:{port}/socketcluster/?token={token}")
        assert got == 101, got
        admitted += 1
    await asyncio.gather(*crowd)
    assert set(answers) <= {b"HTTP/1.1 401", b""}, set(answers)
    assert len(answers) >= int(count) and answers.count(b"HTTP/1.1 401") > 0
    assert admitted > 2, admitted
    print(f"{len(answers)} wrong tokens, {answers.count(b'')} cut short; {admitted} right ones")
    for _, writer in silent:
        writer.close()


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
