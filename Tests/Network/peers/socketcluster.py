"""A small client of SocketCluster v2 over the `websockets` package."""

import asyncio
import contextlib
import json

import websockets

# In seconds. What fails waits so long; a machine that others use too can take its time.
PATIENCE = 60


class CallError(Exception):
    """The server answered a call with an error, or not in time."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


class Client:
    """One connection. Publications arrive in `publications` as (channel, data) pairs, plain
    events in `events` as (name, data); after the connection ends, both end with None, and
    `close_code` tells why."""

    def __init__(self, url, ack_timeout=PATIENCE, answer_pings=True):
        self.url = url
        self.ack_timeout = ack_timeout
        self.answer_pings = answer_pings
        self.id = None
        self.status = None
        self.close_code = None
        self.pings = 0
        self.received = []
        self.channels = set()
        self.publications = asyncio.Queue()
        self.events = asyncio.Queue()
        self._calls = {}
        self._cid = 0
        self._socket = None
        self._reader = None
        self._watchdog = None
        self._ping_timeout = 20.0
        self._heard = 0.0

    async def __aenter__(self):
        return await self.connect()

    async def __aexit__(self, *_):
        await self.close()

    async def connect(self):
        """Opens the WebSocket and shakes hands."""
        self._socket = await websockets.connect(
            self.url, max_size=None, ping_interval=None, compression=None, proxy=None,
            open_timeout=PATIENCE
        )
        self._reader = asyncio.create_task(self._read())
        try:
            self.status = await self.invoke("#handshake", {"authToken": None})
        except BaseException:
            await self.close()
            raise
        self.id = self.status["id"]
        self._ping_timeout = self.status["pingTimeout"] / 1000
        self._heard = asyncio.get_running_loop().time()
        self._watchdog = asyncio.create_task(self._watch())
        return self

    async def close(self, code=1000):
        if self._socket is None:
            return
        if self._watchdog:
            self._watchdog.cancel()
        await self._socket.close(code)
        await self._reader

    async def wait_closed(self):
        """Returns the close code once the connection has ended."""
        await self._reader
        return self.close_code

    async def invoke(self, event, data=None):
        """Calls `event` and returns what it is answered; raises CallError."""
        self._cid += 1
        cid = self._cid
        answer = asyncio.get_running_loop().create_future()
        self._calls[cid] = answer
        packet = {"event": event, "cid": cid} if data is None else {
            "event": event, "data": data, "cid": cid}
        try:
            await self._send(packet)
            return await asyncio.wait_for(answer, self.ack_timeout)
        except asyncio.TimeoutError:
            raise CallError("TimeoutError", f"no answer to {event}") from None
        except websockets.ConnectionClosed:
            raise CallError("BadConnectionError", f"{event} was not sent") from None
        finally:
            self._calls.pop(cid, None)

    async def transmit(self, event, data=None):
        await self._send({"event": event} if data is None else {"event": event, "data": data})

    async def subscribe(self, channel):
        self.channels.add(channel)
        await self.invoke("#subscribe", {"channel": channel})

    async def unsubscribe(self, channel):
        self.channels.discard(channel)
        await self.invoke("#unsubscribe", channel)

    async def send_text(self, text):
        """Sends any text, for tests of the other end."""
        await self._socket.send(text)

    async def _send(self, packet):
        await self.send_text(json.dumps(packet, separators=(",", ":"), ensure_ascii=False))

    async def _read(self):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for message in self._socket:
                await self._receive(message)
        self.close_code = self._socket.close_code
        for answer in self._calls.values():
            if not answer.done():
                answer.set_exception(CallError("BadConnectionError", f"closed {self.close_code}"))
        self.publications.put_nowait(None)
        self.events.put_nowait(None)

    async def _receive(self, message):
        # A busy machine may read a long history for longer than the ping interval. The ping then
        # waits behind the rest, so anything that arrives is a sign of life.
        self._heard = asyncio.get_running_loop().time()
        if len(message) == 0:
            self.pings += 1
            if self.answer_pings:
                await self.send_text("")
            return
        self.received.append((asyncio.get_running_loop().time(), len(message)))
        try:
            packets = json.loads(message)
        except ValueError:
            return
        for packet in packets if isinstance(packets, list) else [packets]:
            if isinstance(packet, dict):
                self._dispatch(packet)

    def _dispatch(self, packet):
        event, data = packet.get("event"), packet.get("data")
        if event == "#publish":
            self.publications.put_nowait((data["channel"], data.get("data")))
        elif event == "#kickOut":
            self.channels.discard(data["channel"])
        elif isinstance(event, str) and not event.startswith("#"):
            self.events.put_nowait((event, data))
        elif event is None and packet.get("rid") in self._calls:
            answer = self._calls[packet["rid"]]
            if answer.done():
                return
            error = packet.get("error")
            if error is None:
                answer.set_result(data)
            else:
                answer.set_exception(CallError(error.get("name"), error.get("message")))

    async def _watch(self):
        """Closes with 4000 when nothing was read for the server's own `pingTimeout`."""
        loop = asyncio.get_running_loop()
        while (rest := self._heard + self._ping_timeout - loop.time()) > 0:
            await asyncio.sleep(rest)
        await self._socket.close(4000)
