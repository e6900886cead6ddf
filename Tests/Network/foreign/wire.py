"""The octets of Protocol.md: datagrams, frames, records and deltas, both ways.

A layout is a list of fields in the order of their octets; `decode` makes a dictionary of them and
`encode` the octets again. What a receiver must refuse raises Refused with the reason of §15.
"""

import struct
import unicodedata

NONE = 2**64 - 1  # never a sequence; as a position: elsewhere (§4)
DIGEST_MODULUS = 2**61 - 1  # §8.5
NO_STATE = 2**32 - 1  # as the total of a reset (§11.2)
CONTENT_MAX, RECORD_MAX = 67_108_864, 68_157_440  # §13
DATAGRAM_MAX, LABEL_MAX = 1_472, 63
REPAIR, HISTORY, NAMED = 1, 2, 4  # header flags, §6


class Refused(Exception):
    """What must be dropped; its text is the reason."""


def need(condition, reason="invalid"):
    if not condition:
        raise Refused(reason)


class Reader:
    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def take(self, count):
        need(count <= len(self.octets) - self.at, "truncated")
        self.at += count
        return self.octets[self.at - count : self.at]

    def rest(self):
        return self.take(len(self.octets) - self.at)

    def number(self, format):
        return struct.unpack(">" + format, self.take(struct.calcsize(format)))[0]

    def small(self):
        """A number of as few octets as it needs, §1."""
        number, shift = 0, 0
        while True:
            octet = self.number("B")
            number |= (octet & 0x7F) << shift
            need(number <= NONE)
            if octet < 0x80:
                return number
            shift += 7
            need(shift <= 63)

    def text(self, width, limit):
        return self.characters(self.number(width) if width else self.small(), limit)

    def characters(self, length, limit):
        need(length <= limit, "beyond limit")
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("malformed text") from None


# How a field of each kind is read and written. `known` may be 0, `sequence` may not (§4).
NUMBERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i64": "q"}
NUMBERS |= {"known": "Q", "sequence": "Q"}
TEXTS = {"label": ("B", LABEL_MAX), "reason": ("H", 1_024)}
TEXTS |= {"name": ("", 4_096), "source": ("", 512)}  # their length is a small number
TYPES = {128: "application/json", 129: "application/octet-stream", 130: "text/plain"}  # §8.2


def read_content(reader):
    """Type, octets, and whether these are a delta (§8.4)."""
    code = reader.number("B")
    if code == 0:
        return "", b"", False
    is_delta, code = bool(code & 64), code & ~64
    need(code)
    label = TYPES.get(code, TYPES[129]) if code >= 128 else reader.characters(code, LABEL_MAX)
    length = reader.small()
    need(length <= CONTENT_MAX, "beyond limit")
    return label, reader.take(length), is_delta


def content(label, octets, is_delta=False):
    if not label:
        return b"\0"
    code = next((code for code, name in TYPES.items() if name == label), None)
    head = bytes([code]) if code else write("label", label)
    return bytes([head[0] | 64 * is_delta]) + head[1:] + small(len(octets)) + octets


def read(kind, reader):
    if kind in NUMBERS:
        value = reader.number(NUMBERS[kind])
        need(kind not in ("known", "sequence") or value != NONE)
        need(kind != "sequence" or value != 0)
        return value
    if kind in TEXTS:
        return reader.text(*TEXTS[kind])
    if kind == "small":
        return reader.small()
    if kind == "content":  # §8.2
        return read_content(reader)
    if kind == "ranges":  # §7.7
        count = reader.number("H")
        need(count <= 40, "beyond limit")
        return [(reader.number("Q"), reader.number("I")) for _ in range(count)]
    if kind == "ahead":  # §11.3; None from who keeps nothing beyond a hole
        if reader.at == len(reader.octets):
            return None
        count = reader.number("B")
        need(count <= 32, "beyond limit")
        return [(reader.number("I"), reader.number("I")) for _ in range(count)]
    if kind == "share":  # §11.3; None from who does not say
        if reader.at == len(reader.octets):
            return None
        share = reader.number("H")
        need(share <= 10_000)
        return share
    if kind == "file":  # §11.2
        return reader.text("B", LABEL_MAX) if reader.flags & NAMED else None
    if kind == "last":  # §7.2; "" from who ends before it
        return reader.text("B", LABEL_MAX) if reader.at < len(reader.octets) else ""
    if kind == "digest":  # §11.4; None from who tells none, octets if there are too few for one
        left = len(reader.octets) - reader.at
        return reader.number("Q") if left >= 8 else reader.rest() if left else None
    if kind in ("few ranges", "digests"):  # §A.4, §A.5
        count = reader.number("H")
        need(count)
        need(count <= 4, "beyond limit")
        form = "QI" if kind == "few ranges" else "Q"
        return [struct.unpack(">" + form, reader.take(struct.calcsize(">" + form)))
                for _ in range(count)]
    return reader.take(16) if kind == "id" else reader.rest()


