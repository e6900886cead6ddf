"""Scenarios of a panel, a Socket.IO client and a Socket.IO relay, each against a live
`statesurf gateway` with the demo Todo behind it.

    gateway_check.py SCENARIO PORT [ARGUMENT…]      exit code 0, or a traceback and 1
"""

import asyncio
import base64
import json
import os
import sys
from random import Random

from websockets.exceptions import WebSocketException

from panel import Panel
from socketcluster import PATIENCE, CallError

INITIAL = ["Milk", "Bread", "Eggs"]


def titles(state):
    return [todo["title"] for todo in (state or {}).get("todos", [])]


def now(instance):
    lifted = instance.lifted
    return titles(lifted["computedStates"][lifted["currentStateIndex"]]["state"])


def names(instance):
    lifted = instance.lifted
    actions = [lifted["actionsById"][str(one)]["action"] for one in lifted["stagedActionIds"]]
    actions = [one for one in actions if not one["type"].startswith(("@@LOG", "@@MARK"))]
    return [action.get("payload", action["type"]) for action in actions]


def apps(panel):
    return {one.name.split("#")[0] for one in panel.instances.values()}


def instance_of(panel, app):
    return next((one for one in panel.instances.values() if one.name.startswith(app)), None)


def touch(marker):
    open(marker, "w").close()


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
        return instance_of(self.panel, self.app)

    @property
    def told(self):
        """What messages have put the pointer to, in their order."""
        return [
            (change["change"], change["lifted"]["currentStateIndex"])
            for change in self.panel.changes if change["change"] in ("STATE", "LIFTED")]

    @property
    def told_index(self):
        """Where the last message has put the pointer, whatever the panel did itself."""
        return self.told[-1][1]

    @property
    def evidence(self):
        lifted = self.instance and self.instance.lifted
        return {
            "pointer": lifted and lifted["currentStateIndex"], "told": self.told[-12:],
            "errors": self.panel.errors,
            "sent": [frame.get("action") for _, frame in self.panel.frames[-6:]]}

    async def until(self, condition):
        try:
            await self.panel.until(lambda _: condition())
        except asyncio.TimeoutError:
            state = self.instance and self.instance.lifted
            changes = [change["change"] for change in self.panel.changes[-12:]]
            raise AssertionError(
                f"not in time; {state}; {self.panel.errors}; {changes}") from None


async def history(port, *expected):
    async with Session(port) as session:
        await session.until(lambda: names(session.instance)[1:] == list(expected))
        first = session.instance.lifted["computedStates"][0]["state"]
        assert isinstance(first, dict) and titles(first) == [], first


async def wait_for_app(port, marker):
    """Connects before there is an app, says so by a file, and sees one of two come and go."""
    async with Panel(f"ws://127.0.0.1:{port}/socketcluster/") as panel:
        touch(marker)
        await panel.until(lambda _: {"Todo", "PrimeTime"} == apps(panel))
        await panel.until(lambda _: names(instance_of(panel, "Todo"))[1:] == ["Late"])
        connection = instance_of(panel, "Todo").connection
        touch(marker + ".seen")
        await panel.until(lambda _: "Todo" not in apps(panel))
        gone = [one["id"] for one in panel.changes if one["change"] == "disconnected"]
        assert gone == [connection], gone
        assert apps(panel) == {"PrimeTime"}, apps(panel)
        # The app that stays still obeys.
        await pause(panel, "PrimeTime", True)
        await pause(panel, "PrimeTime", False)


async def pause(panel, app, status):
    """Presses the button, again if the app was away: one that halts for too long is told nothing."""
    while True:
        await panel.until(lambda _: instance_of(panel, app))
        await panel.select(instance_of(panel, app).id)
        count = len(panel.changes)
        await panel.pause(status)
        is_done = lambda: instance_of(panel, app).lifted["isPaused"] == status
        was_away = lambda: any(one["change"] == "disconnected" for one in panel.changes[count:])
        await panel.until(lambda _: instance_of(panel, app) and (is_done() or was_away()))
        if is_done():
            return


async def jump(port, row):
    """To an action by its row: the other panel learns of it, and nobody is told of an action."""
    async with Session(port) as session, Session(port) as other:
        before = names(session.instance)
        await session.until(lambda: int(row) in [0] + session.instance.rows)
        action = session.instance.id_of(int(row))
        counts = [len(one.panel.changes) for one in (session, other)]
        await session.panel.jump(action)
        index = session.instance.lifted["stagedActionIds"].index(action)
        await other.until(lambda: other.instance.lifted["currentStateIndex"] == index)
        for one, count in zip((session, other), counts):
            # This answer was sent after anything that the jump may have caused. An answer to the
            # other panel may still be on its way, and shows the time before.
            await one.panel.client.transmit("respond", {"type": "START"})
            await one.until(lambda: any(
                change["change"] == "STATE" and change["lifted"]["currentStateIndex"] == index
                for change in one.panel.changes[count:]))
            kinds = [change["change"] for change in one.panel.changes[count:]]
            assert "ACTION" not in kinds, kinds
            assert names(one.instance) == before, names(one.instance)
            assert one.instance.lifted["currentStateIndex"] == index, one.instance.lifted


