import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport

let a = SessionID(rawValue: 1)
let b = SessionID(rawValue: 2)

func json(_ text: String) -> Content { Content(type: "application/json", bytes: Array(text.utf8)) }

func action(_ sequence: SequenceNumber, _ state: String = "{\"n\":1}", name: String = "increment")
  -> Record
{
  Record(
    sequence: sequence, kind: .action, wallTime: 3_661_002_000_000, parent: sequence - 1,
    name: name, source: "Counter.swift:7", payload: json("\"pay\""), state: .keyframe(json(state)))
}

func revision(_ sequence: SequenceNumber, _ payload: String) -> Record {
  Record(
    sequence: sequence, kind: .revision, wallTime: 3_661_002_000_000,
    name: "skip row 1 by ada@desk", payload: json(payload), state: .keyframe(json("{\"n\":1}")))
}

func heartbeat(
  _ app: String = "PrimeTime", pid: UInt32 = 123, id: UInt64 = 0xCAFE, newest: SequenceNumber = 0,
  at position: Position = .initial, acceptsResets: Bool = true, control: Heartbeat.Control = [],
  gaveUp givenUp: Heartbeat.GivenUp = Heartbeat.GivenUp(), host: String = "ada",
  realm: Realm? = nil
) -> Heartbeat {
  Heartbeat(
    instance: InstanceID(high: id << 48, low: 1), app: app, host: host, processID: pid,
    contentType: "application/json", acceptsResets: acceptsResets, control: control,
    datagramSize: 1_344,
    progress: StreamProgress(newestRecord: newest), position: position, givenUp: givenUp,
    realm: realm)
}

func restored(to position: Position, by name: String = "eve@host") -> Restored {
  Restored(
    request: 1, viewer: ViewerID(rawValue: 9), viewerName: name, position: position,
    newestRecord: 2, moveCount: 1, outcome: .applied)
}

extension Invocation.Common {
  init(
    _ instance: String? = nil, timeout: Duration = .seconds(5), observes: Bool = false,
    drives: Bool = false
  ) {
    self.init()
    (self.instance, self.timeout) = (instance, timeout)
    (self.observes, self.drives) = (observes, drives)
  }
}

extension [CommandAction] {
  /// The text of all that is printed.
  var text: [String] {
    compactMap {
      switch $0 {
      case .print(let line): line.text
      case .printBytes(let bytes), .write(let bytes, path: nil):
        String(decoding: bytes, as: UTF8.self)
      default: nil
      }
    }
  }

  var failure: Failure? {
    for case .fail(let failure) in self { return failure }
    return nil
  }
}

/// A value as it is: `#expect` cannot look into a call that changes what it is called on.
func value<Value>(_ value: Value) -> Value { value }
