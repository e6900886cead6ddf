"""One app's stream as a viewer follows it: windows, repair, records in order, their states.

No socket and no clock: datagrams and times in seconds go in, requests and rows come out.
"""

from collections import deque

from wire import (HISTORY, NONE, REPAIR, Refused, apply_delta, decode_delta,
                  decode_frames, decode_record, need)

HELD_MAX = 32_768  # early packets, §10.3
ATTENTION = 1_024  # missing packets that are kept by number, at most; those behind them later
OPEN_MAX = 4  # records in fragments, §9
ASKED_MAX = 512  # packets asked for and not yet come, which a socket of 4 MiB can hold (§10.4)
LEFT_BEHIND = 1_024  # the window that is reported at most
NAK_RANGES, NAK_PACKETS = 40, 4_096  # §7.7
QUEUED_MAX = 80  # ranges of history that an app keeps (§10.4, §13)
REORDER_WAIT, SILENCE = 0.001, 0.025  # §14, seconds
KEPT_PAYLOADS, KEPT_PAYLOAD = 16, 65_536  # §8.4, §13


class Missing:
    """A packet that has not come: when to ask for it, and how it was asked for (§10.4).

    A place is (number of the range, sequence): what was asked for later has a higher one.
    """

    __slots__ = ("due", "requests", "first", "last", "asked_at", "is_history")

    def __init__(self, due):
        self.due, self.requests, self.asked_at, self.is_history = due, 0, 0, False
        self.first = self.last = None


class Window:
    """Packets in order (§10.3): `next` is due to be delivered, `horizon` is behind the newest."""

    def __init__(self, first, end, now, edge=0, kept=range(0)):
        self.next, self.horizon = first, first
        self.edge, self.kept = edge, kept  # what the app has forgotten, and what it has not
        self.given_up = 0  # all missing packets before it were, with the app
        self.missing, self.held = {}, {}  # sequence: Missing; sequence: frames
        self.noted = first  # those from here on to the horizon have no time of their own yet
        self.extend(end, now)

    def extend(self, horizon, due):
        self.horizon = max(self.horizon, horizon)
        self.note(due)

    def note(self, due):
        # Never more than this, whatever a heartbeat says exists.
        end = min(self.horizon, self.next + ATTENTION)
        for sequence in range(max(self.noted, self.next), end):
            if sequence not in self.held and not self.is_forgotten(sequence):
                self.missing[sequence] = Missing(due)
        self.noted = max(self.noted, end)

    def is_forgotten(self, sequence):
        return (sequence < self.given_up
                or sequence < self.edge and sequence not in self.kept)

    def forget(self, edge, kept):
        """§10.3: what lies before the edge and is not of the newest state will not come."""
        if edge > self.edge or kept != self.kept:
            self.edge, self.kept = max(edge, self.edge), kept
            for sequence in [one for one in self.missing if self.is_forgotten(one)]:
                del self.missing[sequence]

    def give_up(self):
        """Nobody is there any more who could send what is missing."""
        self.given_up = self.horizon
        self.missing.clear()

    def offer(self, sequence, frames, due):
        """Takes a packet in; False if it is not wanted here."""
        if sequence < self.next or sequence in self.held:
            return False
        if len(self.held) >= HELD_MAX and sequence != self.next:
            return False  # beyond window: it stays missing
        self.held[sequence] = frames
        self.missing.pop(sequence, None)
        self.extend(sequence + 1, due)
        return True

    def take(self, now):
        """What can be delivered now: frames, or None where packets were given up."""
        while self.next < self.horizon:
            if self.next in self.held:
                yield self.held.pop(self.next)
                self.next += 1
            elif self.is_forgotten(self.next):
                self.next = self.after_gap()
                yield None
            else:
                break
            self.note(now)

    def after_gap(self):
        ends = [one for one in self.held if one > self.next]
        if self.next < self.given_up:
            return min([*ends, self.given_up])
        ends += [self.kept.start] if self.kept.start > self.next else []
        return min([*ends, self.edge, self.horizon])

    def is_complete(self):
        return self.next >= self.horizon