def write(kind, value):
    if kind in NUMBERS:
        return struct.pack(">" + NUMBERS[kind], value)
    if kind in TEXTS:
        octets, width = value.encode("utf-8"), TEXTS[kind][0]
        return (struct.pack(">" + width, len(octets)) if width else small(len(octets))) + octets
    if kind == "small":
        return small(value)
    if kind == "content":
        return content(*value)
    if kind == "ahead":
        pairs = value or []
        count = b"" if value is None else bytes([len(pairs)])
        return count + b"".join(struct.pack(">II", *one) for one in pairs)
    if kind == "share":
        return b"" if value is None else struct.pack(">H", value)
    if kind == "file":
        return b"" if value is None else write("label", value)
    if kind == "last":
        return write("label", value)
    if kind == "digest":
        return b"" if value is None else struct.pack(">Q", value)
    if kind == "ranges":
        return struct.pack(">H", len(value)) + b"".join(struct.pack(">QI", *one) for one in value)
    if kind in ("few ranges", "digests"):
        form = ">QI" if kind == "few ranges" else ">Q"
        return struct.pack(">H", len(value)) + b"".join(struct.pack(form, *one) for one in value)
    return value


def small(number):
    octets = []
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*octets, number])


def layout(text):
    return [tuple(field.replace("_ranges", " ranges").split(":")) for field in text.split()]


PROGRESS = """newest_packet:known oldest_packet:u64 newest_record:known record_packet:u64
    state_packet:u64 state_count:u32 """  # §7.2
RESET = """viewer:u64 cookie:u64 request:u64 target:u64 total:u32 offset:u32 name:label
    type:label file:file octets:rest"""  # §11.2
DATAGRAMS = {  # §7: code, name, layout
    1: ("data", layout("packet:sequence retained:u32 frames:rest")),
    2: ("heartbeat", layout(PROGRESS + """position:u64 uptime:u64 instance:id process:u32
        abilities:u16 size:u16 states_given_up:u64 records_given_up:u64
        records_made:known moves:u64 app:label host:label type:label realm:last
        version:last identifier:last system:last machine:last library:last""")),
    3: ("goodbye", layout("newest_packet:known newest_record:known")),
    4: ("probe", layout("viewer:u64")),
    5: ("hello", layout("viewer:u64 since:u64 name:label")),
    6: ("welcome", layout("viewer:u64 cookie:u64 " + PROGRESS
                          + "wanted:u64 since:known since_packet:known")),
    7: ("nak", layout("viewer:u64 cookie:u64 ranges:ranges")),
    8: ("reset", layout(RESET)),
    9: ("progress", layout("viewer:u64 request:u64 received:u32 ahead:ahead share:share")),
    10: ("outcome", layout("viewer:u64 request:u64 position:u64 outcome:u8 reason:reason digest:digest")),
    11: ("command", layout(RESET)),
    12: ("window update", layout("viewer:u64 cookie:u64 newest_packet:known window:u32")),
    13: ("seek", layout("viewer:u64 first:sequence newest:sequence")),
    14: ("offer", layout("viewer:u64 cookie:u64 first:sequence newest:sequence")),
    15: ("check", layout("viewer:u64 cookie:u64 key:u64 second_key:u64 ranges:few_ranges")),
    16: ("proof", layout("viewer:u64 key:u64 digests:digests")),
    17: ("reset by delta", layout(RESET)),
    18: ("value request", layout("viewer:u64 cookie:u64 after:u64 through:known offset:u32")),
    19: ("value reply", layout("""viewer:u64 after:u64 through:known newest_record:known
        left_out:u64 rest:u32 frames:rest""")),
}
CODES = {name: code for code, (name, _) in DATAGRAMS.items()}
PADDED = {"probe": 388, "hello": 104, "seek": 48}  # §7.4, §7.5, §A.2
FRAMES = {  # §7.1
    1: ("record", layout("octets:rest")),
    2: ("fragment", layout("record:u64 total:u32 offset:u32 octets:rest")),
    3: ("restored", layout("""request:u64 viewer:u64 position:u64 newest_record:known moves:u64
        outcome:u8 reason:reason name:label""")),
}
RECORD = layout("""sequence:small kind:u8 level_and_form:u8 wall:i64 uptime:small
    distance:small name:name source:source payload:content state:content""")  # §8.1


def fields(layout, reader):
    return {name: read(kind, reader) for name, kind in layout}


