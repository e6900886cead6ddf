"""One of many Socket.IO servers that share their events by Redis: what anybody emits as `log` or
`dispatch` on one is emitted to everybody on all.

    cluster_relay.py --redis redis://127.0.0.1:6379    prints `listening PORT`
"""

import argparse
import asyncio
import signal

import socketio
from aiohttp import web

CHANNEL = "statesurf"


def relay(manager=None):
    """A server that passes everything on, the sender included."""
    server = socketio.AsyncServer(
        async_mode="aiohttp", client_manager=manager, max_http_buffer_size=64 << 20)

    async def passed_on(event, data):
        await server.emit(event, data)

    @server.on("log")
    async def logged(_, data):
        await passed_on("log", data)

    @server.on("dispatch")
    async def dispatched(_, data):
        await passed_on("dispatch", data)

    return server


async def serve(server, port=0):
    """Starts to listen on loopback, and returns the runner and the port."""
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    return runner, runner.addresses[0][1]


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0, help="0 for any")
    parser.add_argument("--redis", metavar="URL", help="none: it is alone")
    arguments = parser.parse_args()
    manager = None
    if arguments.redis:
        manager = socketio.AsyncRedisManager(arguments.redis, channel=CHANNEL)
    runner, port = await serve(relay(manager), arguments.port)
    print("listening", port, flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
