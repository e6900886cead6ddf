"""Checks relay.py, panel.py and socketcluster.py against each other with a tiny app.
Exit code 0 if all is well."""

import asyncio
import contextlib
import json
import sys
import traceback

import websockets

from history import printed
from panel import Panel
from relay import Relay
from socketcluster import CallError, Client

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


class App:
    """A counter with a history: redux mode sends STATE, the other INIT and ACTION."""

    def __init__(self, url, is_redux, instance_id="i"):
        self.client = Client(url)
        self.is_redux = is_redux
        self.instance_id = instance_id
        self.received = []
        self.actions = [{"type": "@@INIT"}]
        self.states = [{"counter": 0}]

    async def __aenter__(self):
        await self.client.connect()
        channel = await self.client.invoke("login", "master")
        await self.client.subscribe(channel)
        await self.client.subscribe("sc-" + self.client.id)
        await self.send("START", name="App")
        self.task = asyncio.create_task(self.listen())
        return self

    async def __aexit__(self, *_):
        await self.client.close()
        await self.task

    async def send(self, kind, **values):
        await self.client.transmit("log", {
            "type": kind, "id": self.client.id, "instanceId": self.instance_id, **values})

    async def listen(self):
        while (publication := await self.client.publications.get()) is not None:
            channel, frame = publication
            self.received.append((channel.split("-")[0], frame))
            if frame["type"] == "START":
                await self.show()
            elif frame["type"] == "EXPORT":
                await self.send(
                    "EXPORT", payload=printed(self.actions[1:]),
                    committedState=printed(self.states[0]))

    def lifted(self):
        count = len(self.actions)
        return {
            "monitorState": {}, "nextActionId": count, "stagedActionIds": list(range(count)),
            "actionsById": {
                str(index): {"type": "PERFORM_ACTION", "action": action, "timestamp": index}
                for index, action in enumerate(self.actions)},
            "skippedActionIds": [], "committedState": self.states[0],
            "currentStateIndex": count - 1, "isLocked": False, "isPaused": False,
            "computedStates": [{"state": state} for state in self.states]}

    async def show(self):
        if self.is_redux:
            return await self.send(
                "STATE", payload=printed(self.lifted()), libConfig={"type": "redux", "name": "App"})
        await self.send("INIT", payload=printed(self.states[0]), name="App")
        for index in range(1, len(self.actions)):
            await self.tell(index)

    async def tell(self, index):
        await self.send(
            "ACTION", payload=printed(self.states[index]), nextActionId=index + 1,
            action=printed({"action": self.actions[index], "timestamp": index}))

    async def increase(self):
        self.actions.append({"type": "inc"})
        self.states.append({"counter": self.states[-1]["counter"] + 1})
        await self.tell(len(self.actions) - 1)

    async def last(self, kind):
        """The last frame of that type, once there is one."""
        for _ in range(200):
            for channel, frame in reversed(self.received):
                if frame["type"] == kind:
                    return channel, frame
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {kind} came")


@contextlib.asynccontextmanager
async def relay(**options):
    made = Relay(**options)
    server = await made.serve()
    try:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/socketcluster/"
    finally:
        server.close()
        await server.wait_closed()


def rows(count):
    return lambda panel: "i" in panel.instances and len(
        panel.instances["i"].lifted["stagedActionIds"]) == count


async def exchange(url, *texts):
    """What a raw client gets for these messages until the server is silent; then the code."""
    got = []
    async with websockets.connect(url, proxy=None, ping_interval=None) as socket:
        for text in texts:
            await socket.send(text)
        with contextlib.suppress(asyncio.TimeoutError):
            try:
                while True:
                    got.append(await asyncio.wait_for(socket.recv(), 0.2))
            except websockets.ConnectionClosed:
                got.append(socket.close_code)
    return got


HANDSHAKE = '{"event":"#handshake","data":{"authToken":null},"cid":1}'