class Assembly:
    """Records out of frames in order (§9)."""

    def __init__(self, counters):
        self.open, self.counters = {}, counters  # record: [total, octets], the oldest first
        self.newest_named = 0  # by a fragment

    def give_up(self):
        self.open.clear()

    def frames(self, data):
        """The records that are complete with a packet's frames, and its restored frames."""
        try:
            for frame in decode_frames(data):
                if frame["kind"] == "restored":
                    yield frame
                    continue
                record = self.complete(frame)
                if record is not None:
                    yield record
        except Refused as reason:
            self.counters[str(reason)] += 1

    def complete(self, frame):
        octets = frame["octets"] if frame["kind"] == "record" else self.join(frame)
        if octets is None:
            return None
        try:
            record = decode_record(octets)
            need(record["sequence"] == frame.get("record", record["sequence"]))
        except Refused as reason:
            self.counters[str(reason)] += 1  # only this record is passed over (§7.1)
            return None
        if record["form"] == 2:
            self.counters["deltas"] += 1
            record["delta"] = self.delta(record["state"][1])
            if record["payload"][2]:
                self.counters["payload deltas"] += 1
                record["payload delta"] = self.delta(record["payload"][1])
        return record

    def delta(self, octets):
        """None if it is malformed: the record is shown without its state."""
        try:
            return decode_delta(octets)
        except Refused as reason:
            self.counters[str(reason)] += 1
            return None

    def join(self, piece):
        """The octets of a record that is complete with this piece, or None."""
        name, total, offset = piece["record"], piece["total"], piece["offset"]
        self.newest_named = max(self.newest_named, name)
        self.counters["fragments"] += 1
        if offset == 0:
            self.open.pop(name, None)
            if len(self.open) >= OPEN_MAX:
                self.open.pop(next(iter(self.open)))
                self.counters["open records"] += 1
            self.open[name] = [total, bytearray()]
        elif name not in self.open:
            return None  # its beginning was lost
        elif self.open[name][0] != total or len(self.open[name][1]) != offset:
            del self.open[name]
            self.counters["misfit fragment"] += 1
            return None
        octets = self.open[name][1]
        octets += piece["octets"]
        return bytes(self.open.pop(name)[1]) if len(octets) == total else None


class States:
    """States made one of another in order (§8.3, §10.7): only the latest is kept."""

    def __init__(self):
        self.sequence, self.octets = 0, b""
        self.payloads = deque(maxlen=KEPT_PAYLOADS)  # (sequence, octets), §8.4

    def fits(self, record):
        delta = record.get("delta")
        return delta is None or delta["base"] == self.sequence

    def make(self, record):
        """The state after a record; None if it has none, or if it cannot be made."""
        if record["form"] not in (1, 2):
            return None
        state = record["state"][1]
        if record["form"] == 2:
            delta = record["delta"]
            if (not delta or not self.fits(record)
                    or delta["base_size"] != len(self.octets)):
                if record["payload"][2]:
                    record["payload"] = ("", b"", False)
                return None
            state = apply_delta(delta, self.octets)
        else:
            self.payloads.clear()
        self.make_payload(record)
        self.sequence, self.octets = record["sequence"], state
        return state

    def make_payload(self, record):
        """Puts the payload itself in the place of a delta; nothing if it cannot be made."""
        label, octets, is_delta = record["payload"]
        if is_delta:
            delta = record["payload delta"]
            base = dict(self.payloads).get(delta["base"]) if delta else None
            fits = base is not None and delta["base_size"] == len(base)
            octets = apply_delta(delta, base) if fits else None
            record["payload"] = (label, octets, False) if fits else ("", b"", False)
        if label and octets is not None and len(octets) <= KEPT_PAYLOAD:
            self.payloads.append((record["sequence"], octets))


