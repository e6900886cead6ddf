"""Scenarios of a panel, a Socket.IO client, a Socket.IO relay and a stranger, each against a live
`statesurf gateway` with the demo Todo behind it.

    gateway_check.py SCENARIO PORT [ARGUMENT…]      exit code 0, or a traceback and 1
"""

import asyncio
import json
import sys

from panel import Panel

INITIAL = ["Milk", "Bread", "Eggs"]


def titles(state):
    return [todo["title"] for todo in (state or {}).get("todos", [])]


def now(instance):
    lifted = instance.lifted
    return titles(lifted["computedStates"][lifted["currentStateIndex"]]["state"])


def names(instance):
    lifted = instance.lifted
    actions = [lifted["actionsById"][str(one)]["action"] for one in lifted["stagedActionIds"]]
    return [action.get("payload", action["type"]) for action in actions]


class Session:
    """A panel with the instance of one app selected."""

    def __init__(self, port, app="Todo"):
        self.panel = Panel(f"ws://127.0.0.1:{port}/socketcluster/")
        self.app = app

    async def __aenter__(self):
        await self.panel.connect()
        await self.until(lambda: self.instance is not None)
        await self.panel.select(self.instance.id)
        return self

    async def __aexit__(self, *_):
        await self.panel.close()
        assert not self.panel.faults, self.panel.faults

    @property
    def instance(self):
        return next(
            (one for one in self.panel.instances.values() if one.name.startswith(self.app)), None)

    async def until(self, condition, timeout=15):
        try:
            await self.panel.until(lambda _: condition(), timeout)
        except asyncio.TimeoutError:
            state = self.instance and self.instance.lifted
            raise AssertionError(f"not in time; {state}; {self.panel.errors}") from None


async def history(port, *expected):
    async with Session(port) as session:
        await session.until(lambda: names(session.instance)[1:] == list(expected))


async def wait_for_app(port, marker):
    """Connects before there is an app, says so by a file, and sees it come and go."""
    panel = Panel(f"ws://127.0.0.1:{port}/socketcluster/")
    await panel.connect()
    open(marker, "w").close()
    await panel.until(lambda p: any(one.name.startswith("Todo") for one in p.instances.values()), 20)
    await panel.until(lambda p: any("Late" in names(one) for one in p.instances.values()), 20)
    open(marker + ".seen", "w").close()
    await panel.until(lambda p: not p.instances, 20)
    await panel.close()


async def buttons(port):
    async with Session(port) as session, Session(port) as other:
        panel, until = session.panel, session.until
        first = session.instance.lifted["stagedActionIds"][1]
        await until(lambda: names(session.instance)[1:] == INITIAL)
        count = len(panel.changes)
        await panel.jump(first)
        # The other panel learns where the app is; this one knows, and nothing is an action.
        await other.until(lambda: now(other.instance) == ["Milk"])
        assert not any(change["change"] == "ACTION" for change in panel.changes[count:])
        await panel.toggle(first + 1)
        for one in (session, other):
            await one.until(lambda: one.instance.lifted["skippedActionIds"] == [first + 1])
        last = session.instance.lifted["computedStates"][-1]["state"]
        assert titles(last) == ["Milk", "Eggs"], last
        await panel.toggle(first + 1)
        await until(lambda: session.instance.lifted["skippedActionIds"] == [])
        await panel.reorder(first + 2, first)
        await until(lambda: names(session.instance)[1:] == ["Eggs", "Milk", "Bread"])
        await panel.toggle(first)
        await until(lambda: session.instance.lifted["skippedActionIds"] == [first])
        await panel.sweep()
        await until(lambda: names(session.instance)[1:] == ["Eggs", "Bread"])
        await panel.dispatch_text("{type:'add',payload:'Tea'}")
        await until(lambda: names(session.instance)[-1] == "Tea")
        await panel.dispatch_creator("add", 0, ["'Oil'"])
        await until(lambda: names(session.instance)[-1] == "Oil")
        await panel.dispatch_text("{type:'fly'}")
        await until(lambda: any("fly" in error for error in panel.errors))
        await panel.dispatch_text("alert(1)")
        await until(lambda: len(panel.errors) >= 2)
        await panel.lock(True)
        await until(lambda: session.instance.lifted["isLocked"])
        await panel.dispatch_text("{type:'add',payload:'No'}")
        await until(lambda: any("locked" in error for error in panel.errors))
        await panel.lock(False)
        await until(lambda: not session.instance.lifted["isLocked"])
        await panel.pause(True)
        await until(lambda: session.instance.lifted["isPaused"])
        await panel.dispatch_text("{type:'add',payload:'Unseen'}")
        await panel.pause(False)
        await until(lambda: not session.instance.lifted["isPaused"])
        assert "Unseen" not in names(session.instance)
        exported = session.instance.text()
        await panel.commit()
        await until(lambda: names(session.instance) == ["@@INIT"])
        committed = now(session.instance)
        await panel.dispatch_text("{type:'add',payload:'Gone'}")
        await until(lambda: now(session.instance) == committed + ["Gone"])
        await panel.rollback()
        await until(lambda: now(session.instance) == committed)
        await panel.reset()
        await until(lambda: now(session.instance) == [])
        await panel.import_file(exported)
        wanted = ["Eggs", "Bread", "Tea", "Oil"]
        await until(lambda: names(session.instance)[1:] == wanted)