def octets(layout, values):
    optional = ("share", "file")
    its = {name: values.get(name) if kind in optional else values.get(name, "")
           if kind == "last" else values[name] for name, kind in layout}
    said = [kind != "last" or bool(its[name]) for name, kind in layout]
    while said and not said[-1]:  # §7.2: a body ends behind the last field that says something
        said.pop()
    return b"".join(write(kind, its[name]) for name, kind in layout[:len(said)])


def decode_datagram(datagram):
    """§6, its checks in its order; `kind`, `flags`, `session` and the fields of the body."""
    need(len(datagram) <= DATAGRAM_MAX, "beyond limit")
    reader = Reader(datagram)
    need(reader.take(2) == b"SS", "foreign")
    need(reader.number("B") == 1, "unsupported version")
    code, header, key = (reader.number("B") for _ in range(3))
    need(key == 0, "unknown key")
    flags, session = reader.number("H"), reader.number("Q")
    need(header >= 16)
    reader.take(header - 16)
    need(code in DATAGRAMS, "unknown type")
    name, its_layout = DATAGRAMS[code]
    reader.flags = flags
    body = fields(its_layout, reader)
    need(len(datagram) >= PADDED.get(name, 0), "truncated")
    check(name, body)
    need(session != 0 or name == "probe")
    return {"kind": name, "flags": flags, "session": session} | body


def encode_datagram(values):
    code = CODES[values["kind"]]
    header = struct.pack(">2sBBBBHQ", b"SS", 1, code, 16, 0, values.get("flags", 0),
                         values["session"])
    return (header + octets(DATAGRAMS[code][1], values)).ljust(PADDED.get(values["kind"], 0), b"\0")


def check(name, body):
    """What no field can say alone."""
    if name == "data":
        need(body["retained"] < body["packet"])  # the trailing edge is 1 at least
    if name in ("heartbeat", "welcome"):
        check_progress(**{field: body[field] for field, _ in layout(PROGRESS)})
    if name == "heartbeat":  # §5.2
        need(body["realm"] != "*")
        need(not any(unicodedata.category(one) == "Cc" for one in body["realm"]))
    if name in ("nak", "check"):
        need(all(length and first and first + length <= NONE for first, length in body["ranges"]))
    if name == "check":
        need(all(length <= 1024 for _, length in body["ranges"]), "beyond limit")
    if name == "progress":
        end = body["received"]
        for first, length in body["ahead"] or []:
            need(first > end and length)
            end = first + length
        need(not body["ahead"] or end <= CONTENT_MAX, "beyond limit")
    if name in ("seek", "offer"):
        need(body["first"] <= body["newest"])
    if name == "proof":
        need(all(digest < DIGEST_MODULUS or digest == NONE for digest, in body["digests"]))
    if name == "nak":
        need(sum(length for _, length in body["ranges"]) <= 4096, "beyond limit")
    if name in ("reset", "command", "reset by delta"):
        check_upload(name, body)
    if name in ("outcome", "restored"):
        need(body["outcome"] <= 5)
        body["reason"] = body["reason"] if body["outcome"] == 1 else ""  # §11.4
    if name in ("value request", "value reply"):  # §10.10
        need(body["after"] < body["through"])
        need(name == "value request" or body["through"] <= body["newest_record"])
        need(body.get("offset", 0) <= RECORD_MAX, "beyond limit")
    if name == "outcome":
        need(body["outcome"] or not isinstance(body["digest"], bytes), "truncated")
        body["digest"] = body["digest"] if body["outcome"] == 0 else None
        need(body["digest"] is None or body["digest"] < DIGEST_MODULUS)
    if name == "fragment":
        need(body["octets"])
        need(body["total"] <= RECORD_MAX, "beyond limit")
        need(body["offset"] + len(body["octets"]) <= body["total"], "beyond limit")


def digest(key, packets):
    """§8.5, of pairs of a sequence and a body."""
    first, second = (number & DIGEST_MODULUS for number in key)
    result = 0
    for sequence, body in packets:
        words = [sequence >> 32, sequence & 0xFFFFFFFF, len(body)]
        words += (int.from_bytes(body[at : at + 7], "little") for at in range(0, len(body), 7))
        number = 1
        for word in words:
            number = (number + word) * first % DIGEST_MODULUS
        result = (result + number) * second % DIGEST_MODULUS
    return result


def check_progress(newest_packet, oldest_packet, newest_record, record_packet, state_packet,
                   state_count):
    """§7.2."""
    need((newest_record == 0) == (record_packet == 0))
    need(1 <= oldest_packet <= newest_packet + 1)
    need(record_packet <= newest_packet and state_packet <= newest_packet)
    need(state_count <= newest_packet - state_packet + 1)
    need((state_count == 0) == (state_packet == 0))


