import SurfControl
import SurfWire

/// The state that an app started in, which no row carries: an app that takes commands tells it by a
/// record of its own (Protocol.md §11.6).
enum InitialState {
  static let question = HistoryCommand<UInt64>.describe.bytes

  /// Nil if the record does not tell it.
  static func told(by record: Record) -> Content? {
    do throws(ControlError) {
      let initial = try Revision(parsing: record.payload?.bytes ?? []).initial
      return initial.map { Content(type: "application/json", bytes: $0.bytes()) }
    } catch {
      return nil
    }
  }
}
