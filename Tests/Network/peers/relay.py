"""A relay that behaves as the official one, @redux-devtools/cli, over SocketCluster v2.

    relay.py --port 0        prints `listening PORT`
"""

import argparse
import asyncio
import http
import json
import secrets
import signal

import websockets
from websockets.asyncio.server import serve

PATH = "/socketcluster/"


def printed(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Relay:
    """All connections, and who of them watches which channel."""

    def __init__(self, ping_interval=8.0, ping_timeout=20.0, handshake_timeout=10.0):
        self.ping_interval = ping_interval
        self.ping_timeout = ping_timeout
        self.handshake_timeout = handshake_timeout
        self.sockets = set()
        self.reports = []

    def publish(self, channel, data):
        """To every subscriber, the sender included."""
        text = printed({"event": "#publish", "data": {"channel": channel, "data": data}})
        for socket in self.sockets:
            if channel in socket.channels:
                socket.send(text)

    async def handle(self, websocket):
        await Socket(self, websocket).run()

    def check_path(self, connection, request):
        if request.path.split("?")[0] != PATH:
            return connection.respond(http.HTTPStatus.BAD_REQUEST, "Bad Request\n")
        return None

    async def serve(self, port=0, host="127.0.0.1"):
        """Starts to listen, and returns the server; `server.sockets[0].getsockname()[1]` is the
        port."""
        return await serve(
            self.handle, host, port, process_request=self.check_path, max_size=None,
            ping_interval=None, compression=None)


class Socket:
    """One connection."""

    def __init__(self, relay, websocket):
        self.relay = relay
        self.websocket = websocket
        self.id = secrets.token_urlsafe(15)[:20]
        self.channels = set()
        self._opened = asyncio.Event()
        # The channel for the end of this connection; `login` sets it, otherwise there is none.
        self.farewell = None
        self._outgoing = asyncio.Queue()
        self._ponged = 0.0
        self._closing = None

    async def run(self):
        self.relay.sockets.add(self)
        tasks = [asyncio.create_task(task) for task in (self._write(), self._keep_time())]
        try:
            async for message in self.websocket:
                await self._receive(message)
        except websockets.ConnectionClosed:
            pass
        finally:
            for task in tasks:
                task.cancel()
            self.relay.sockets.discard(self)
            if self.farewell:
                self.relay.publish(self.farewell, {"id": self.id, "type": "DISCONNECTED"})

    def send(self, text):
        self._outgoing.put_nowait(text)

    def answer(self, cid, data=None, error=None):
        packet = {"rid": cid}
        if error is not None:
            packet["error"] = error
        elif data is not None:
            packet["data"] = data
        self.send(printed(packet))

    async def close(self, code):
        self._closing = code
        self.channels.clear()
        await self.websocket.close(code)

    async def _write(self):
        try:
            while True:
                await self.websocket.send(await self._outgoing.get())
        except websockets.ConnectionClosed:
            pass

    async def _keep_time(self):
        """Waits for the handshake, and then pings until the client falls silent."""
        try:
            await asyncio.wait_for(self._opened.wait(), self.relay.handshake_timeout)
        except asyncio.TimeoutError:
            return await self.close(4005)
        loop = asyncio.get_running_loop()
        self._ponged = loop.time()
        due = loop.time() + self.relay.ping_interval
        while (lost := self._ponged + self.relay.ping_timeout) > loop.time():
            if loop.time() >= due:
                self.send("")
                due = loop.time() + self.relay.ping_interval
            await asyncio.sleep(max(0.0, min(due, lost) - loop.time()))
        await self.close(4001)

    async def _receive(self, message):
        if len(message) == 0:
            self._ponged = asyncio.get_running_loop().time()
            return
        try:
            packets = json.loads(message)
        except (ValueError, RecursionError):
            return
        for packet in packets if isinstance(packets, list) else [packets]:
            if self._closing is None and isinstance(packet, dict):
                await self._packet(packet)

    async def _packet(self, packet):
        event, data, cid = packet.get("event"), packet.get("data"), packet.get("cid")
        if not isinstance(event, str):
            return
        if event == "#handshake":
            await self._handshake(data, cid)
        elif not self._opened.is_set():
            await self.close(4009)
        elif cid is None:
            self._transmitted(event, data)
        elif is_number(cid):
            self._invoked(event, data, cid)

    async def _handshake(self, data, cid):
        if not is_number(cid):
            return await self.close(4008)
        status = {"id": self.id, "pingTimeout": round(self.relay.ping_timeout * 1000)}
        token = data.get("authToken") if isinstance(data, dict) else None
        if token:
            status["authError"] = {
                "message": "jwt malformed", "name": "AuthTokenInvalidError", "isBadToken": True}
        status["isAuthenticated"] = False
        self.answer(cid, status)
        if token:
            self.send(printed({"event": "#removeAuthToken"}))
        self._opened.set()

    def _transmitted(self, event, data):
        if event == "#unsubscribe":
            self.channels.discard(data)
        elif event in ("log", "respond") or event.startswith("sc-"):
            self.relay.publish(event, data)
        elif event == "log-noid":
            self.relay.publish("log", {"id": self.id, "data": data})

    def _invoked(self, event, data, cid):
        if event == "#subscribe":
            self._subscribe(data, cid)
        elif event == "#unsubscribe":
            self._unsubscribe(data, cid)
        elif event == "#publish":
            self.answer(cid, error={
                "message": "Client publish feature is disabled", "name": "InvalidActionError"})
        elif event == "login":
            is_app = data == "master"
            self.farewell = "log" if is_app else "respond"
            self.answer(cid, "respond" if is_app else "log")
        elif event == "getReport":
            found = [report for report in self.relay.reports if report.get("id") == data]
            self.answer(cid, found[0] if found else None)
        # Any other procedure is unknown, and gets no answer at all.

    def _subscribe(self, data, cid):
        channel = data.get("channel") if isinstance(data, dict) else None
        if not isinstance(channel, str):
            return self.answer(cid, error={
                "message": "Failed to subscribe socket", "name": "BrokerError"})
        self.channels.add(channel)
        if channel == "report":
            listing = [
                {key: report.get(key) for key in ("id", "title", "added")}
                for report in self.relay.reports]
            self.relay.publish("report", {"type": "list", "data": listing})
        self.answer(cid)

    def _unsubscribe(self, channel, cid):
        if not isinstance(channel, str) or channel not in self.channels:
            return self.answer(cid, error={
                "message": f"Failed to unsubscribe socket from the {channel} channel",
                "name": "BrokerError"})
        self.channels.remove(channel)
        self.answer(cid)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8000, help="0 for any")
    parser.add_argument("--ping-interval", type=float, default=8.0, metavar="SECONDS")
    parser.add_argument("--ping-timeout", type=float, default=20.0, metavar="SECONDS")
    arguments = parser.parse_args()
    relay = Relay(arguments.ping_interval, arguments.ping_timeout)
    server = await relay.serve(arguments.port)
    print("listening", server.sockets[0].getsockname()[1], flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    server.close()
    await server.wait_closed()


if __name__ == "__main__":
    asyncio.run(main())
