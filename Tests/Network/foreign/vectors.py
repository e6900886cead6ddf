"""The test vectors of Tests/Vectors, in the notation of Protocol.md §D.1."""

import pathlib
import re

import seal
from wire import (Refused, decode_datagram, decode_delta, decode_frames, decode_record,
                  encode_datagram, encode_delta, encode_frame, encode_record)


def vectors(path):
    """(name, reason or "", octets) of each in a file, in its order."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split(";")[0]
        if ":" in line:
            name, reason = line.split(":")
            found.append((name.strip(), reason.strip(), []))
        elif line.strip():
            found[-1][2].append(line)
    return [(name, reason, octets(" ".join(lines))) for name, reason, lines in found]


def octets(text):
    def repeat(match):
        return " ".join([match[1]] * int(match[2]))

    text = re.sub(r"\b([0-9a-f]{2})\*(\d+)", repeat, text)
    text = re.sub(r"\{([^}]*)\}\*(\d+)", repeat, text)
    return bytes.fromhex(" ".join(text.split()))


def codec(sort):
    """What the vectors of a file hold."""
    return {
        "deltas": (decode_delta, encode_delta),
        "frames": (decode_all_frames, lambda frames: b"".join(map(encode_frame, frames))),
        "records": (decode_record, encode_record),
    }.get(sort, (decode_datagram, encode_datagram))


def decode_all_frames(data):
    frames = list(decode_frames(data))
    for frame in frames:
        if frame["kind"] == "record":
            decode_record(frame["octets"])
    return frames


def fault(sort, name, reason, data):
    """What is wrong with a vector, or None."""
    decode, encode = codec(sort)
    try:
        decoded = decode(data)
    except Refused as refused:
        return None if str(refused) == reason else f"refused: {refused}, not: {reason or 'at all'}"
    if name.startswith("bad-"):
        return f"was decoded, not refused: {reason}"
    if name.startswith("tolerated-"):
        return None
    return None if encode(decoded) == data else f"encoded as {encode(decoded).hex(' ')}"


class Sealed:
    """Keys, and what is sealed under them, in the order of the file."""

    SESSION, APP, VIEWER = 0x1122334455667788, 0x1112131415161718, 0xa1a2a3a4a5a6a7a8

    def __init__(self, open_ones):
        self.open_ones = open_ones
        self.key = seal.GroupKey(bytes(range(32)))
        self.opener = seal.Opener(self.key)
        self.counts = {self.APP: 0, self.VIEWER: 0}

    def fault(self, _, name, reason, data):
        if name.startswith("key-"):
            return None if data == self.derived(name) else f"derived: {self.derived(name).hex()}"
        if not seal.CAN_SEAL:
            return None
        try:
            opened = self.opener.open(data)
        except Refused as refused:
            return None if str(refused) == reason else f"refused: {refused}, not: {reason}"
        if reason:
            return f"was opened, not refused: {reason}"
        open_one = self.open_ones[name.removeprefix("sealed-")]
        if opened != open_one:
            return f"opened as {opened.hex(' ')}"
        again = self.sealed(open_one)
        return None if again == data else f"sealed as {again.hex(' ')}"

    def sealed(self, datagram):
        sender = self.APP if datagram[3] in seal.APP_TYPES else self.VIEWER
        self.counts[sender] += datagram[3] != seal.DATA
        return seal.seal(datagram, self.key, sender, self.counts[sender])

    def derived(self, name):
        return {
            "key-watch": self.key.watch,
            "key-id": bytes([self.key.id]),
            "key-fingerprint": self.key.fingerprint,
            "key-app": self.key.sender_key("app", self.SESSION, self.APP),
            "key-viewer": self.key.sender_key("viewer", self.SESSION, self.VIEWER),
            "key-driver": self.key.sender_key("driver", self.SESSION, self.VIEWER),
        }[name]


def run(folder):
    """Prints what is wrong and how many there were; False if anything was."""
    files = {path.stem: vectors(path) for path in sorted(pathlib.Path(folder).glob("*.txt"))}
    all_of_them = [(sort, *vector) for sort, some in files.items() for vector in some]
    faults = 0
    sealed = Sealed({name: data for _, name, _, data in all_of_them})
    if not seal.CAN_SEAL:
        print("the sealed vectors were not opened: there is no package cryptography")
    for sort, name, reason, data in all_of_them:
        if wrong := (sealed.fault if sort == "sealed" else fault)(sort, name, reason, data):
            faults += 1
            print(f"{name}: {wrong}")
    bad = sum(name.startswith("bad-") for _, name, _, _ in all_of_them)
    print(f"{len(all_of_them)} vectors, {bad} of them bad, {faults} faults")
    return faults == 0 and len(all_of_them) > 0
