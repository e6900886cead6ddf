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


def relay(manager=None, skips_sender=False):
    """A server that passes everything on, to the sender too unless it is skipped."""
    server = socketio.AsyncServer(
        async_mode="aiohttp", client_manager=manager, max_http_buffer_size=64 << 20)

    async def passed_on(event, sender, data):
        await server.emit(event, data, skip_sid=sender if skips_sender else None)

    @server.on("log")
    async def logged(sender, data):
        await passed_on("log", sender, data)

    @server.on("dispatch")
    async def dispatched(sender, data):
        await passed_on("dispatch", sender, data)

    return server


async def serve(server, port=0):
    """Starts to listen on loopback, and returns the runner and the port."""
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    return runner, runner.addresses[0][1]


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0, help="0 for any")
    parser.add_argument("--redis", metavar="URL", help="none: it is alone")
    parser.add_argument("--skip-sender", action="store_true")
    arguments = parser.parse_args()
    manager = None
    if arguments.redis:
        manager = socketio.AsyncRedisManager(arguments.redis, channel=CHANNEL)
    runner, port = await serve(relay(manager, arguments.skip_sender), arguments.port)
    print("listening", port, flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
