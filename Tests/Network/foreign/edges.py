"""A stranger on the link whose numbers are the ends of what fields hold (§7.2).

    edges.py known
    edges.py random --seconds S [--seed N]

`known`: three sequences of datagrams that once ended every viewer. `random`: messages of all kinds
about few sessions, one of them a real app's, to the group, to that app and to who says hello.
"""

import argparse
import random
import select
import socket
import time

from wire import Refused, check, decode_datagram, encode_datagram, small

GROUP = "239.255.83.83"
LAST = 2**64 - 2  # the largest sequence there is
EDGES = [0, 1, 2, 3, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**63 + 1,
         LAST - 1, LAST, LAST + 1]
COOKIE = 7


def progress(newest, oldest, record, record_packet):
    return {"newest_packet": newest, "oldest_packet": oldest, "newest_record": record,
            "record_packet": record_packet, "state_packet": 0, "state_count": 0}


def heartbeat(session, how_far, **more):
    return {"kind": "heartbeat", "session": session, "position": 0, "uptime": 1,
            "instance": session.to_bytes(16, "big"), "process": 1, "abilities": 3, "size": 1_472,
            "states_given_up": 0, "records_given_up": 0, "records_made": 0, "moves": 0,
            "app": f"edge{session}", "host": "nowhere", "type": "", "realm": ""} | how_far | more


class Stranger:
    def __init__(self, options):
        self.options, self.random = options, random.Random(options.seed)
        self.group = (GROUP, options.port)
        own = socket.inet_aton(options.address)
        self.own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
        self.own.bind((options.address, 0))
        self.member = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.member.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.member.bind(self.group)
        self.member.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                               socket.inet_aton(GROUP) + own)
        self.viewers = {}  # who said hello: viewer, since
        self.app = None  # its address and session
        self.cookie = COOKIE
        self.sent = self.hellos = 0

    def send(self, values, to=None):
        try:
            self.own.sendto(encode_datagram(values), to or self.group)
            self.sent += 1
        except OSError:
            pass  # no room

    def listen(self, seconds, answer):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for ready in select.select([self.own, self.member], [], [], left)[0]:
                octets, source = ready.recvfrom(65_536)
                try:
                    heard = decode_datagram(octets)
                except Refused:
                    continue
                if heard["kind"] == "heartbeat" and not heard["app"].startswith("edge"):
                    self.app = (source, heard["session"])
                if heard["kind"] == "welcome":
                    self.cookie = heard["cookie"]
                if heard["kind"] == "hello" and ready is self.own:
                    self.hellos += 1
                    self.viewers[source] = heard
                    answer(heard, source)

    def welcome(self, hello, source, how_far, packet):
        self.send({"kind": "welcome", "session": hello["session"], "viewer": hello["viewer"],
                   "cookie": COOKIE, "wanted": hello["since"], "since": packet,
                   "since_packet": packet} | how_far, source)

    # What once ended a viewer

    def known(self):
        losses, behind, backlog = (1_001, 1_002), 1_003, 1_004
        everything = progress(LAST, 1, LAST, LAST)
        nothing = progress(0, 1, 0, 0)

        def answer(hello, source):
            is_backlog = hello["session"] == backlog
            self.welcome(hello, source, everything if is_backlog else nothing, int(is_backlog))

        for session in losses:
            self.send(heartbeat(session, progress(1, 1, 1, 1)))
        self.send(heartbeat(behind, nothing))
        self.send(heartbeat(backlog, everything))
        self.listen(1, answer)
        for session in losses:
            self.send(heartbeat(session, progress(2, 3, LAST, 2)))
        for packet in (LAST, LAST, LAST - 1):
            self.send({"kind": "data", "session": behind, "packet": packet, "retained": 0,
                       "frames": b""})
        self.listen(1, answer)

    # Anything

    def number(self):
        return self.random.choice(EDGES)

    def any_progress(self):
        newest, record = min(self.number(), LAST), min(self.number(), LAST)
        oldest = min(max(self.number(), 1), newest + 1)
        if not newest or not record:
            return progress(newest, oldest, 0, 0)
        return progress(newest, oldest, record, min(max(self.number(), 1), newest))

    def for_viewers(self, session):
        kind = self.random.choice(("heartbeat", "data", "data", "goodbye", "seek", "offer"))
        base = {"kind": kind, "session": session}
        viewer = self.random.choice([v["viewer"] for v in self.viewers.values()] or [1])
        if kind == "heartbeat":
            return heartbeat(session, self.any_progress(), position=self.number(),
                             uptime=self.number(), states_given_up=self.number(),
                             moves=self.number(), records_made=min(self.number(), LAST))
        if kind == "data":
            packet = min(max(self.number(), 1), LAST)
            return base | {"packet": packet, "frames": b"",
                           "retained": min(self.number(), packet - 1, 2**32 - 1)}
        if kind == "goodbye":
            return base | {"newest_packet": min(self.number(), LAST),
                           "newest_record": min(self.number(), LAST)}
        first = min(max(self.number(), 1), LAST)
        return base | {"viewer": viewer, "cookie": COOKIE, "first": first,
                       "newest": min(max(self.number(), first), LAST)}

    def for_app(self, session):
        kind = self.random.choice(
            ("hello", "nak", "window update", "check", "reset", "reset by delta"))
        base = {"kind": kind, "session": session, "viewer": 5, "cookie": self.cookie}
        ranges = [(max(self.number(), 1), min(max(self.number(), 1), 1_024)) for _ in range(3)]
        body = {"hello": {"since": self.number(), "name": "edge"},
                "nak": {"ranges": ranges, "flags": self.random.choice((0, 2))},
                "window update": {"newest_packet": min(self.number(), LAST),
                                  "window": min(self.number(), 2**32 - 1)},
                "check": {"key": self.number(), "second_key": self.number(), "ranges": ranges},
                "reset": {"request": self.number(), "target": self.number(), "total": 2,
                          "offset": 0, "name": "edge", "type": "application/json",
                          "octets": b"{}"}}
        # A digest, and a delta: base, base size, target size, an operation (§11.8).
        octets = self.random.randbytes(8) + b"".join(small(self.number()) for _ in range(4))
        body["reset by delta"] = body["reset"] | {"octets": octets, "total": len(octets)}
        return base | body[kind]

    def random_messages(self):
        def answer(hello, source):
            self.welcome(hello, source, self.any_progress(),
                         self.random.choice((1, min(self.number(), LAST))))

        end = time.monotonic() + self.options.seconds
        while time.monotonic() < end:
            sessions = [2_001, 2_002, 2_003]
            for _ in range(20):
                self.say(self.for_viewers(self.random.choice(sessions)), None)
                if self.app:
                    self.say(self.for_app(self.app[1]), self.app[0])
            self.listen(0.01, answer)

    def say(self, message, to):
        try:
            check(message["kind"], message)
        except Refused:
            return
        self.send(message, to)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("known", "random"))
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8_383)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    stranger = Stranger(options)
    stranger.known() if options.what == "known" else stranger.random_messages()
    print(f"sent={stranger.sent} hellos={stranger.hellos}")


main()