async def together(port, lines):
    """Two panels and `statesurf watch --json`, whose lines are in a file, see one history."""
    async with Session(port) as session, Session(port) as other:
        await session.panel.dispatch_text("{type:'add',payload:'Together'}")
        for one in (session, other):
            await one.until(lambda: names(one.instance)[-1] == "Together")
        assert session.instance.id == other.instance.id
        for key in ("actionsById", "stagedActionIds", "computedStates"):
            assert session.instance.lifted[key] == other.instance.lifted[key], key
        ids = session.instance.lifted["stagedActionIds"]
        assert ids == list(range(len(ids))), ids
        wanted = session.instance.rows
        for one in (session, other):
            await one.until(lambda: one.instance.lifted["currentStateIndex"] == len(wanted))

        def watched():
            with open(lines) as file:
                events = [json.loads(line) for line in file if line.endswith("\n")]
            return [one["row"] for one in events
                    if one["event"] == "record" and one["kind"] == "action"]

        for _ in range(300):
            if len(watched()) >= len(wanted):
                break
            await asyncio.sleep(0.1)
        seen = watched()
        # The newest state comes first. Where one of them halts for more than 0.7 s, the past is not
        # waited for, and is printed behind it.
        in_order = sorted(seen) if os.environ.get("SURF_DISTURBED") else seen
        assert in_order == wanted, (seen, wanted)


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
        # Ids are places: all that moved have others.
        await until(lambda: names(session.instance)[1:] == ["Eggs", "Milk", "Bread"])
        await panel.toggle(first + 1)
        await until(lambda: session.instance.lifted["skippedActionIds"] == [first + 1])
        await panel.sweep()
        await until(lambda: names(session.instance)[1:] == ["Eggs", "Bread"])
        # The app was left at an earlier action, and goes on from where it is.
        await panel.jump(first + 1)
        await other.until(lambda: now(other.instance) == ["Eggs", "Bread"])
        await panel.dispatch_text("{type:'add',payload:'Tea'}")
        await until(lambda: names(session.instance)[-1] == "Tea")
        offered = {one["name"]: one["args"] for one in session.instance.creators}
        assert offered["add"] == ["title"] and offered["edit"] == ["number", "title"], offered
        await panel.dispatch_creator("add", 0, [], rest="['Oil']")
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
        own = session.instance
        asked = {"type": "EXPORT", "instanceId": own.id}
        await panel.client.transmit(f"sc-{own.connection}", asked)
        await until(lambda: panel.exports)
        actions = json.loads(json.loads(panel.exports[0])["payload"])
        assert [one["payload"] for one in actions] == ["Eggs", "Bread", "Tea", "Oil"], actions
        await panel.commit()
        await until(lambda: names(session.instance) == ["@@INIT"])
        committed = now(session.instance)
        # Not recorded, but done.
        assert committed == ["Eggs", "Bread", "Tea", "Oil", "Unseen"], committed
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
        await session.until(lambda: now(session.instance) == ["Salt", "Sugar"])


async def integers(port):
    """A file whose state has integers that JavaScript cannot tell from their neighbours, as a person
    writes them and as the gateway marks them: they come to the app and back as they are."""
    async with Session(port, "PrimeTime") as session:
        smallest = -9223372036854775808
        for number, told in ((2**53 + 1, 2**53 + 1), (smallest, {"$int": str(smallest)})):
            state = {"count": 5, "favourites": [told], "answer": ""}
            actions = [{"type": "increment"}]
            await session.panel.import_file(json.dumps(
                {"payload": json.dumps(actions), "preloadedState": json.dumps(state)}))
            wanted = {"count": 6, "favourites": [{"$int": str(number)}], "answer": ""}
            await session.until(
                lambda: session.instance.lifted["computedStates"][-1]["state"] == wanted)


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