class Lane:
    """A window and the records that come out of it."""

    def __init__(self, window, counters):
        self.window, self.assembly = window, Assembly(counters)
        self.records = deque()

    def pump(self, now):
        for data in self.window.take(now):
            if data is None:
                self.assembly.give_up()
            else:
                self.records.extend(self.assembly.frames(data))


class Stream:
    """A late join and what follows (§10.7). `rows` is what can be shown, in order."""

    def __init__(self, heartbeat, since, now, random, counters):
        self.random, self.counters = random, counters
        self.progress, self.since = heartbeat, since
        self.boundary = heartbeat["newest_record"] or 1
        self.boundary_packet = heartbeat["record_packet"]
        self.joined_at = self.own = heartbeat["newest_packet"]  # up to own: nobody else's affair
        self.expected, self.done, self.gaps = min(since, self.boundary), {}, []
        self.restored = []
        self.history_at = 0  # when history came last: it is not asked for again meanwhile, §10.4
        self.marks = deque()  # (place, time): how far history had come, the oldest first
        self.range_number = 0
        self.vain_asks = 0  # for the newest state, since something of it came
        self.paused_until, self.awaited = 0, 0  # or until as many as these have come (rule 13)
        self.backlog, self.backlog_states = None, States()
        self.recovery, self.recovered = None, []  # §10.9
        self.open_gaps, self.unmade = set(), set()  # records, and those that lack their states
        self.has_expired = self.is_mending = self.is_wanted = False
        self.is_located = since >= self.boundary
        self.newest, self.newest_end = None, self.boundary
        self.passed, self.release = 0, 0  # last in the live chain; records that are held no more
        self.open_newest(packets_of_state(heartbeat), now)
        self.live_next, self.live_states = self.boundary, States()
        self.live = Lane(self.live_window(now), counters)

    def live_window(self, now):
        end = self.joined_at + 1
        return Window(self.boundary_packet or end, end, now, self.progress["oldest_packet"],
                      packets_of_state(self.progress))

    def open_newest(self, packets, now):
        self.vain_asks = 0
        if packets:
            self.newest = Lane(Window(packets.start, packets.stop, now), self.counters)

    def lanes(self):
        """In the order in which their packets are asked for."""
        return [lane for lane in (self.newest, self.live, self.backlog, self.recovery) if lane]

    # Receiving.

    def question(self):
        """The record of which the app is to say where it begins."""
        return min(self.open_gaps | self.unmade) if self.is_wanted else self.since

    def welcome(self, welcome, now):
        if self.is_wanted:
            if welcome["wanted"] == self.question():
                self.locate(welcome, now)
            return
        if self.is_located or welcome["wanted"] != self.since:
            return
        self.is_located = True
        since, packet = welcome["since"], welcome["since_packet"]
        if 0 < since < self.boundary and 0 < packet <= self.boundary_packet:
            self.gap(self.since, since)
            self.backlog = Lane(Window(packet, self.boundary_packet + 1, now), self.counters)
        else:
            self.gap(self.since, self.boundary)
        self.pump(now)

    def expire(self, now):
        """§10.9: the app is gone for good, or for a while."""
        self.has_expired = self.is_mending = True
        self.is_wanted, self.recovery = False, None
        for lane in (self.live, self.backlog):
            if lane:
                lane.window.give_up()
        self.live.pump(now)
        if self.newest:
            self.close_newest()
        self.pump(now)
        if not self.is_located:
            self.is_located = True
            self.gap(self.since, self.boundary)
        self.tail_gap(max(self.progress["newest_record"], self.live.assembly.newest_named))
        if self.unmade:
            self.passed = 0  # what differs from them is held once more (rule 9)

    def resume(self):
        """Rule 2: it is back."""
        self.has_expired = False
        self.is_wanted = bool(self.open_gaps or self.unmade)
        self.is_mending = self.is_wanted

    def locate(self, welcome, now):
        """Rules 3 and 4."""
        self.is_wanted = False
        since, packet = welcome["since"], welcome["since_packet"]
        newest = self.live.window.horizon - 1
        if 0 < since <= max(self.open_gaps | self.unmade) and 0 < packet <= newest:
            self.own = newest
            self.backlog_states = States()
            self.recovery = Lane(Window(packet, newest + 1, now), self.counters)
            self.pump(now)
        else:
            self.end_recovery()

    def pump_recovery(self):
        """Rules 5 to 7."""
        lane = self.recovery
        if not lane:
            return
        while lane.records:
            record = lane.records.popleft()
            if "sequence" in record:
                state = self.backlog_states.make(record)
                if record["sequence"] in self.open_gaps | self.unmade:
                    was_lost = record["sequence"] in self.open_gaps
                    if record["sequence"] in self.done:  # it was not shown yet
                        self.done[record["sequence"]] = (record, state)
                    else:
                        self.recovered.append((record, state, was_lost))
                    self.open_gaps.discard(record["sequence"])
                    self.unmade.discard(record["sequence"])
        is_filled = not self.open_gaps and not self.unmade and not self.live.records
        if is_filled and self.passed == self.live_states.sequence or lane.window.is_complete():
            self.end_recovery()

    def end_recovery(self):
        """What is not here by now is final."""
        self.recovery, self.is_mending = None, False
        self.open_gaps, self.unmade = set(), set()

    def learn(self, progress, now):
        """What a heartbeat or a goodbye says of the stream."""
        newest = progress["newest_packet"]
        if newest < self.progress["newest_packet"]:
            return  # it was overtaken
        self.progress = self.progress | progress
        self.note_gap(newest)
        self.live.window.extend(newest + 1, now + self.random(0.003))
        self.forget(self.progress["oldest_packet"])
        self.pump(now)
        if self.live.window.is_complete() and self.live.window.horizon == newest + 1:
            self.tail_gap(progress["newest_record"])

    def note_gap(self, newest):
        """§10.4, rule 3: who misses more than his window at once was left behind."""
        if newest - self.live.window.horizon >= LEFT_BEHIND:
            self.own = newest

    def tail_gap(self, newest):
        """§10.3: nothing comes after what was lost at the tail."""
        if newest in self.live.assembly.open:
            newest -= 1
        if not self.live.records:
            self.gap(self.live_next, newest + 1)
            self.live_next = max(self.live_next, newest + 1)

    def forget(self, edge):
        kept = packets_of_state(self.progress)
        for lane in self.lanes():
            if lane is not self.newest:
                lane.window.forget(edge, kept)
        if self.newest and any(one < edge and one not in kept
                               for one in self.newest.window.missing):
            self.close_newest()

    def data(self, packet, now):
        sequence, frames = packet["packet"], packet["frames"]
        self.note_gap(sequence)
        due = now + REORDER_WAIT + self.random(0.003)  # §10.4: those before it may only be late
        if packet["flags"] & HISTORY:
            self.note_history(sequence, now)
        taken = [lane for lane in self.lanes()
                 if (lane is self.live or sequence < lane.window.horizon)
                 and lane.window.offer(sequence, frames, due)]
        if self.newest in taken:
            self.vain_asks = 0
        if taken and packet["flags"] & REPAIR:
            self.awaited -= 1
            if self.awaited <= 0:
                self.paused_until = 0
        self.forget(max(sequence - packet["retained"], self.live.window.edge))
        self.pump(now)

    # Delivering.

    def pump(self, now):
        for lane in self.lanes():
            lane.pump(now)
        if self.newest and self.newest.window.is_complete():
            self.close_newest()
        self.pump_backlog()
        self.pump_live(now)
        self.pump_recovery()

    def close_newest(self):
        """§10.7, rules 16 to 18, 25: its states are bases for those of live."""
        lane, self.newest = self.newest, None
        self.release = len(self.live.records)  # nothing is held twice
        begun = False
        for record in lane.records:  # what precedes the first missing packet, if one is missing
            begun = begun or record.get("form") == 1
            if begun and record.get("sequence", NONE) < self.newest_end:
                self.keep(record, self.pass_live(record))

    def is_in_vain(self, now):
        """§10.7, rule 17."""
        limit = 40 if self.live.records else 12
        return self.vain_asks >= limit and any(
            self.due_of(entry) <= now for entry in self.newest.window.missing.values())

    def pump_backlog(self):
        lane = self.backlog
        if not lane:
            return
        while lane.records:
            record = lane.records.popleft()
            if record.get("sequence", NONE) < self.boundary:
                self.keep(record, self.backlog_states.make(record))
        if lane.window.is_complete():
            self.backlog = None
            self.gap(self.since, self.boundary)

    def keep(self, record, state):
        """A record of the past, with its state if one of the windows has the base of that."""
        sequence = record["sequence"]
        if self.expected <= sequence < self.boundary:
            if self.done.get(sequence, (0, None))[1] is None:
                self.done[sequence] = (record, state)
                self.note_state(record, state)

    def pump_live(self, now):
        records = self.live.records
        while records:
            record = records[0]
            if "sequence" not in record:
                self.restored.append(record)
            elif record["sequence"] >= self.live_next:
                if self.must_wait(record, now):
                    return
                self.show_live(record)
            records.popleft()
            self.release = max(self.release - 1, 0)

    def show_live(self, record):
        self.gap(self.live_next, record["sequence"])
        self.live_next = record["sequence"] + 1
        state = self.pass_live(record)
        self.done[record["sequence"]] = (record, state)
        self.note_state(record, state)
        if record["form"] == 1 and self.newest:
            self.newest = None  # nothing that follows differs from an older state

    def note_state(self, record, state):
        if self.is_mending and record["form"] in (1, 2) and state is None:
            self.unmade.add(record["sequence"])

    def pass_live(self, record):
        """Its state, made in the live chain; passed it has even if that could not be made."""
        if record["form"] in (1, 2):
            self.passed = record["sequence"]
        return self.live_states.make(record)

    def must_wait(self, record, now):
        """§10.7, rules 23 and 24: whether its base may yet come by the newest-state window."""
        delta = record.get("delta")
        if (self.release or self.has_expired or not delta
                or delta["base"] == self.passed):
            return False
        first = packets_of_state(self.progress).start
        if not self.newest and first:
            self.newest_end = record["sequence"]
            self.open_newest(range(first, self.live.window.next), now)
        return self.newest is not None

    def gap(self, first, end):
        """Of these records, those that are not here can no longer be had."""
        self.gaps = [gap for gap in self.gaps if gap[1] > self.expected]
        if first < end:
            self.gaps.append((first, end))

    def rows(self):
        """(record, state) in order, and (first, end) where records can no longer be had."""
        while True:
            gap = next((gap for gap in self.gaps if gap[0] <= self.expected < gap[1]), None)
            if self.expected in self.done:
                yield self.done.pop(self.expected)
                self.expected += 1
            # The newest-state window may yet bring a record of the backlog.
            elif gap and (gap[1] > self.boundary or not self.newest):
                end = min([gap[1], *(one for one in self.done if one > self.expected)])
                yield self.expected, end
                if self.is_mending:
                    self.open_gaps.update(range(self.expected, end))
                self.expected = end
            else:
                return

    # Requesting (§10.4).

    def note_history(self, sequence, now):
        """How far history has come, in the order in which it was first asked for (rule 7)."""
        self.history_at = now
        places = [entry.first for lane in self.lanes()
                  if (entry := lane.window.missing.get(sequence)) and entry.is_history]
        if not places:
            return
        place = max(places)
        if not self.marks or place > self.marks[-1][0]:
            self.marks.append((place, now))
        while len(self.marks) > 1 and self.marks[1][1] <= now - REORDER_WAIT:
            self.marks.popleft()

    def passed_at(self, entry):
        """When it was passed over; None if it was not."""
        return next((at for place, at in self.marks if place > entry.last), None)

    def due(self):
        """When the next request is due."""
        return max(self.paused_until, min(map(self.due_of, self.missing().values()),
                                          default=float("inf")))

    def missing(self):
        """By sequence: the newest state's first, then those of live, then of the backlog."""
        missing = {}
        for lane in self.lanes():
            for sequence, entry in lane.window.missing.items():
                missing.setdefault(sequence, entry)
        return missing

    def under_way(self, missing, now):
        return [entry for entry in missing if entry.requests and self.due_of(entry) > now]

    def due_of(self, entry):
        """Rules 4, and 6 to 8."""
        if not entry.is_history:
            return entry.due
        due, at = max(self.history_at, entry.asked_at) + SILENCE, self.passed_at(entry)
        if at is not None:
            due = min(due, at + REORDER_WAIT)
        return max(entry.due, due)

    def naks(self, now, round_trip):
        """(flags, ranges) for each NAK that is due now."""
        if self.due() > now:
            return
        if self.newest and self.is_in_vain(now):
            self.close_newest()
            self.pump(now)
        chosen = self.choose(now)
        if self.newest and any(one in self.newest.window.missing
                               for ranges in chosen.values() for one in ranges.sequences):
            self.vain_asks += 1
        for flags, ranges in chosen.items():
            for number, sequence in ranges.places(self.range_number):
                for lane in self.lanes():
                    if entry := lane.window.missing.get(sequence):
                        self.ask(entry, (number, sequence), flags, now, round_trip)
            self.range_number += len(ranges.all)
            yield from ranges.naks(flags)
        self.pause(now)

    def choose(self, now):
        """What to ask for, each packet once, as far as there is room (rules 11 and 12)."""
        missing = self.missing()
        under_way = self.under_way(missing.values(), now)
        room = ASKED_MAX - len(under_way)
        queued = {entry.last[0] for entry in under_way
                  if entry.is_history and self.passed_at(entry) is None}
        chosen = {HISTORY: Ranges(QUEUED_MAX - len(queued)), 0: Ranges(NAK_RANGES)}
        for sequence, entry in missing.items():
            # Packets that are due soon go with it.
            if room > 0 and self.due_of(entry) <= now + REORDER_WAIT:
                room -= chosen[HISTORY if sequence <= self.own else 0].add(sequence)
        return chosen

    def pause(self, now):
        """Rule 13: nothing more until half has come, if more is due than there was room for."""
        missing = self.missing().values()
        if any(self.due_of(entry) <= now for entry in missing):
            under_way = self.under_way(missing, now)
            self.paused_until = min(map(self.due_of, under_way), default=0)
            self.awaited = (len(under_way) + 1) // 2

    def ask(self, entry, place, flags, now, round_trip):
        entry.requests += 1
        entry.first, entry.last = entry.first or place, place
        entry.asked_at, entry.is_history = now, flags == HISTORY
        wait = min(round_trip * 2 ** max(min(entry.requests, 10) - 2, 0), 0.1)
        entry.due = now + wait + self.random(wait / 4)


class Ranges:
    """Packets to be asked for, in the order in which they are wanted."""

    def __init__(self, room):
        self.room, self.all, self.sequences = room, [], []

    def add(self, sequence):
        """Whether there was room for it."""
        if self.all and sum(self.all[-1]) == sequence and len(self.sequences) < NAK_PACKETS:
            self.all[-1] = (self.all[-1][0], self.all[-1][1] + 1)
        elif len(self.all) < self.room and len(self.sequences) < NAK_PACKETS:
            self.all.append((sequence, 1))
        else:
            return False
        self.sequences.append(sequence)
        return True

    def places(self, number):
        for first, count in self.all:
            for sequence in range(first, first + count):
                yield number, sequence
            number += 1

    def naks(self, flags):
        for start in range(0, len(self.all), NAK_RANGES):
            yield flags, self.all[start : start + NAK_RANGES]


def packets_of_state(progress):
    return range(progress["state_packet"], progress["state_packet"] + progress["state_count"])