@check
async def frames_are_those_of_the_document():
    async with relay() as url:
        for text, code in [
            ('{"event":"#handshake","cid":"1"}', 4008), ('{"event":"#handshake"}', 4008),
            ('{"event":"log","data":1}', 4009)]:
            equal(await exchange(url, text), [code])
        got = await exchange(
            url, "rubbish", HANDSHAKE, '[{"event":"login","data":"master","cid":2},7]',
            '{"event":"#subscribe","data":{"channel":"log"},"cid":3}',
            '{"event":"log-noid","data":{"a":1}}', b'{"event":"login","data":{},"cid":4}',
            '{"event":"#publish","data":{"channel":"log","data":1},"cid":5}',
            '{"event":"#unsubscribe","data":"log","cid":6}', '{"event":"nothing","cid":7}')
        status = json.loads(got[0])["data"]
        equal(got, [
            '{"rid":1,"data":{"id":"%s","pingTimeout":20000,"isAuthenticated":false}}'
            % status["id"],
            '{"rid":2,"data":"respond"}', '{"rid":3}',
            '{"event":"#publish","data":{"channel":"log","data":{"id":"%s","data":{"a":1}}}}'
            % status["id"],
            '{"rid":4,"data":"log"}',
            '{"rid":5,"error":{"message":"Client publish feature is disabled",'
            '"name":"InvalidActionError"}}',
            '{"rid":6}'])
        got = await exchange(url, '{"event":"#handshake","data":{"authToken":"x"},"cid":1}')
        equal(json.loads(got[0])["data"]["authError"]["name"], "AuthTokenInvalidError")
        equal(got[1], '{"event":"#removeAuthToken"}')
        try:
            await websockets.connect(url.rstrip("/"), proxy=None)
        except websockets.InvalidStatus as error:
            equal(error.response.status_code, 400)
        else:
            raise AssertionError("a path without its slash was accepted")


@check
async def the_relay_closes_silent_clients():
    async with relay(ping_interval=0.1, ping_timeout=0.35, handshake_timeout=0.2) as url:
        async with Client(url) as good, Client(url, answer_pings=False) as mute:
            equal(await asyncio.wait_for(mute.wait_closed(), 2), 4001)
            await asyncio.sleep(0.3)
            equal((good.close_code, good.pings > 2), (None, True))
        async with websockets.connect(url, proxy=None) as socket:
            await asyncio.wait_for(socket.wait_closed(), 2)
            equal(socket.close_code, 4005)


@check
async def the_client_leaves_a_silent_relay():
    async with relay(ping_interval=9, ping_timeout=0.3) as url:
        client = await Client(url).connect()
        # The relay's own patience is as long, so either may be first.
        code = await asyncio.wait_for(client.wait_closed(), 2)
        equal(code in (4000, 4001), True)


@check
async def calls_fail_with_the_name_of_the_error():
    async with relay() as url:
        async with Client(url, ack_timeout=0.1) as client:
            for call, name in [
                (client.unsubscribe("log"), "BrokerError"),
                (client.invoke("#publish", {"channel": "log"}), "InvalidActionError"),
                (client.invoke("nothing"), "TimeoutError")]:
                try:
                    await call
                except CallError as error:
                    equal(error.name, name)
                else:
                    raise AssertionError(f"no {name}")


@check
async def an_app_is_seen_whoever_comes_first():
    for is_redux in (False, True):
        for app_first in (False, True):
            async with relay() as url, contextlib.AsyncExitStack() as stack:
                app, panel = App(url, is_redux), Panel(url)
                for one in (app, panel) if app_first else (panel, app):
                    await stack.enter_async_context(one)
                await panel.until(rows(1))
                await app.increase()
                await app.increase()
                await panel.until(rows(3))
                instance = panel.instance()
                equal(instance.action_types, ["@@INIT", "inc", "inc"])
                equal(instance.current_state, {"counter": 2})
                equal((instance.lib, instance.name), ("redux" if is_redux else None, "App"))
                await app.client.close()
                await panel.until(lambda panel: not panel.instances)
                equal(panel.changes[-1]["change"], "disconnected")
                equal(panel.faults, [])


