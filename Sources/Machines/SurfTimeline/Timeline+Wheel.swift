import SurfControl
import SurfWire

/// Who drives an app, as a row of it tells (Protocol.md §11.9).
package struct WheelNote: Equatable, Sendable {
  package let row: SequenceNumber
  /// Nil for nobody.
  package let driver: Driver?
}

extension Timeline {
  /// Octets of a payload beyond which it is not one of the wheel.
  private static let noteSizeMax = 4_096

  mutating func noteWheel(_ record: Record) {
    guard record.kind == .revision, record.sequence > wheel?.row ?? 0,
      let payload = record.payload, payload.bytes.count <= Self.noteSizeMax
    else { return }
    do throws(ControlError) {
      let revision = try Revision(parsing: payload.bytes)
      guard revision.command == "drive" else { return }
      let driver = revision.driver.map {
        Driver(viewer: ViewerID(rawValue: $0.viewer), name: $0.name)
      }
      wheel = WheelNote(row: record.sequence, driver: driver)
    } catch {
      // Of something else, or of another's making.
    }
  }
}

extension Instance {
  /// Who drives it; nil for nobody. Without a name, it is not known who.
  package var driver: Driver? {
    guard heartbeat.control.contains(.driven) else { return nil }
    return timeline.wheel?.driver ?? Driver(viewer: ViewerID(rawValue: 0), name: "")
  }
}
