"""Sealing (Protocol.md §18) by a stranger: keys by the standard library, datagrams by the package
cryptography, without which nothing is sealed or opened (`CAN_SEAL`)."""

import base64
import hmac
import re
import struct
from collections import Counter

from wire import CODES, DATAGRAM_MAX, NONE, need

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    CAN_SEAL = True
except ImportError:
    CAN_SEAL = False

HEADER, MESSAGE_HEADER, SEQUENCE, TAG = 16, 32, 8, 16
MESSAGE_GROWTH = MESSAGE_HEADER - HEADER + TAG  # §18.2, rule 4
DATA, HEARTBEAT, GOODBYE, PROBE = 1, 2, 3, 4
# §18.1: which key seals a type.
APP_TYPES = {1, 2, 3, 6, 9, 10, 16, 19}
DRIVER_TYPES = {8, 11, 17}
REPLAY_WINDOW = 256  # §18.3
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
KINDS = {"drive": 1, "watch": 2}


def mac(key, data):
    return hmac.digest(key, data, "sha256")


def expand(key, info, size=32):
    """RFC 5869 §2.3, of one block."""
    return mac(key, info + b"\x01")[:size]


def checksum(kind, letters):
    """§18.6, of the kind of a key and its 52 letters."""
    rest = KINDS[kind]
    for letter in letters:
        rest = rest << 5 | LETTERS.index(letter)
    rest <<= 20
    divisor = 1 << 20 | 1 << 6 | 1 << 4 | 1 << 1 | 1
    while rest >> 20:
        rest ^= divisor << (rest.bit_length() - 21)
    return "".join(LETTERS[rest >> shift & 31] for shift in (15, 10, 5, 0))


class GroupKey:
    """§18.1: what is derived from a drive key, or from a watch key alone."""

    def __init__(self, drive=None, watch=None):
        self.drive_root = mac(b"statesurf drive 1", drive) if drive else None
        self.watch = expand(self.drive_root, b"watch") if drive else watch
        self.root = mac(b"statesurf sealed 1", self.watch)
        self.id = 1 + expand(self.root, b"key id", 1)[0] % 255
        self.fingerprint = expand(self.root, b"fingerprint", 4)

    @classmethod
    def parse(cls, text):
        match = re.fullmatch("statesurf-(drive|watch)-1-([a-z2-7]{52})-([a-z2-7]{4})", text.strip())
        if not match or checksum(*match.group(1, 2)) != match[3]:
            raise ValueError("that is no key")
        return cls(**{match[1]: base64.b32decode(match[2].upper() + "====")})

    @property
    def drives(self):
        return self.drive_root is not None

    def sender_key(self, role, session, sender):
        root = self.drive_root if role == "driver" else self.root
        return root and expand(root, role.encode() + struct.pack(">QQ", session, sender))

    def cipher(self, role, session, sender):
        key = self.sender_key(role, session, sender)
        need(key is not None, "does not open")
        return ChaCha20Poly1305(key)


def role_of(code):
    return "app" if code in APP_TYPES else "driver" if code in DRIVER_TYPES else "viewer"


def nonce(code, number):
    return struct.pack(">B3xQ", code, number)


def seal(datagram, key, sender, number, role=None):
    """The sealed form of an open datagram (§18.2); a packet's number is its sequence."""
    code, session = datagram[3], struct.unpack(">Q", datagram[8:16])[0]
    cipher = key.cipher(role or role_of(code), session, sender)
    front = datagram[:4]
    if code == DATA:
        size = HEADER + SEQUENCE
        clear = front + bytes([HEADER, key.id]) + datagram[6:size]
        number = struct.unpack(">Q", datagram[HEADER:size])[0]
        return clear + cipher.encrypt(nonce(code, number), datagram[size:], masked(clear))
    clear = (front + bytes([MESSAGE_HEADER, key.id]) + datagram[6:HEADER]
             + struct.pack(">QQ", sender, number))
    return clear + cipher.encrypt(nonce(code, number), datagram[HEADER:], clear)


def masked(clear):
    """§18.2, rule 2: a repair has other flags."""
    return clear[:6] + b"\0\0" + clear[8:]


class Numbers:
    """Which numbers of one sender were here (§18.3, rule 3)."""

    def __init__(self):
        self.greatest, self.seen = 0, set()

    def accept(self, number):
        need(number > self.greatest - REPLAY_WINDOW and number not in self.seen, "replayed")
        self.seen.add(number)
        if number > self.greatest:
            self.greatest = number
            self.seen = {one for one in self.seen if one > number - REPLAY_WINDOW}


class Opener:
    """One end of sealed sessions: opens what comes, once (§18.3)."""

    def __init__(self, key):
        self.key = key
        self.app_senders, self.newest, self.numbers = {}, {}, {}

    @staticmethod
    def is_sealed(datagram):
        return len(datagram) > 5 and datagram[:3] == b"SS\x01" and datagram[5] > 0

    def open(self, datagram):
        need(len(datagram) <= DATAGRAM_MAX, "beyond limit")
        need(len(datagram) > 5, "truncated")
        need(datagram[5] > 0, "not sealed")
        need(datagram[5] == self.key.id, "unknown key")
        need(len(datagram) >= HEADER, "truncated")
        code, header = datagram[3], datagram[4]
        need(header >= (HEADER if code == DATA else MESSAGE_HEADER))
        need(code in CODES.values(), "unknown type")
        session = struct.unpack(">Q", datagram[8:16])[0]
        size = header + (SEQUENCE if code == DATA else 0)
        need(len(datagram) >= size + TAG, "truncated")
        clear = datagram[:size]
        if code == DATA:
            sender, number = self.app_senders.get(session), struct.unpack(">Q", clear[header:])[0]
            aad, kept = masked(clear), clear[header:]
        else:
            sender, number = struct.unpack(">QQ", clear[HEADER:MESSAGE_HEADER])
            aad, kept = clear, b""
        need(0 < number < NONE)  # §18.2, rule 3
        need(sender is not None, "before a heartbeat")  # §18.3: ignored
        try:
            cipher = self.key.cipher(role_of(code), session, sender)
            body = cipher.decrypt(nonce(code, number), datagram[size:], aad)
        except InvalidTag:
            need(False, "does not open")
        self.judge(code, session, sender, number)
        return datagram[:4] + bytes([HEADER, 0]) + datagram[6:HEADER] + kept + body

    def judge(self, code, session, sender, number):
        if code == DATA:
            return  # §10.3
        if code in APP_TYPES:
            if code == HEARTBEAT:
                self.app_senders.setdefault(session, sender)
            need(self.app_senders.get(session, sender) == sender, "does not open")
        if code in (HEARTBEAT, GOODBYE):
            need(self.newest.get(session, 0) < number, "replayed")
            self.newest[session] = number
            return
        self.numbers.setdefault((session, sender), Numbers()).accept(number)


class Sealing(Opener):
    """A viewer's end: its own numbers beside those of others."""

    def __init__(self, key, viewer, claims_to_drive=False):
        super().__init__(key)
        self.viewer, self.sent = viewer, Counter()  # by session
        # What drives, under the key that a holder of the watch key has: nothing opens that.
        self.driver = "viewer" if claims_to_drive else None

    def seal(self, datagram):
        self.sent[datagram[8:16]] += 1
        role = self.driver if datagram[3] in DRIVER_TYPES else None
        return seal(datagram, self.key, self.viewer, self.sent[datagram[8:16]], role)
