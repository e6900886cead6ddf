"""A viewer of StateSurf, written from Protocol.md alone: §-numbers are its clauses.

    viewer.py --list                        who is there
    viewer.py --app NAME --records N        follows from record 1: one JSON line for each record
    viewer.py --app NAME --reset FILE       puts the app into the state in a file
    viewer.py --app NAME --command JSON     asks the app for something (§11.5)
    viewer.py --vectors Tests/Vectors       decodes and encodes the test vectors

With `--key FILE` it sees what is sealed under the key in that file, too (§18).

Exits with 0 if it did its work, 1 if not, 2 if that took too long.
"""

import argparse
import json
import random
import select
import socket
import sys
import time
import zlib
from collections import Counter

import seal
import vectors
from stream import Stream
from wire import (CONTENT_MAX, DATAGRAM_MAX, NONE, Refused, decode_datagram, digest,
                  encode_datagram)

LIVENESS, EXPIRY, LEAVE = 2.6, 10, 0.1  # §14, seconds
DEAF = LIVENESS + EXPIRY + 1
HELLO_MIN, HELLO_MAX, HELLO_RENEWAL = 0.02, 0.5, 30
RESET_MIN, RESET_MAX = 0.03, 0.25
PIECES_AHEAD = 32  # §11.3
WINDOW_MAX, PACKET_MEMORY = 1_024, 2_304  # §12; what Linux counts for a full datagram
READ_MAX = 4_096  # datagrams of a socket at a time, so that a flood does not keep us from sending
OUTCOMES = ("applied", "rejected", "forbidden", "busy", "unavailable", "mismatch")
JSON = "application/json"


