"""Behaves as the panel of the Redux DevTools: in what it says when, and what its buttons send.

    panel.py URL        prints one JSON line per change; each line of standard input is a method
                        and its arguments: ["jump", 2]
"""

import argparse
import asyncio
import json
import sys
import threading
import time

from websockets.exceptions import ConnectionClosed

from history import Instance, printed
from socketcluster import PATIENCE, CallError, Client

METHODS = (
    "select jump jump_to_state toggle reorder sweep commit rollback reset lock pause "
    "dispatch_text dispatch_creator import_file export sync close").split()


class Panel:
    """One panel. `instances` are its histories by instance id, `changes` what happened, as
    dictionaries with `change`, and `faults` the messages it could not digest."""

    def __init__(self, url):
        self.client = Client(url)
        self.instances = {}
        self.selected = None
        self.current = None
        self.is_synchronizing = False
        self.changes = []
        self.errors = []
        self.faults = []
        self.exports = []
        self.frames = []
        self.on_change = None
        self._is_closing = False
        self._changed = asyncio.Condition()
        self._reader = None

    async def __aenter__(self):
        return await self.connect()

    async def __aexit__(self, *_):
        await self.close()

    async def connect(self):
        await self.client.connect()
        channel = await self.client.invoke("login", {})
        self._reader = asyncio.create_task(self._read())
        await self.client.subscribe(channel)
        await self.client.subscribe("report")
        await self._note("connected", id=self.client.id, channel=channel)
        await self._emit("START")
        return self

    async def close(self):
        self._is_closing = True
        await self.client.close()
        if self._reader:
            await self._reader

    async def until(self, predicate, timeout=PATIENCE):
        """Waits until `predicate(self)` is true, and returns what it gives."""
        async with self._changed:
            return await asyncio.wait_for(
                self._changed.wait_for(lambda: predicate(self)), timeout)

    def instance(self, instance_id=None):
        """The instance of that id, or the one the buttons act on."""
        return self.instances.get(instance_id or self.active)

    @property
    def active(self):
        return self.selected or self.current or "default"

    # What the app sends

    async def _read(self):
        while (publication := await self.client.publications.get()) is not None:
            channel, data = publication
            try:
                if channel == "log":
                    await self._logged(data)
                else:
                    await self._note("report", data=data)
            except ConnectionClosed as error:
                # A panel that is leaving does not answer.
                if not self._is_closing:
                    self.faults.append((data, error))
            except Exception as error:
                self.faults.append((data, error))
                await self._note("fault", data=data, error=f"{type(error).__name__}: {error}")
        await self._note("closed", code=self.client.close_code)

    async def _logged(self, request):
        kind, connection = request.get("type"), request.get("id")
        if kind == "DISCONNECTED":
            await self._disconnected(connection)
        elif kind == "START":
            await self._note("start", id=connection, name=request.get("name"))
            await self._emit("START", connection=connection)
        elif kind == "ERROR":
            self.errors.append(request.get("payload"))
            await self._note("error", text=request.get("payload"))
        elif kind == "EXPORT":
            await self._exported(request)
        else:
            inner = request.get("data")
            await self._update({**inner, "id": connection} if inner else request)

    async def _disconnected(self, connection):
        gone = [key for key, one in self.instances.items() if one.connection == connection]
        for key in gone:
            del self.instances[key]
        if self.selected in gone:
            self.selected = None
        if self.current in gone:
            self.current = next(reversed(self.instances), None)
        await self._note("disconnected", id=connection, instances=gone)

    async def _update(self, request):
        key = request.get("instanceId") or request.get("id")
        if key not in self.instances:
            self.instances[key] = Instance(key, request)
        instance = self.instances[key]
        self.current = key
        instance.update(request)
        await self._note(
            request.get("type"), id=request.get("id"), instanceId=key, name=instance.name,
            lib=instance.lib, lifted=instance.lifted)
        is_shared = self.is_synchronizing and key == self.selected
        if is_shared and request.get("type") in ("ACTION", "STATE"):
            await self._emit(
                "SYNC", state=instance.text(), id=request.get("id"), instanceId=key)

    async def _exported(self, request):
        file = {"payload": request.get("payload")}
        if request.get("committedState") is not None:
            file["preloadedState"] = request["committedState"]
        self.exports.append(printed(file))
        await self._note("EXPORT", file=self.exports[-1])

    async def _note(self, change, **values):
        entry = {"change": change, **values}
        async with self._changed:
            self.changes.append(json.loads(json.dumps(entry)))
            self._changed.notify_all()
        if self.on_change:
            self.on_change(entry)

    # The buttons

    async def _emit(self, kind, connection=None, **values):
        """To one connection, or to all."""
        present = {key: value for key, value in values.items() if value is not None}
        channel, frame = f"sc-{connection}" if connection else "respond", {"type": kind, **present}
        self.frames.append((channel, frame))
        await self.client.transmit(channel, frame)

    async def _act(self, kind, to_all=False, action=None, state=None):
        """To the active instance; broadcast, as by the original, if there is none."""
        instance = self.instance()
        connection = None if to_all or instance is None else instance.connection
        await self._emit(
            kind, connection, action=action, state=state, instanceId=self.active)

    async def _dispatch(self, action, state=None, to_all=False):
        await self._act("DISPATCH", to_all, action, state)

    def _echo(self, make):
        """What goes back to an app that keeps no history of its own."""
        instance = self.instance()
        return None if instance is None or instance.lib == "redux" else make(instance)

    async def select(self, instance_id):
        self.selected = instance_id

    async def jump(self, action_id):
        state = self._echo(lambda one: printed(one.state_after(action_id)))
        if self.instance():
            self.instance().jump(action_id)
        await self._dispatch({"type": "JUMP_TO_ACTION", "actionId": action_id}, state)

    async def jump_to_state(self, index):
        """As old and custom monitors jump: by position."""
        state = self._echo(lambda one: printed(one.lifted["computedStates"][index]["state"]))
        if self.instance():
            self.instance().lifted["currentStateIndex"] = index
        await self._dispatch({"type": "JUMP_TO_STATE", "index": index}, state)

    async def toggle(self, action_id):
        state = self._echo(lambda one: one.text(marks_undefined=True))
        await self._dispatch({"type": "TOGGLE_ACTION", "id": action_id}, state)

    async def reorder(self, action_id, before_action_id):
        await self._dispatch({
            "type": "REORDER_ACTION", "actionId": action_id, "beforeActionId": before_action_id})

    async def sweep(self):
        self._echo(lambda one: one.sweep())
        await self._dispatch({"type": "SWEEP"})

    async def commit(self):
        await self._dispatch({"type": "COMMIT", "timestamp": int(time.time() * 1000)})

    async def rollback(self):
        state = self._echo(lambda one: printed(one.lifted["computedStates"][0]["state"]))
        await self._dispatch({"type": "ROLLBACK", "timestamp": int(time.time() * 1000)}, state)

    async def reset(self):
        await self._dispatch({"type": "RESET", "timestamp": int(time.time() * 1000)})

    async def lock(self, status=True):
        """Raises unless the instance is a redux one, where alone the button can be pressed."""
        if self.instance() is None or not self.instance().features.get("lock"):
            raise ValueError("the lock is disabled")
        await self._dispatch({"type": "LOCK_CHANGES", "status": status}, to_all=True)

    async def pause(self, status=True):
        await self._dispatch({"type": "PAUSE_RECORDING", "status": status}, to_all=True)

    async def dispatch_text(self, text):
        """`text` is an expression of JavaScript."""
        await self._act("ACTION", action=text)

    async def dispatch_creator(self, name, selected, args, rest="[]"):
        """`args` and `rest` are expressions of JavaScript."""
        await self._act(
            "ACTION", action={"name": name, "selected": selected, "args": args, "rest": rest})

    async def import_file(self, text):
        await self._act("IMPORT", state=text)

    async def export(self, timeout=PATIENCE):
        """The text of the file that is saved, which the app may be asked for."""
        instance = self.instance()
        if instance and instance.features.get("export") is True:
            return instance.text()
        count = len(self.exports)
        await self._act("EXPORT")
        await self.until(lambda panel: len(panel.exports) > count, timeout)
        return self.exports[count]

    async def sync(self, is_on=True):
        """From now on the selected instance's history goes to all apps."""
        self.is_synchronizing = is_on


async def obey(panel):
    """Presses buttons as standard input says."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue()

    def read():
        # A thread, because not every standard input can be waited for: a file cannot.
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)

    threading.Thread(target=read, daemon=True).start()
    while True:
        line = await lines.get()
        try:
            name, *arguments = json.loads(line)
            if name not in METHODS:
                raise ValueError(f"no method {name}")
            result = await getattr(panel, name)(*arguments)
            say({"change": "done", "method": name, "result": result})
        except (ValueError, TypeError, CallError, asyncio.TimeoutError) as error:
            say({"change": "refused", "line": line, "error": repr(error)})


def say(entry):
    print(printed(entry), flush=True)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url", nargs="?", default="ws://127.0.0.1:8000/socketcluster/")
    panel = Panel(parser.parse_args().url)
    panel.on_change = say
    await panel.connect()
    orders = asyncio.create_task(obey(panel))
    await panel.client.wait_closed()
    orders.cancel()
    await panel.close()


if __name__ == "__main__":
    asyncio.run(main())
