"""Sealing (Protocol.md §18) by a stranger: keys by the standard library, datagrams by the package
cryptography, without which nothing is sealed or opened (`CAN_SEAL`)."""

import hmac
import struct

from wire import DATAGRAM_MAX, need

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    CAN_SEAL = True
except ImportError:
    CAN_SEAL = False

HEADER, MESSAGE_HEADER, CLEAR_PACKET, TAG = 16, 32, 24, 16
DATA, HEARTBEAT, GOODBYE = 1, 2, 3
# §18.1: which key seals a type.
APP_TYPES = {1, 2, 3, 6, 9, 10, 16, 19}
DRIVER_TYPES = {8, 11, 17}
VIEWER_TYPES = {4, 5, 7, 12, 13, 14, 15, 18}


def mac(key, data):
    return hmac.digest(key, data, "sha256")


def expand(key, info, size=32):
    """RFC 5869 §2.3, of one block."""
    return mac(key, info + b"\x01")[:size]


class GroupKey:
    """§18.1: what is derived from a drive key, or from a watch key alone."""

    def __init__(self, drive=None, watch=None):
        self.drive_root = mac(b"statesurf drive 1", drive) if drive else None
        self.watch = expand(self.drive_root, b"watch") if drive else watch
        self.root = mac(b"statesurf sealed 1", self.watch)
        self.id = 1 + expand(self.root, b"key id", 1)[0] % 255
        self.fingerprint = expand(self.root, b"fingerprint", 4)

    def sender_key(self, role, session, sender):
        root = self.drive_root if role == "driver" else self.root
        return root and expand(root, role.encode() + struct.pack(">QQ", session, sender))

    def cipher(self, code, session, sender):
        role = "app" if code in APP_TYPES else "driver" if code in DRIVER_TYPES else "viewer"
        key = self.sender_key(role, session, sender)
        need(key is not None, "does not open")
        return ChaCha20Poly1305(key)


def nonce(code, number):
    return struct.pack(">B3xQ", code, number)


def seal(datagram, key, sender, number):
    """The sealed form of an open datagram (§18.2); a packet's number is its sequence."""
    code, session = datagram[3], struct.unpack(">Q", datagram[8:16])[0]
    cipher = key.cipher(code, session, sender)
    front = datagram[:4]
    if code == DATA:
        clear = front + bytes([HEADER, key.id]) + datagram[6:CLEAR_PACKET]
        number = struct.unpack(">Q", datagram[HEADER:CLEAR_PACKET])[0]
        return clear + cipher.encrypt(nonce(code, number), datagram[CLEAR_PACKET:], masked(clear))
    clear = (front + bytes([MESSAGE_HEADER, key.id]) + datagram[6:HEADER]
             + struct.pack(">QQ", sender, number))
    return clear + cipher.encrypt(nonce(code, number), datagram[HEADER:], clear)


def masked(clear):
    """§18.2, rule 2: a repair has other flags."""
    return clear[:6] + b"\0\0" + clear[8:]


class Opener:
    """One end of sealed sessions: opens what comes, once (§18.3)."""

    def __init__(self, key, app_sender):
        self.key, self.app_sender = key, app_sender
        self.seen, self.newest = set(), {}

    def open(self, datagram):
        need(len(datagram) <= DATAGRAM_MAX, "beyond limit")
        need(len(datagram) >= HEADER, "truncated")
        need(datagram[5] > 0, "not sealed")
        need(datagram[5] == self.key.id, "unknown key")
        code, header = datagram[3], datagram[4]
        session = struct.unpack(">Q", datagram[8:16])[0]
        size = CLEAR_PACKET if code == DATA else header
        need(header >= (HEADER if code == DATA else MESSAGE_HEADER), "invalid")
        need(len(datagram) >= size + TAG, "truncated")
        clear = datagram[:size]
        if code == DATA:
            sender, number = self.app_sender, struct.unpack(">Q", clear[16:24])[0]
            aad, kept = masked(clear), clear[16:24]
        else:
            sender, number = struct.unpack(">QQ", clear[16:32])
            aad, kept = clear, b""
        try:
            cipher = self.key.cipher(code, session, sender)
            body = cipher.decrypt(nonce(code, number), datagram[size:], aad)
        except InvalidTag:
            need(False, "does not open")
        self.judge(code, session, sender, number)
        return datagram[:4] + bytes([HEADER, 0]) + datagram[6:HEADER] + kept + body

    def judge(self, code, session, sender, number):
        if code == DATA:
            return
        if code in (HEARTBEAT, GOODBYE):
            need(number > self.newest.get(session, 0), "replayed")
            self.newest[session] = number
            return
        need((session, sender, number) not in self.seen, "replayed")
        self.seen.add((session, sender, number))