async def pace(port, app, count):
    """So many actions, 1,000 a second, written to the pipe that the app reads: the panel has few
    frames for them, none too large, and all rows at the end; and one action alone at once."""
    rate, count = 1_000, int(count)
    async with Session(port) as session:
        await session.until(lambda: names(session.instance)[1:] == ["Milk"])
        client, loop = session.panel.client, asyncio.get_running_loop()
        with open(app, "w") as pipe:
            pipe.write("undone 1\n")
            pipe.flush()
            # What the gateway asked the app is a row, too.
            await session.until(lambda: names(session.instance)[1:] == ["Milk", 1])
            newest = max(session.instance.rows)
            start, first = loop.time(), len(client.received)
            for number in range(0, count, 20):
                pipe.write("done 1\nundone 1\n" * 10)
                pipe.flush()
                await asyncio.sleep(max(0, start + (number + 20) / rate - loop.time()))
            wanted = newest + count
            await session.until(lambda: max(session.instance.rows) >= wanted)
            frames = client.received[first:]
            seconds, octets = frames[-1][0] - start, sum(size for _, size in frames)
            print(f"{count} actions in {seconds:.1f} s: {len(frames)} frames, the largest of "
                  f"{max(size for _, size in frames)} octets, {octets / seconds:.0f} octets/s")
            # Five in advance, two a second (Relay.md, Limits), and a few of other kinds.
            assert len(frames) <= 5 + 2 * seconds + 5, len(frames)
            assert max(size for _, size in frames) < 12_000_000
            check_rows(session.instance, wanted)
            # The credit for five frames is back, and one action comes as one.
            await asyncio.sleep(3)
            before = len(session.panel.changes)
            pipe.write("done 1\n")
            pipe.flush()
            await session.until(lambda: max(session.instance.rows) > wanted)
            kinds = [change["change"] for change in session.panel.changes[before:]]
            assert kinds in (["ACTION"], ["STATE"]), kinds
            check_rows(session.instance, wanted + 1)


def check_rows(instance, newest):
    """The latest rows, without a gap, each with its state, and the pointer at the last."""
    lifted, rows = instance.lifted, instance.rows
    ids = lifted["stagedActionIds"][1:]
    gaps = [(one, two) for one, two in zip(rows, rows[1:]) if two != one + 1]
    assert not gaps and rows[-1] == newest, (gaps, rows[0], rows[-1], newest)
    assert len(rows) == len(ids), (len(rows), len(ids))
    assert len(ids) >= 190, len(ids)
    assert lifted["currentStateIndex"] == len(ids), lifted["currentStateIndex"]
    assert lifted["actionsById"]["0"]["timestamp"] > 0
    for row, computed in zip(ids, lifted["computedStates"][1:]):
        action = lifted["actionsById"][str(row)]
        assert ".swift:" in action["stack"], action
        assert computed["state"]["todos"][0]["isDone"] == (action["action"]["type"] == "done")


async def dropped(port, count, size):
    """Of so many large states the gateway keeps the newest; who jumps to an old one has it from the
    app, and both panels are shown it, twice."""
    count, size = int(count), int(size)
    async with Session(port, "StreamProbe") as session, Session(port, "StreamProbe") as other:
        for one in (session, other):
            await one.until(lambda: max(one.instance.lifted["stagedActionIds"]) == count)
        for row in (2, 3, 2):
            await session.panel.jump(row)
            for one in (session, other):
                def shown():
                    lifted = one.instance.lifted
                    state = lifted["computedStates"][row]["state"]
                    return lifted["currentStateIndex"] == row and state is not None
                await one.until(shown)
                state = one.instance.lifted["computedStates"][row]["state"]
                assert len(base64.b64decode(state["$base64"])) == size, state.keys()
        assert not session.panel.errors, session.panel.errors


async def pointers(port, seed):
    """Commands of two panels at random: after each, the gateway has told both panels the row that
    was asked for, and a skip moves no row but the skipped one."""
    story = []
    async with Session(port) as session, Session(port) as other:
        try:
            await session.until(lambda: names(session.instance)[1:] == INITIAL)
            await press_at_random(session, other, Random(int(seed)), story)
            await press_in_vain(session, other)
        except AssertionError:
            print("pressed:", *story, sep="\n  ")
            for name, one in (("one", session), ("other", other)):
                print(f"panel {name}: {one.evidence}")
            raise


async def press_at_random(session, other, random, story):
    for _ in range(20):
        one = random.choice((session, other))
        # Not where it is: nothing would say that the app has obeyed.
        lifted = one.instance.lifted
        rows = list(lifted["stagedActionIds"])
        rows.pop(lifted["currentStateIndex"])
        row = random.choice(rows)
        presser = "one" if one is session else "other"
        if row > 0 and random.random() < 0.3:
            story.append(f"{presser} skips {row}, or no longer")
            wanted = set(one.instance.lifted["skippedActionIds"]) ^ {row}
            await one.panel.toggle(row)
            for two in (session, other):
                await two.until(
                    lambda: set(two.instance.lifted["skippedActionIds"]) == wanted)
        else:
            story.append(f"{presser} jumps to {row}")
            index = one.instance.lifted["stagedActionIds"].index(row)
            await one.panel.jump(row)
            # A panel's own change, or a report of an earlier jump, is not proof of this one: the
            # next command would race it on another connection.
            for two in (session, other):
                await two.until(lambda: two.told_index == index)
        assert names(session.instance)[1:] == INITIAL, names(session.instance)