def check_upload(name, body):
    """§11.2, §11.5, §11.8."""
    if body["total"] == NO_STATE:
        need(name == "reset" and body["offset"] == 0 and not body["type"])
        body["octets"] = b""
        return
    need(body["total"] <= CONTENT_MAX, "beyond limit")
    need(name == "reset" or body["total"] > 0)
    need(body["offset"] + len(body["octets"]) <= body["total"], "beyond limit")


def decode_frames(data):
    """§7.1: the frames that count, one after the other; raises Refused at one that does not."""
    reader = Reader(data)
    while reader.at < len(data):
        if not any(data[reader.at :]):
            return  # zeros at the end are padding
        code, _, length = reader.number("B"), reader.number("B"), reader.number("H")
        body = reader.take(length)
        if code in FRAMES:
            name, its_layout = FRAMES[code]
            values = fields(its_layout, Reader(body))
            check(name, values)
            yield {"kind": name} | values


def encode_frame(values):
    code = next(code for code, (name, _) in FRAMES.items() if name == values["kind"])
    body = octets(FRAMES[code][1], values)
    return struct.pack(">BBH", code, 0, len(body)) + body


def decode_record(data):
    """§8.1. `state` is a type and octets: those of a delta (§8.3) if the form is 2."""
    need(len(data) <= RECORD_MAX, "beyond limit")
    reader = Reader(data)
    record = fields(RECORD, reader)
    sequence, distance = record["sequence"], record.pop("distance")
    need(0 < sequence < NONE)
    record["parent"] = sequence - distance if 0 < distance < sequence else 0
    record["level"], record["form"] = divmod(record.pop("level_and_form"), 16)
    has_state = record["state"][0] != ""
    need(not (record["form"] in (0, 3) and has_state))
    need(not (record["form"] in (1, 2) and not has_state))
    need(not record["payload"][2] or record["form"] == 2)
    need(not record["state"][2])
    return record | grown(record, reader)


def grown(record, reader):
    """The fields that may be missing: what is wrong with them, too, is read as missing."""
    found = {}
    # Other kinds move an app only with a state.
    moves = record["kind"] == 1 or (record["kind"] in (2, 4, 5, 7) and record["form"] != 0)
    try:
        if moves:
            if (distance := reader.small()) <= record["sequence"]:
                found["grown_from"] = distance
            move = reader.small()
            if "grown_from" in found:
                found["move"] = move
            if record["kind"] == 1 and (count := reader.small()) > 1:
                found["count"] = count
    except Refused:
        pass
    return found


def encode_record(record):
    parent = record["parent"]
    count = record.get("count")
    grown_from, move = record.get("grown_from"), record.get("move") or None
    if count is not None:
        grown_from = record["sequence"] + 1 if grown_from is None else grown_from
        move = move or 0
    numbers = [grown_from, move, count]
    return octets(RECORD, record | {
        "distance": record["sequence"] - parent if parent else 0,
        "level_and_form": record["level"] << 4 | record["form"],
    }) + b"".join(small(number) for number in numbers if number is not None)


def decode_delta(data):
    """§8.3: base, base size, target size, and the operations as (code, count, inserted octets)."""
    reader = Reader(data)
    base, base_size, target_size = (reader.small() for _ in range(3))
    need(0 < base < NONE)
    need(base_size <= CONTENT_MAX and target_size <= CONTENT_MAX, "beyond limit")
    operations, cursor, made = [], 0, 0
    while reader.at < len(data):
        number = reader.small()
        code, count = number & 3, number >> 2
        need(count > 0)
        inserted = reader.take(count) if code == 1 else b""
        cursor = moved(cursor, code, count, base_size)
        made += count if code < 2 else 0
        need(0 <= cursor <= base_size and made <= target_size)
        operations.append((code, count, inserted))
    need(made == target_size)
    return {"base": base, "base_size": base_size, "target_size": target_size,
            "operations": operations}


def moved(cursor, code, count, base_size):
    """Where the cursor is after an operation: an insertion moves it to the base's end at most."""
    if code == 1:
        return min(cursor + count, base_size)
    return cursor - count if code == 3 else cursor + count


def encode_delta(delta):
    parts = [small(delta[name]) for name in ("base", "base_size", "target_size")]
    for code, count, inserted in delta["operations"]:
        parts += [small(count << 2 | code), inserted]
    return b"".join(parts)


def apply_delta(delta, base):
    """A state, of another one that decode_delta's checks fit."""
    need(len(base) == delta["base_size"])
    cursor, made = 0, []
    for code, count, inserted in delta["operations"]:
        if code == 0:
            made.append(base[cursor : cursor + count])
        elif code == 1:
            made.append(inserted)
        cursor = moved(cursor, code, count, len(base))
    return b"".join(made)
