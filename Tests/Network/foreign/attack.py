"""A stranger on the link who sends again what others said, or asks for what costs them room.

    attack.py record FILE                     every datagram on loopback, until it is ended
    attack.py replay FILE                     all of them again, to everybody, in any order
    attack.py noise FILE --count N            what looks like them, and is not
    attack.py totals --app NAME --count N     uploads that promise 64 MiB, and bring a little
    attack.py slow --app NAME --seconds S     viewers who ask for everything, and read nothing

Needs root, to hear others and to speak from their ports.
"""

import argparse
import json
import random
import socket
import struct
import sys
import time

from seal import DATA, HEADER
from viewer import Viewer
from wire import CONTENT_MAX, NONE, encode_datagram

ALL_PROTOCOLS, OUTGOING, UDP = 0x0003, 4, 17
KEPT_MAX = 600  # of what was recorded: the rest is more of the same
PAUSE_EVERY, PAUSE = 20, 0.002  # what the socket has no room for proves nothing


def record(path):
    """One line for each datagram: from which port, to whom, what."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) as ear, \
            open(path, "w", buffering=1) as file:
        ear.bind(("lo", 0))
        print("listening", flush=True)
        while True:
            frame, (_, _, direction, *_) = ear.recvfrom(65_536)
            packet = frame[14:]
            if direction != OUTGOING or packet[9] != UDP:
                continue
            datagram = packet[4 * (packet[0] & 15) :]
            source, port = struct.unpack(">HH", datagram[:4])
            target = socket.inet_ntoa(packet[16:20]), port
            file.write(json.dumps([source, target, datagram[8:].hex()]) + "\n")


class Recording:
    def __init__(self, path):
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        self.all = [(source, tuple(target), bytes.fromhex(text)) for source, target, text in lines]
        # Each kind of datagram has its share, the newest of each.
        kinds = {octets[3] for _, _, octets in self.all}
        self.some = [one for kind in sorted(kinds) for one in
                     [each for each in self.all if each[2][3] == kind][-KEPT_MAX // len(kinds) :]]
        self.targets = sorted({target for _, target, _ in self.all}
                              | {("127.0.0.1", source) for source, _, _ in self.all})


class Stranger:
    def __init__(self, options):
        self.random, self.count = random.Random(options.seed), 0
        self.own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
        for one in (self.own, self.raw):
            one.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))

    def send(self, octets, target, source=None):
        """From another's port, if one is given."""
        if source is None:
            self.own.sendto(octets, target)
        else:
            header = struct.pack(">HHHH", source, target[1], 8 + len(octets), 0)
            self.raw.sendto(header + octets, (target[0], 0))
        self.count += 1
        if self.count % PAUSE_EVERY == 0:
            time.sleep(PAUSE)

    def replay(self, recording):
        for source, target, octets in recording.some:
            self.send(octets, target, source)
        for source, target, octets in reversed(recording.some):
            self.send(octets, target, source)
        shuffled = self.random.sample(recording.some, len(recording.some))
        for source, target, octets in shuffled:
            self.send(octets, target)
            # To somebody else, and to its sender.
            self.send(octets, self.random.choice(recording.targets), source)
            self.send(octets, ("127.0.0.1", source))

    def noise(self, recording, count):
        ways = (self.garbled, self.cut, self.under_another_key, self.opened)
        for _ in range(count):
            source, target, octets = self.random.choice(recording.some)
            octets = self.random.choice(ways)(octets)
            self.send(octets, target, self.random.choice((source, None)))

    def garbled(self, octets):
        size = HEADER + (8 if octets[3] == DATA else 16)
        return octets[:size] + self.random.randbytes(max(len(octets) - size, 0))

    def cut(self, octets):
        return octets[: self.random.randrange(len(octets))]

    def under_another_key(self, octets):
        return octets[:5] + bytes([self.random.randrange(1, 256)]) + octets[6:]

    def opened(self, octets):
        """As if nothing were sealed: a heartbeat that is far ahead, a goodbye, a packet."""
        session, far = struct.unpack(">Q", octets[8:16])[0], 1_000_000
        kind = self.random.choice(("heartbeat", "goodbye", "data"))
        return encode_datagram({
            "kind": kind, "session": session or 1, "packet": far, "retained": 1, "frames": b"",
            "newest_packet": far, "oldest_packet": far, "newest_record": far,
            "record_packet": far, "state_packet": 0, "state_count": 0, "position": 0,
            "uptime": 1 << 40, "instance": bytes(16), "process": 1, "abilities": 67, "size": 1_472,
            "states_given_up": 0, "records_given_up": 0, "records_made": far, "moves": 0,
            "app": "mallory", "host": "nowhere", "type": "", "realm": ""})


class Guest(Viewer):
    """Who has a cookie, and makes use of it."""

    def meet(self):
        end = time.monotonic() + self.options.timeout
        session = self.choose(end)
        while session and session.cookie is None and time.monotonic() < end:
            self.step(0.01)
        if session is None or session.cookie is None:
            sys.exit("no such app answered")
        return session

    def totals(self):
        session, bits = self.meet(), random.Random(self.options.seed)
        for number in range(self.options.count):
            # Of one request each, and then of four: pieces from its beginning, and from anywhere.
            is_new = number % 2 == 0
            offset = bits.choice((0, bits.randrange(CONTENT_MAX - 1_000)))
            self.transmit(session.encode(
                "reset", self, request=number if is_new else number % 4, target=NONE,
                total=CONTENT_MAX, offset=offset, name=self.name, type="application/json",
                octets=b"1" * 1_000), session)
            if number % PAUSE_EVERY == 0:
                time.sleep(PAUSE)

    def slow(self):
        """Asks for all of the past again and again and reports room for a single packet."""
        session = self.meet()
        self.sockets.own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        end = time.monotonic() + self.options.seconds
        print("met", flush=True)
        while time.monotonic() < end:
            newest = self.newest_heard(session)
            self.transmit(session.encode("window update", self, newest_packet=newest, window=1),
                          session)
            self.transmit(session.encode("nak", self, flags=2, ranges=[
                (max(newest - 4_000, 1), min(max(newest, 1), 4_000))]), session)
            time.sleep(0.01)

    def newest_heard(self, session):
        """Of the group; what is sent to it alone is never read."""
        while True:
            try:
                fields, _ = self.read(self.sockets.group.recv(2_048))
            except BlockingIOError:
                return session.newest_read
            if fields["session"] == session.heartbeat["session"]:
                session.newest_read = max(session.newest_read, fields.get("packet", 0),
                                          fields.get("newest_packet", 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("record", "replay", "noise", "totals", "slow"))
    parser.add_argument("file", nargs="?")
    parser.add_argument("--group", default="239.255.83.83")
    parser.add_argument("--port", type=int, default=8_383)
    parser.add_argument("--interface", default="127.0.0.1")
    parser.add_argument("--app")
    parser.add_argument("--realm", default="")
    parser.add_argument("--name", default="mallory")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.set_defaults(drop=0, key=None, claims_to_drive=False)
    options = parser.parse_args()
    if options.what == "record":
        record(options.file)
    if options.what in ("totals", "slow"):
        return getattr(Guest(options), options.what)()
    stranger, recording = Stranger(options), Recording(options.file)
    extra = [options.count] if options.what == "noise" else []
    getattr(stranger, options.what)(recording, *extra)
    print(f"{stranger.count} datagrams of {len(recording.all)}", flush=True)


main()