async def press_in_vain(session, other):
    """What is no row is refused, and the pointers stay."""
    index = other.told_index
    session.instance.lifted["currentStateIndex"] = index + 1
    count = len(session.panel.changes)
    refused = {"type": "JUMP_TO_ACTION", "actionId": 99}
    await session.panel.client.transmit(
        f"sc-{session.instance.connection}", {"type": "DISPATCH", "action": refused})

    def is_put_back():
        changes = [change["change"] for change in session.panel.changes[count:]]
        answers = changes[changes.index("error"):] if "error" in changes else []
        return "LIFTED" in answers or "STATE" in answers

    await session.until(is_put_back)
    for one in (session, other):
        assert one.instance.lifted["currentStateIndex"] == index, one.instance.lifted
    assert any("99" in error for error in session.panel.errors), list(session.panel.errors)


def check_frames(frames):
    """One INIT, then only ACTIONs: these keys in this order, what is JSON in strings."""
    keys = {
        "INIT": ["type", "payload", "instanceId", "name"],
        "ACTION": ["type", "action", "payload", "instanceId"]}
    assert [one["type"] for one in frames] == ["INIT"] + ["ACTION"] * (len(frames) - 1), frames
    for frame in frames:
        assert list(frame) == keys[frame["type"]], frame
        assert all(isinstance(value, str) for value in frame.values()), frame
        assert isinstance(json.loads(frame["payload"]), dict), frame
        assert frame["instanceId"] == frames[0]["instanceId"], frame


async def socketio_client(port, transports, row, app):
    """`app` is the pipe that the app reads."""
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
        await asyncio.wait_for(arrived.wait_for(lambda: len(frames) >= 2), PATIENCE)
    if transports == "default":
        assert client.transport() == "websocket", client.transport()
    else:
        assert client.transport() == transports, client.transport()
    check_frames(frames)
    assert json.loads(frames[1]["action"]) == {"add": "Milk"}, frames[1]
    assert titles(json.loads(frames[1]["payload"])) == ["Milk"]
    title = f"By {transports}"
    with open(app, "w") as pipe:
        pipe.write(f"add {title}\n")
    async with arrived:
        await asyncio.wait_for(arrived.wait_for(
            lambda: json.loads(frames[-1]["action"]) == {"add": title}), PATIENCE)
    check_frames(frames)
    assert titles(json.loads(frames[-1]["payload"]))[-1] == title, frames[-1]
    await client.emit("dispatch", {"type": "JUMP_TO_ACTION", "actionId": int(row)})
    await asyncio.sleep(0.5)
    await client.disconnect()


async def socketio_relay(port, count, row, marker):
    """Listens on the port itself: the gateway dials. Stays, after it said by a file that all was
    well, until it is killed."""
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
        await asyncio.wait_for(arrived.wait_for(lambda: len(frames) >= int(count)), PATIENCE)
    assert len({sid for sid, _ in frames}) == 1, frames
    check_frames([frame for _, frame in frames])
    titles_told = [json.loads(frame["action"]) for _, frame in frames[1:]]
    assert titles_told[:3] == [{"add": title} for title in INITIAL], titles_told
    await server.emit("dispatch", {"type": "JUMP_TO_ACTION", "actionId": int(row)})
    touch(marker)
    await asyncio.Event().wait()


async def relayed(port, marker, *expected):
    """A panel behind a relay that is killed, and begun again on the same port: connected again, it
    has the whole history again, until the app goes."""
    async with Session(port) as session:
        await session.until(lambda: names(session.instance)[1:] == list(expected))
        touch(marker + ".first")
        await asyncio.wait_for(session.panel.client.wait_closed(), PATIENCE)
    panel = await reconnected(f"ws://127.0.0.1:{port}/socketcluster/")
    try:
        await panel.until(lambda _: apps(panel) == {"Todo"})
        await panel.until(lambda _: names(instance_of(panel, "Todo"))[1:] == list(expected))
        touch(marker + ".second")
        await panel.until(lambda _: not panel.instances)
        assert not panel.faults, panel.faults
    finally:
        await panel.close()


async def reconnected(url):
    for _ in range(100):
        panel = Panel(url)
        try:
            return await panel.connect()
        except (OSError, CallError, WebSocketException):
            await asyncio.sleep(0.1)
    raise AssertionError("no relay")


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
