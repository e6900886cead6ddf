"""A stranger on the link who claims sessions that nobody has, or other people's.

    stranger.py waves --sessions N --packets N [--waves N] [--late]
    stranger.py crowd --sessions N --seconds S
    stranger.py blind --pid PID [--exact]

`waves`: sessions whose packets lack the first, or (every second one) whose records never end; each
wave begins when the one before is over. `crowd`: heartbeats of sessions, again every 300 ms.
`blind`: heartbeats of the session of that process, a million packets and records ahead; `--exact`:
from its own address (root alone may).
All are sent to the group, from a socket of its own: `--interface`'s address, `--port`.
"""

import argparse
import random
import socket
import struct
import time

from wire import Refused, decode_datagram, encode_datagram, encode_frame

GROUP = "239.255.83.83"
FAR = 1_000_000


def heartbeat(session, newest, record, process=1):
    return encode_datagram({
        "kind": "heartbeat", "session": session,
        "newest_packet": newest, "oldest_packet": max(newest, 1),
        "newest_record": record, "record_packet": newest if record else 0, "state_packet": 0,
        "state_count": 0, "position": 0, "uptime": 1 << 40,
        "instance": session.to_bytes(16, "big"), "process": process, "abilities": 0, "size": 1_472,
        "states_given_up": 0, "records_given_up": 0, "records_made": record, "moves": 0,
        "app": f"nobody{session % 1_000}", "host": "nowhere", "type": "", "realm": ""})


def goodbye(session):
    return encode_datagram({"kind": "goodbye", "session": session, "newest_packet": 0,
                            "newest_record": 0})


def data(session, packet, offset):
    size = 1_400
    piece = encode_frame({"kind": "fragment", "record": 1, "total": 68_000_000, "offset": offset,
                          "octets": b"x" * size})
    return encode_datagram({"kind": "data", "session": session, "packet": packet,
                            "retained": packet - 1, "frames": piece}), size


class Stranger:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.target = (GROUP, options.port)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        address = socket.inet_aton(options.address)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)

    def send(self, datagram):
        self.socket.sendto(datagram, self.target)

    def sessions(self):
        return [self.random.getrandbits(63) | 1 for _ in range(self.options.sessions)]

    def waves(self):
        for _ in range(self.options.waves):
            wave = self.sessions()
            for session in wave:
                self.send(heartbeat(session, 0, 0))
            time.sleep(0.5)  # by then they are followed
            self.wave(wave)
            print("wave", flush=True)
            input()
            for session in wave:
                self.send(goodbye(session))

    def wave(self, sessions):
        offsets = dict.fromkeys(sessions, 0)
        for number in range(self.options.packets):
            for index, session in enumerate(sessions):
                # Packet 1 never comes for one half, so that all others wait for it.
                packet = number + 1 + index % 2
                datagram, size = data(session, packet, offsets[session])
                offsets[session] += size
                self.send(datagram)
            if number % 20 == 0:
                time.sleep(0.002)  # what the socket has no room for proves nothing
            if number % 400 == 0:
                for session in sessions:
                    self.send(heartbeat(session, 0, 0))

    def crowd(self):
        sessions, end = self.sessions(), time.monotonic() + self.options.seconds
        while time.monotonic() < end:
            for session in sessions:
                self.send(heartbeat(session, 0, 0))
            time.sleep(0.3)

    def blind(self):
        session, port = self.overhear(self.options.pid)
        print("overheard", flush=True)
        input()
        for _ in range(5):
            lie = heartbeat(session, FAR, FAR, self.options.pid)
            if self.options.exact:
                self.forge(lie, port)
            else:
                self.send(lie)
            time.sleep(0.1)
        print("told", flush=True)

    def forge(self, datagram, port):
        raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
        raw.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF,
                       socket.inet_aton(self.options.address))
        header = struct.pack(">HHHH", port, self.options.port, 8 + len(datagram), 0)
        raw.sendto(header + datagram, (GROUP, 0))
        raw.close()

    def overhear(self, process):
        member = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        member.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        member.bind(self.target)
        member.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                          socket.inet_aton(GROUP) + socket.inet_aton(self.options.address))
        member.settimeout(20)
        while True:
            try:
                octets, source = member.recvfrom(2_048)
                heard = decode_datagram(octets)
            except Refused:
                continue
            if heard["kind"] == "heartbeat" and heard["process"] == process:
                return heard["session"], source[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("waves", "crowd", "blind"))
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8_383)
    parser.add_argument("--sessions", type=int, default=16)
    parser.add_argument("--packets", type=int, default=4_000)
    parser.add_argument("--waves", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--pid", type=int, default=0)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    stranger = Stranger(parser.parse_args())
    getattr(stranger, stranger.options.what)()


main()
