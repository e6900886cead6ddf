"""A monitor by Socket.IO: prints each `log` as a JSON line, and emits each line of standard input as
`dispatch`.

    cluster_monitor.py URL
"""

import asyncio
import json
import sys
import threading

import socketio


def show(change):
    print(json.dumps(change, separators=(",", ":"), ensure_ascii=False), flush=True)


async def main():
    client = socketio.AsyncClient()
    client.on("log", show)
    await client.connect(sys.argv[1], transports=["websocket"])
    show({"type": "connected"})
    loop = asyncio.get_running_loop()

    async def dispatch(line):
        await client.emit("dispatch", json.loads(line))

    def read():
        for line in sys.stdin:
            asyncio.run_coroutine_threadsafe(dispatch(line), loop).result()

    # A daemon: a read that waits must not keep the process.
    threading.Thread(target=read, daemon=True).start()
    await client.wait()


if __name__ == "__main__":
    asyncio.run(main())