class Sockets:
    """G hears the group, V speaks (§5): all on one interface, with TTL 1."""

    def __init__(self, group, port, interface):
        self.probe_address = (group, port + 1)
        self.group = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.group.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.group.bind((group, port))
        member = socket.inet_aton(group) + socket.inet_aton(interface)
        self.group.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        self.own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.own.bind((interface, 0))
        own_address = socket.inet_aton(interface)
        self.own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own_address)
        for option in (socket.IP_TTL, socket.IP_MULTICAST_TTL, socket.IP_MULTICAST_LOOP):
            self.own.setsockopt(socket.IPPROTO_IP, option, 1)
        for one in (self.group, self.own):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
            one.setblocking(False)

    def window(self):
        """How many packets may come unasked: half of what fits (§12)."""
        room = self.group.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
        return min(room // PACKET_MEMORY // 2, WINDOW_MAX)

    def receive(self, timeout):
        """(datagram, source) of all that is there: who asks again must have read what came."""
        ready, _, _ = select.select([self.group, self.own], [], [], timeout)
        for one in ready:
            for _ in range(READ_MAX):
                try:
                    yield one.recvfrom(DATAGRAM_MAX + 1)
                except BlockingIOError:
                    break


class Upload:
    """A reset or a command, in pieces (§11.3)."""

    def __init__(self, kind, octets, type, name, request, growth):
        # Without octets it is the app's initial state (§11.2).
        self.body = {"kind": kind, "request": request, "target": NONE if octets else 0,
                     "total": len(octets), "name": name, "type": type}
        self.octets, self.request = octets, request
        overhead = encode_datagram(self.body | {"session": 0, "viewer": 0, "cookie": 0,
                                                "offset": 0, "octets": b""})
        self.size = DATAGRAM_MAX - len(overhead) - growth
        self.count = -(-len(octets) // self.size)
        self.received, self.ahead = 0, set()  # octets without a hole; pieces beyond one
        self.rests = {}  # piece under way: not to be sent again before
        self.next, self.lost_end = 0, 0
        self.is_alone = False  # since rule 5 there was no news
        self.pace, self.repeat_at, self.started = RESET_MIN, 0, False
        self.outcome = None

    def first(self):
        """The piece in which what is here without a hole ends."""
        return self.count if self.received == len(self.octets) else self.received // self.size

    def window(self):
        return min(self.count, self.first() + PIECES_AHEAD)

    def due(self):
        lost = [at for piece, at in self.rests.items() if piece < self.lost_end]
        lost = [] if self.is_alone else lost
        return min([self.repeat_at, *lost, *([0] if self.next < self.window() else [])])

    def pieces(self, now, envelope, wait):
        """The datagrams to send now."""
        body, again = self.body | envelope, []
        if self.repeat_at <= now:
            if self.started:  # silence, rule 5
                if self.octets and self.first() == self.count:
                    self.rests[self.count - 1] = 0
                self.rests = dict.fromkeys(self.rests, 0)
                self.lost_end = self.next
                again, self.is_alone = sorted(self.rests), True
                self.pace = min(self.pace * 2, RESET_MAX)
            self.started, self.repeat_at = True, now + self.pace
            if not self.octets:
                yield encode_datagram(body | {"offset": 0, "octets": b""})
        lost = [] if self.is_alone else sorted(
            piece for piece, at in self.rests.items() if piece < self.lost_end and at <= now)
        new = range(self.next, self.window())
        self.next = max(self.next, self.window())
        for piece in (*again, *lost, *new):
            self.rests[piece] = now + wait
            offset = piece * self.size
            yield encode_datagram(body | {"offset": offset,
                                          "octets": self.octets[offset : offset + self.size]})

    def progress(self, received, ranges, now):
        if not self.received <= received <= len(self.octets):
            return
        news, self.received = received > self.received, received
        for first, length in ranges or []:
            end = first + length
            last = self.count if end >= len(self.octets) else end // self.size
            here = range(-(-first // self.size), min(last, self.next))
            if here:
                news = news or not self.ahead.issuperset(here)
                self.ahead.update(here)
                self.lost_end = max(self.lost_end, here.stop)  # rule 2
        if ranges is None and not news:
            self.lost_end = self.next  # rule 6
        self.ahead = {piece for piece in self.ahead if piece >= self.first()}
        self.rests = {piece: at for piece, at in self.rests.items()
                      if piece >= self.first() and piece not in self.ahead}
        if news:
            self.pace, self.repeat_at, self.is_alone = RESET_MIN, now + RESET_MIN, False


class Session:
    """One app, from its first heartbeat on (§10.8, §11.1)."""

    def __init__(self, heartbeat, endpoint, now, is_sealed):
        self.heartbeat, self.endpoint, self.is_sealed = heartbeat, endpoint, is_sealed
        self.heard_at, self.gone_for = now, None  # gone_for: seconds until it expires
        self.cookie, self.hello_due, self.hello_pace, self.hello_at = None, 0, HELLO_MIN, None
        self.hellos, self.round_trip = 0, 0.005  # §10.4, rule 5
        self.stream, self.upload = None, None
        self.newest_read, self.reported = heartbeat["newest_packet"], None

    @property
    def is_shown(self):
        """§18.3: what is sealed may be a recording until it answers."""
        return not self.is_sealed or self.cookie is not None

    def is_from(self, datagram, source):
        """Renews the endpoint of one that comes back from elsewhere; False for an impostor."""
        if source != self.endpoint and self.gone_for and datagram["kind"] == "heartbeat":
            self.endpoint = source
        return source == self.endpoint

    def silence(self, now):
        """True once there is nothing more to wait for."""
        if self.gone_for is None and now > self.heard_at + LIVENESS:
            self.gone_for, self.heard_at = EXPIRY, now
        return self.gone_for is not None and now > self.heard_at + self.gone_for

    def is_back(self, now):
        """§10.9: what was given up may be had after all, and is asked for at once."""
        if self.stream and self.stream.has_expired and self.gone_for is None:
            self.stream.resume()
            self.hello_due = now

    def take(self, datagram, viewer, now):
        kind = datagram["kind"]
        if kind in ("welcome", "outcome", "progress") and datagram["viewer"] != viewer.id:
            return
        if kind == "goodbye" and self.gone_for is None:
            self.gone_for = LEAVE
        elif kind == "heartbeat" or (kind in ("data", "welcome") and self.gone_for != LEAVE):
            self.gone_for = None
        self.heard_at = now
        self.is_back(now)
        if handler := getattr(self, "take_" + kind, None):
            handler(datagram, viewer, now)

    def take_heartbeat(self, heartbeat, viewer, now):
        self.heartbeat = heartbeat
        self.newest_read = max(self.newest_read, heartbeat["newest_packet"])
        if self.stream:
            self.stream.learn(heartbeat, now)

    def take_goodbye(self, goodbye, viewer, now):
        if self.stream:
            self.stream.learn(goodbye, now)

    def take_data(self, packet, viewer, now):
        self.newest_read = max(self.newest_read, packet["packet"])
        viewer.counters["repairs"] += packet["flags"] & 1
        if self.stream:
            self.stream.data(packet, now)

    def take_welcome(self, welcome, viewer, now):
        self.cookie = welcome["cookie"]
        if self.hello_at is not None:
            self.round_trip = min(max(2 * (now - self.hello_at), 0.005), 0.1)  # §10.4
        self.hello_due, self.hello_pace, self.hello_at = now + HELLO_RENEWAL, HELLO_MIN, None
        self.hellos = 0
        if self.stream:
            self.stream.welcome(welcome, now)
            if self.stream.is_wanted:  # it answers an older question
                self.hello_due = now + HELLO_MIN

    def take_progress(self, progress, viewer, now):
        if self.upload and progress["request"] == self.upload.request:
            self.upload.progress(progress["received"], progress["ahead"], now)

    def take_outcome(self, outcome, viewer, now):
        if self.upload and outcome["request"] == self.upload.request:
            self.upload.outcome = outcome

    def sends(self, viewer, now):
        """The datagrams that are due: none to an app that is gone."""
        if self.gone_for is not None:
            return
        if now >= self.hello_due:
            self.hellos += 1
            self.hello_at = now if self.hellos == 1 else None
            self.hello_due = now + self.hello_pace
            self.hello_pace = min(2 * self.hello_pace, HELLO_MAX)
            since = self.stream.question() if self.stream else NONE
            yield self.encode("hello", viewer, since=since, name=viewer.name)
        if self.cookie is None:
            return
        if self.upload and not self.upload.outcome:
            session = self.heartbeat["session"]
            envelope = {"session": session, "viewer": viewer.id, "cookie": self.cookie}
            yield from self.upload.pieces(now, envelope, self.round_trip)
        if self.stream:
            yield from self.window_updates(viewer)
            for flags, ranges in self.stream.naks(now, self.round_trip):
                viewer.counters["NAKs"] += 1
                yield self.encode("nak", viewer, flags=flags, ranges=ranges)

    def window_updates(self, viewer):
        """§7.8: at first, and whenever a quarter of the window has been read."""
        window = viewer.sockets.window()
        if self.reported is None or self.newest_read >= self.reported + max(window // 4, 1):
            self.reported = self.newest_read
            yield self.encode("window update", viewer, newest_packet=self.newest_read, window=window)

    def encode(self, kind, viewer, **fields):
        return encode_datagram({"kind": kind, "session": self.heartbeat["session"],
                                "viewer": viewer.id, "cookie": self.cookie} | fields)

    def due(self):
        dues = [self.hello_due, self.heard_at + LIVENESS]
        if self.upload and self.cookie is not None:
            dues.append(self.upload.due())
        if self.stream and self.cookie is not None:
            dues.append(self.stream.due())
        return min(dues)


class Viewer:
    def __init__(self, options):
        self.options, self.name = options, options.name
        self.sockets = Sockets(options.group, options.port, options.interface)
        self.id = random.SystemRandom().getrandbits(64)
        self.random = random.Random(options.seed)  # of what is dropped, and of nothing else
        self.counters, self.sessions = Counter(), {}
        self.deaf_until = None  # once it was deaf, or is
        self.sealing = options.key and seal.Sealing(options.key, self.id, options.claims_to_drive)

    def up_to(self, seconds):
        return random.uniform(0, seconds)

    def probe(self):
        probe = encode_datagram({"kind": "probe", "session": 0, "viewer": self.id})
        probes = [probe, self.sealing.seal(probe)] if self.sealing else [probe]  # §18.5
        for one in probes:
            self.sockets.own.sendto(one, self.sockets.probe_address)

    def transmit(self, datagram, session):
        octets = self.sealing.seal(datagram) if session.is_sealed else datagram
        self.sockets.own.sendto(octets, session.endpoint)

    def read(self, datagram):
        """A datagram's fields, and whether it was sealed."""
        is_sealed = bool(self.sealing) and seal.Opener.is_sealed(datagram)
        return decode_datagram(self.sealing.open(datagram) if is_sealed else datagram), is_sealed

    def step(self, timeout):
        """Takes what has come, and sends what is due."""
        dues = [session.due() for session in self.sessions.values()]
        wait = min([timeout, *(due - time.monotonic() for due in dues)])
        for datagram, source in self.sockets.receive(max(wait, 0.001)):
            try:
                fields, is_sealed = self.read(datagram)
                self.take(fields, source, time.monotonic(), is_sealed)
            except Refused as reason:
                self.counters[str(reason)] += 1
        for session in self.sessions.values():
            for datagram in session.sends(self, time.monotonic()):
                self.transmit(datagram, session)

    def take(self, datagram, source, now, is_sealed=False):
        if now < (self.deaf_until or 0):
            return
        if datagram["kind"] == "data" and self.random.random() < self.options.drop:
            self.counters["dropped"] += 1
            return
        session = self.sessions.get(datagram["session"])
        is_heartbeat = datagram["kind"] == "heartbeat"
        if session and is_heartbeat and is_sealed and not session.is_sealed:
            session = None  # §18.5: whatever was said of it in the open
        if session is None:
            # §5.2
            if is_heartbeat and datagram["realm"] == self.options.realm:
                session = Session(datagram, source, now, is_sealed)
                self.sessions[datagram["session"]] = session
                if session.is_shown:
                    session.hello_due = float("inf")  # nobody is greeted before he is chosen
        elif is_sealed != session.is_sealed:
            self.counters["not sealed"] += 1
        elif session.is_from(datagram, source):
            session.take(datagram, self, now)
        else:
            self.counters["impostor"] += 1

    def shown(self):
        return [session for session in self.sessions.values() if session.is_shown]

    def list(self):
        """Two heartbeats' time, so that one may be lost."""
        self.probe()
        end = time.monotonic() + 1.3
        while time.monotonic() < end:
            self.step(0.05)
        for session in self.shown():
            heartbeat = session.heartbeat
            show(app=heartbeat["app"], process=heartbeat["process"], host=heartbeat["host"],
                 instance=heartbeat["instance"].hex(), session=f"{heartbeat['session']:016x}",
                 newest=heartbeat["newest_record"], position=heartbeat["position"],
                 takesResets=bool(heartbeat["abilities"] & 1), sealed=session.is_sealed)
        return 0

    def choose(self, end):
        """The session of the app that is wanted."""
        next_probe = 0
        while time.monotonic() < end:
            if time.monotonic() >= next_probe:
                self.probe()
                next_probe = time.monotonic() + 0.5
            self.step(0.05)
            for session in self.shown():
                if self.options.app in (None, session.heartbeat["app"]):
                    session.hello_due = 0
                    return session
        return None

    def follow(self, session, end):
        session.stream = Stream(session.heartbeat, 1, time.monotonic(), self.up_to, self.counters)
        count = 0
        while count < self.options.records:
            if time.monotonic() > end:
                return self.end(2, "it took too long")
            if session.silence(time.monotonic()) and not session.stream.has_expired:
                if session.gone_for == LEAVE:
                    return self.end(1, "the app is gone")
                session.stream.expire(time.monotonic())
                show(expired=True)
            else:
                self.step(0.05)
            count += self.show_rows(session.stream, self.options.records - count)
            self.fall_deaf(session.stream, count)
        return self.end(0, "all are here")

    def show_rows(self, stream, limit):
        """Shows what is there, and says how many records that were."""
        count = 0
        for record, state, was_lost in stream.recovered:
            self.show_record(record, state)
            count += was_lost
        stream.recovered.clear()
        for one, other in stream.rows():
            if isinstance(one, dict):
                self.show_record(one, other)
                count += 1
            else:
                show(gap=[one, other - 1])
            if count >= limit:
                break
        return count

    def show_record(self, record, state):
        label, payload, _ = record["payload"]
        whole = {"json": json.loads(state)} if self.options.states else {}
        show(sequence=record["sequence"], kind=record["kind"], name=record["name"],
             payload=json.loads(payload) if label == JSON else len(payload),
             state=None if state is None else len(state),
             crc=None if state is None else f"{zlib.crc32(state):08x}", **whole)

    def fall_deaf(self, stream, count):
        """For longer than the app is waited for, and while something is missing."""
        if self.options.deaf and not self.deaf_until and count >= self.options.deaf:
            if stream.live.window.missing and stream.live.window.held:
                self.deaf_until = time.monotonic() + DEAF

    def end(self, status, words):
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.counters.items()))
        print(f"{words}; {counts or 'nothing counted'}", file=sys.stderr)
        return status

    def ask(self, session, end):
        """Sends a reset or a command, and shows what came of it."""
        kind, type, octets = self.question()
        if len(octets) > CONTENT_MAX:
            return self.end(1, "that is too much")
        if self.sealing and not session.is_sealed:  # §18.5
            return self.end(1, "the app is open, and there is a key")
        if self.sealing and not (self.sealing.key.drives or self.options.claims_to_drive):
            return self.end(1, "that is a watch key, which moves nothing")
        request = random.SystemRandom().getrandbits(64)
        growth = seal.MESSAGE_GROWTH if session.is_sealed else 0
        session.upload = Upload(kind, octets, type, self.name, request, growth)
        while not session.upload.outcome:
            if time.monotonic() > end:
                return self.end(2, "nothing in time")
            self.step(0.05)
        outcome = session.upload.outcome
        if outcome["digest"] is not None:  # §11.4
            state = [(1, type.encode()), (2, octets)]
            if outcome["digest"] != digest((request, self.id), state):
                return self.end(1, "the app came to another state")
        show(outcome=OUTCOMES[outcome["outcome"]], reason=outcome["reason"],
             position=outcome["position"])
        return 0 if outcome["outcome"] == 0 else 1

    def question(self):
        if self.options.command is not None:
            return "command", JSON, self.options.command.encode()
        with open(self.options.reset, "rb") as file:
            octets = file.read()
        return "reset", JSON if octets else "", octets

    def run(self):
        if self.options.list:
            return self.list()
        end = time.monotonic() + self.options.timeout
        session = self.choose(end)
        if not session:
            return self.end(2, "no such app was heard")
        if self.options.records is not None:
            return self.follow(session, end)
        return self.ask(session, end)


def show(**fields):
    print(json.dumps(fields), flush=True)


def key(path):
    if not seal.CAN_SEAL:
        raise argparse.ArgumentTypeError("there is no package cryptography")
    with open(path) as file:
        return seal.GroupKey.parse(file.readline())


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--group", default="239.255.83.83")
    parser.add_argument("--port", type=int, default=8383)
    parser.add_argument("--interface", default="127.0.0.1", metavar="ADDRESS")
    parser.add_argument("--app", metavar="NAME", help="the first one that is heard, if not given")
    parser.add_argument("--realm", default="", metavar="NAME")
    parser.add_argument("--name", default="stranger", help="the name of the viewer")
    parser.add_argument("--timeout", type=float, default=100, metavar="SECONDS")
    parser.add_argument("--drop", type=float, default=0, metavar="P", help="share of data, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deaf", type=int, metavar="N", help="hears nothing for a while after N")
    parser.add_argument("--states", action="store_true", help="shows them whole")
    parser.add_argument("--key", type=key, metavar="FILE")
    parser.add_argument("--claims-to-drive", action="store_true", help="whatever key it has")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--list", action="store_true")
    what.add_argument("--records", type=int, metavar="N")
    what.add_argument("--reset", metavar="FILE")
    what.add_argument("--command", metavar="JSON")
    what.add_argument("--vectors", metavar="FOLDER")
    return parser.parse_args()


def main():
    options = parse()
    if options.vectors:
        return 0 if vectors.run(options.vectors) else 1
    return Viewer(options).run()


if __name__ == "__main__":
    sys.exit(main())