async def imported(port, path):
    """A file that Redux DevTools wrote, with an action left out."""
    async with Session(port) as session:
        with open(path) as file:
            await session.panel.import_file(file.read())
        await session.until(lambda: names(session.instance)[1:] == ["Salt", "Pepper", "Sugar"])
        lifted = session.instance.lifted
        skipped = [lifted["stagedActionIds"].index(one) for one in lifted["skippedActionIds"]]
        assert skipped == [2], lifted
        assert now(session.instance) == ["Salt", "Sugar"], lifted


async def strangers(port):
    """What is for nobody here does nothing; the instances never mix."""
    async with Session(port) as session:
        before = names(session.instance)
        client, own = session.panel.client, session.instance
        reset = {"type": "DISPATCH", "action": {"type": "RESET", "timestamp": 1}}
        await client.transmit("respond", {**reset, "instanceId": "default"})
        await client.transmit(f"sc-{own.connection}", {**reset, "instanceId": "another"})
        await client.transmit("sc-nobody", {**reset, "instanceId": own.id})
        sync = {"type": "SYNC", "state": own.text(), "id": own.connection, "instanceId": own.id}
        await client.transmit("respond", sync)
        await session.panel.dispatch_text("{type:'add',payload:'Last'}")
        await session.until(lambda: names(session.instance)[-1] == "Last")
        assert names(session.instance) == before + ["Last"], names(session.instance)


async def socketio_client(port, transports, row):
    import socketio

    client = socketio.AsyncClient(reconnection=False)
    frames, arrived = [], asyncio.Condition()

    @client.on("log")
    async def log(frame):
        async with arrived:
            frames.append(frame)
            arrived.notify_all()

    wanted = transports.split(",") if transports != "default" else None
    await client.connect(f"http://127.0.0.1:{port}", transports=wanted)
    async with arrived:
        await asyncio.wait_for(arrived.wait_for(lambda: len(frames) >= 2), 10)
    if transports == "default":
        assert client.transport() == "websocket", client.transport()
    assert list(frames[0]) == ["type", "payload", "instanceId", "name"], frames[0]
    assert frames[0]["type"] == "INIT" and isinstance(frames[0]["payload"], str)
    assert list(frames[1]) == ["type", "action", "payload", "instanceId"], frames[1]
    assert json.loads(frames[1]["action"]) == {"add": "Milk"}, frames[1]
    assert titles(json.loads(frames[1]["payload"])) == ["Milk"]
    await client.emit("dispatch", {"type": "JUMP_TO_ACTION", "actionId": int(row)})
    await asyncio.sleep(0.5)
    await client.disconnect()


async def socketio_relay(port, count, row):
    """Listens on the port itself: the gateway dials."""
    import socketio
    from aiohttp import web

    server = socketio.AsyncServer(async_mode="aiohttp")
    application = web.Application()
    server.attach(application)
    frames, arrived = [], asyncio.Condition()

    @server.on("log")
    async def log(sid, frame):
        async with arrived:
            frames.append((sid, frame))
            arrived.notify_all()

    runner = web.AppRunner(application, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", int(port), reuse_address=True)
    await site.start()
    async with arrived:
        await asyncio.wait_for(arrived.wait_for(lambda: len(frames) >= int(count)), 25)
    kinds = [frame["type"] for _, frame in frames]
    assert kinds == ["INIT"] + ["ACTION"] * (int(count) - 1), kinds
    assert list(frames[0][1]) == ["type", "payload", "instanceId", "name"], frames[0]
    assert list(frames[1][1]) == ["type", "action", "payload", "instanceId"], frames[1]
    await server.emit("dispatch", {"type": "JUMP_TO_ACTION", "actionId": int(row)})
    await asyncio.sleep(0.5)
    await runner.cleanup()


async def relayed(port, *expected):
    """Behind a relay that is ended and begun again, the panel has the whole history again."""
    await history(port, *expected)


async def bad_input(port):
    import websockets
    from websockets.exceptions import ConnectionClosed, InvalidStatus

    url = f"ws://127.0.0.1:{port}/socketcluster/"

    async def status(url, **options):
        try:
            await websockets.connect(url, **options)
        except InvalidStatus as refusal:
            return refusal.response.status_code
        return 101

    assert await status(f"ws://127.0.0.1:{port}/nothing") == 404
    assert await status(url, origin="https://evil.example") == 403
    assert await status(url, origin="http://localhost:3000") == 101
    assert await status(url, additional_headers={"Host": "evil.example"}) in (400, 403)

    async def close_code(*messages, raw=None):
        async with websockets.connect(url, max_size=None) as socket:
            try:
                for message in messages:
                    await socket.send(message)
                if raw:
                    socket.transport.write(raw)
                while True:
                    await asyncio.wait_for(socket.recv(), 20)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None

    assert await close_code('{"event":"login","data":{},"cid":1}') == 4009
    assert await close_code('{"event":"#handshake","data":{},"cid":"1"}') == 4008
    assert await close_code(raw=bytes([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFF])) == 1007
    assert await close_code(raw=bytes([0x81, 0x02, 0x61, 0x62])) == 1002
    # One octet more than a message may have; only its length is sent.
    size = 64 * 1024 * 1024 + 1
    assert await close_code(raw=bytes([0x81, 0xFF]) + size.to_bytes(8, "big") + bytes(4)) == 1009
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
    assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 400 ")
    writer.close()


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
