import SurfWire
import TestSupport

private let mark = Record(
  sequence: 8, kind: .mark, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "checkpoint")
private let log = Record(
  sequence: 3, kind: .log(.warning), wallTime: Sample.wallTime, uptime: 1_500_000_000,
  name: "disk is slow", source: "Disk.swift:7", state: .givenUp)
private func text(_ type: String) -> Record {
  Record(
    sequence: 9, kind: .update, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "t",
    payload: Content(type: type, bytes: Array("hi".utf8)))
}

private func clear(
  grownFrom origin: Position? = nil, move: WireCount = 0, count: WireCount = 1
) -> Record {
  Record(
    sequence: 5, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "clear",
    state: .keyframe(Content(type: "application/octet-stream", bytes: [])),
    grownFrom: origin.map { GrownFrom(from: $0, move: move) }, count: count)
}

/// Protocol.md §8; Tests/Vectors/records.txt.
let expectedRecords: [String: Record] = [
  "record-action": Record(
    sequence: 7, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, parent: 6,
    name: "increment", source: "Counter.swift:41", payload: Sample.json("{\"by\":1}"),
    state: .keyframe(Sample.json("{\"n\":4}"))),
  "record-update": Record(
    sequence: 2, kind: .update, wallTime: -1, name: "cache.size", payload: Sample.json("17")),
  "record-revision": Record(
    sequence: 5, kind: .revision, wallTime: Sample.wallTime, uptime: 1_500_000_000,
    name: "locked by ada",
    payload: Sample.json(
      #"{"command":"lock","viewer":"ada","exact":true,"locked":true,"paused":false}"#)),
  "record-driven": Record(
    sequence: 5, kind: .revision, wallTime: Sample.wallTime, uptime: 1_500_000_000,
    name: "driven by ada",
    payload: Sample.json(
      #"{"command":"drive","viewer":"ada","exact":true,"locked":false,"paused":false,"#
        + #""driver":{"viewer":"a1a2a3a4a5a6a7a8","name":"ada"}}"#)),
  "record-log": log,
  "record-mark": mark,
  "record-remove": Record(
    sequence: 10, kind: .remove, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "screen"),
  "record-later-kind": Record(
    sequence: 4, kind: .other(200), wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "?"),
  "record-state-empty": clear(),
  "record-typed": Record(
    sequence: 7, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "start",
    state: .keyframe(
      Content(type: "application/vnd.example.spelled-type+json", bytes: Array(#""idle""#.utf8)))),
  "record-redacted": Record(
    sequence: 7, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "key(…)",
    state: .keyframe(Sample.json(#"{"key":{"$redacted":"string"}}"#))),
  "record-grown": Record(
    sequence: 9, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "clear",
    state: .keyframe(Sample.json("{}")), grownFrom: GrownFrom(from: .record(3))),
  "record-mark-grown": Record(
    sequence: 5, kind: .mark, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "clear",
    state: .keyframe(Content(type: "application/octet-stream", bytes: [])),
    grownFrom: GrownFrom(from: .initial)),
  "record-restored": Record(
    sequence: 5, kind: .restored, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "clear",
    state: .keyframe(Content(type: "application/octet-stream", bytes: [])),
    grownFrom: GrownFrom(from: .initial)),
  "record-grown-initial": clear(grownFrom: .initial),
  "record-grown-elsewhere": clear(grownFrom: .elsewhere),
  "record-grown-restored": clear(grownFrom: .record(4), move: 2),
  "record-count": clear(count: 12),
  "record-count-grown": clear(grownFrom: .initial, count: 300),
  "record-count-most": clear(grownFrom: .record(4), move: 2, count: .max),
  "record-state-delta": Record(
    sequence: 6, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "edit",
    state: .delta(
      Content(
        type: "application/json",
        bytes: [5, 7, 7, 0x14, 0x05, 0x35, 0x04]))),
  "record-other-type": Record(
    sequence: 300, kind: .update, wallTime: Sample.wallTime, uptime: 1_500_000_000, parent: 44,
    name: "i", payload: Content(type: "image/png", bytes: [0x2A])),
  "record-text": text("text/plain"),
  "record-payload-delta": Record(
    sequence: 9, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "add",
    payload: Content(type: Sample.json, bytes: [8, 8, 8, 0x18, 0x05, 0x32, 0x04]),
    payloadIsDelta: true,
    state: .delta(
      Content(type: Sample.json, bytes: [8, 7, 7, 0x14, 0x05, 0x35, 0x04]))),
  "record-payload-delta-spelled": Record(
    sequence: 9, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "",
    payload: Content(type: "x", bytes: [8, 2, 2, 8]), payloadIsDelta: true,
    state: .delta(Content(type: Sample.json, bytes: [8, 7, 7, 0x1C]))),
  "record-state-later-form": Record(
    sequence: 6, kind: .action, wallTime: Sample.wallTime, uptime: 1_500_000_000, name: "edit",
    state: .reserved(form: 7, Content(type: "", bytes: []))),
  "limit-name": Record(
    sequence: 1, kind: .update, wallTime: Sample.wallTime, uptime: 1_500_000_000,
    name: String(repeating: "a", count: 4096), source: String(repeating: "b", count: 512),
    payload: Content(type: String(repeating: "c", count: 63), bytes: [])),
  "tolerated-log-level": Record(
    sequence: 3, kind: .log(.info), wallTime: Sample.wallTime, uptime: 1_500_000_000,
    name: "disk is slow", source: "Disk.swift:7", state: .givenUp),
  "tolerated-record-trailing": mark,
  "tolerated-record-count-trailing": clear(count: 12),
  "tolerated-record-count-far": clear(count: 12),
  "tolerated-record-count-none": clear(grownFrom: .record(4), move: 2),
  "tolerated-record-count-one": clear(grownFrom: .record(4), move: 2),
  "tolerated-record-count-cut": clear(grownFrom: .record(4), move: 2),
  "tolerated-record-grown-far": clear(),
  "tolerated-record-grown-cut": clear(),
  "tolerated-record-grown-move-cut": clear(grownFrom: .initial),
  "tolerated-record-grown-move-none": clear(grownFrom: .initial),
  "tolerated-record-parent": mark,
  "tolerated-record-numbers": mark,
  "tolerated-record-type": text("text/plain"),
  "tolerated-record-later-type": text("application/octet-stream"),
]

private func fragment(
  _ record: SequenceNumber, _ total: WireCount, _ offset: WireCount, _ text: String
)
  -> Frame
{
  .fragment(Fragment(record: record, total: total, offset: offset, bytes: Array(text.utf8)))
}

/// Protocol.md §7.1; Tests/Vectors/frames.txt.
let expectedFrames: [String: [Frame]] = [
  "frame-record": [.record(mark.encoded())],
  "frame-fragment": [fragment(9, 3000, 1200, "0123456789")],
  "frame-restored": [Sample.restored(.record(2), newest: 9, .applied)],
  "frame-restored-rejected": [
    Sample.restored(.record(9), newest: 9, .rejected(reason: "not a counter"))
  ],
  "frame-two": [
    Sample.restored(.initial, newest: 9, .applied, name: ""), fragment(10, 4, 0, "abcd"),
  ],
  "limit-fragment-total": [fragment(9, 68_157_440, 68_157_439, "z")],
  "tolerated-frame-type": [.record(mark.encoded())],
  "tolerated-frame-flags": [.record(mark.encoded())],
]