@check
async def buttons_send_the_frames_of_the_document():
    for is_redux in (False, True):
        async with relay() as url, App(url, is_redux) as app, Panel(url) as panel:
            await panel.until(rows(1))
            await app.increase()
            await panel.until(rows(2))

            async def press(method, *arguments):
                count = len(panel.frames)
                await getattr(panel, method)(*arguments)
                channel, frame = panel.frames[count]
                got_channel, got = await app.last(frame["type"])
                while got != frame:
                    await asyncio.sleep(0.01)
                    got_channel, got = await app.last(frame["type"])
                equal(got_channel, channel.split("-")[0])
                equal(frame.pop("instanceId"), "i")
                if isinstance(frame.get("action"), dict):
                    frame["action"].pop("timestamp", None)
                return got_channel, printed(frame)

            def dispatch(action, state=None):
                return "sc", printed({"type": "DISPATCH", "action": action} | (
                    {} if is_redux or state is None else {"state": state}))

            equal(await press("jump", 0), dispatch(
                {"type": "JUMP_TO_ACTION", "actionId": 0}, '{"counter":0}'))
            equal(panel.instance().current_state, {"counter": 0})
            equal(await press("rollback"), dispatch({"type": "ROLLBACK"}, '{"counter":0}'))
            equal(await press("reorder", 4, 2), dispatch(
                {"type": "REORDER_ACTION", "actionId": 4, "beforeActionId": 2}))
            for name in ("commit", "reset", "sweep"):
                equal(await press(name), dispatch({"type": name.upper()}))
            channel, text = await press("toggle", 1)
            frame = json.loads(text)
            equal(frame["action"], {"type": "TOGGLE_ACTION", "id": 1})
            if not is_redux:
                lifted = json.loads(frame["state"])
                equal(lifted["actionsById"]["1"]["stack"], {"$jsan": "u"})
            equal(await press("pause", True), (
                "respond",
                '{"type":"DISPATCH","action":{"type":"PAUSE_RECORDING","status":true}}'))
            if is_redux:
                equal(await press("lock", True), (
                    "respond",
                    '{"type":"DISPATCH","action":{"type":"LOCK_CHANGES","status":true}}'))
            else:
                try:
                    await panel.lock(True)
                except ValueError:
                    pass
                else:
                    raise AssertionError("the lock could be pressed")
            equal(await press("dispatch_text", "{type:'a'}"), (
                "sc", '{"type":"ACTION","action":"{type:\'a\'}"}'))
            equal(await press("dispatch_creator", "inc", 0, ["42"]), (
                "sc",
                '{"type":"ACTION","action":{"name":"inc","selected":0,"args":["42"],"rest":"[]"}}'))
            equal(await press("import_file", "{}"), ("sc", '{"type":"IMPORT","state":"{}"}'))
            file = json.loads(await panel.export())
            if is_redux:
                equal(file, {"payload": '[{"type":"inc"}]', "preloadedState": '{"counter":0}'})
            else:
                equal(len(file["computedStates"]), 2)


@check
async def nobody_is_addressed_without_an_instance():
    async with relay() as url, Client(url) as watcher, Panel(url) as panel:
        await watcher.subscribe("respond")
        await panel.reset()
        while (publication := await watcher.publications.get())[1]["type"] != "DISPATCH":
            pass
        equal(publication[1]["instanceId"], "default")


@check
async def histories_follow_the_reducers():
    async with relay() as url, Panel(url) as panel, Client(url) as app:
        async def send(kind, **values):
            await app.transmit("log", {"type": kind, "id": app.id, "instanceId": "i", **values})

        await send("INIT", payload="0", action='{"timestamp":5}', maxAge=3)
        await send("ACTION", payload="[1,2]", action='[{"type":"a"},{"type":"b"}]')
        await panel.until(rows(3))
        instance = panel.instance()
        equal(instance.lifted["actionsById"]["0"]["timestamp"], 5)
        equal([one["state"] for one in instance.lifted["computedStates"]], [0, 1, 2])
        await send("ACTION", payload="3", action='{"type":"c"}', nextActionId=4, maxAge=3)
        await send("LIFTED", liftedState={"isPaused": True})
        await panel.until(lambda panel: panel.instance().lifted.get("isPaused"))
        equal(instance.lifted["stagedActionIds"], [0, 2, 3])
        equal((instance.lifted["committedState"], instance.current_state), (1, 3))
        await send(
            "PARTIAL_STATE", maxAge=3, committedState=True,
            payload={"nextActionId": 5, "stagedActionIds": [0, 3, 4], "currentStateIndex": 2},
            actionsById='{"4":{"type":"PERFORM_ACTION","action":{"type":"d"},"timestamp":1}}',
            computedStates='[{"state":4}]')
        await panel.until(lambda panel: panel.instance().lifted["nextActionId"] == 5)
        equal(instance.action_types, ["@@INIT", "c", "d"])
        equal([one["state"] for one in instance.lifted["computedStates"]], [2, 3, 4])
        await send("ACTION", payload="{", action="{}")
        await send("ERROR", payload="oh")
        await panel.until(lambda panel: panel.errors)
        equal((panel.errors, len(panel.faults), len(instance.action_types)), (["oh"], 1, 3))
        await app.transmit("log-noid", {"type": "INIT", "payload": "7", "instanceId": "j"})
        await panel.until(lambda panel: "j" in panel.instances)
        equal((panel.instances["j"].connection, panel.active), (app.id, "j"))


@check
async def synchronizing_sends_the_selected_history():
    async with relay() as url, App(url, True) as app, Panel(url) as panel:
        await panel.until(rows(1))
        await panel.select("i")
        await panel.sync()
        await app.increase()
        channel, frame = await app.last("SYNC")
        equal((channel, frame["id"], frame["instanceId"]), ("respond", app.client.id, "i"))
        equal(json.loads(frame["state"])["nextActionId"], 2)


async def main():
    failures = 0
    for function in CHECKS:
        try:
            await asyncio.wait_for(function(), 20)
            print("ok  ", function.__name__)
        except Exception:
            failures += 1
            print("FAIL", function.__name__)
            traceback.print_exc()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
