"""Speaks RemoteInspector, as a front end or as an app.

    inspector.py front URL         says `subscribe`, and prints each text message as a line
    inspector.py app URL [AGENT]   sends each line of standard input in a text frame; a line that
                                   begins with "binary " goes in a binary frame, one with "pieces "
                                   in several frames
"""

import asyncio
import sys

from websockets.asyncio.client import connect


async def front(url):
    async with connect(url, max_size=None) as socket:
        await socket.send('{"type":"subscribe"}')
        async for message in socket:
            if not isinstance(message, str):
                raise TypeError("a front end hears text alone")
            print(message, flush=True)


def frames(line):
    """What to send for a line; a list goes as one message in several frames."""
    word, _, rest = line.partition(" ")
    if word == "binary":
        return rest.encode()
    if word == "pieces":
        return [rest[:1], rest[1:7], rest[7:]]
    return line


async def app(url, agent):
    loop = asyncio.get_running_loop()
    async with connect(url, user_agent_header=agent) as socket:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            await socket.send(frames(line.rstrip("\n")))


role, url, *rest = sys.argv[1:]
try:
    asyncio.run(front(url) if role == "front" else app(url, rest[0] if rest else "FoodNoms/12"))
except KeyboardInterrupt:
    pass
