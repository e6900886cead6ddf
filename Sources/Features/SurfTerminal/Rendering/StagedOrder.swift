import SurfControl
import SurfWire

/// The order of actions that a revision put in force, and the actions that it leaves out.
struct StagedOrder: Equatable {
  /// Rows before this one are unchanged.
  let oldest: UInt64
  let inForce: [UInt64]
  let leftOut: [UInt64]
  /// Why its states may differ from those that the app itself would have reached.
  let doubt: String?

  /// Nil if the record is not a revision, or has no order.
  init?(_ record: Record) {
    guard record.kind == .revision, let payload = record.payload else { return nil }
    do throws(ControlError) {
      self.init(try Revision(parsing: payload.bytes))
    } catch {
      return nil
    }
  }

  init?(_ revision: Revision) {
    guard let staging = revision.staging else { return nil }
    // `approximate` only means that the command ran no action again.
    doubt = revision.replay == .approximate ? nil : revision.replay.doubt
    oldest = staging.oldest
    inForce = staging.items.filter { !$0.isSkipped }.map(\.row)
    leftOut = staging.items.filter(\.isSkipped).map(\.row)
  }

  /// `in force: 2, 1, 4–12; left out: 3`
  var text: String {
    let earlier = oldest > 1 ? ["all before \(oldest)"] : []
    let rows = (earlier + Self.runs(inForce)).joined(separator: ", ")
    let without = leftOut.isEmpty ? "" : "; left out: " + Self.text(leftOut)
    let note = doubt.map { "; \($0)" } ?? ""
    return "in force: " + (rows.isEmpty ? "nothing" : rows) + without + note
  }

  /// `2, 1, 4–12`
  static func text(_ rows: [UInt64]) -> String { runs(rows).joined(separator: ", ") }

  private static let runCountMax = 50

  /// Writes each run of consecutive rows as two numbers.
  private static func runs(_ rows: [UInt64]) -> [String] {
    var runs: [ClosedRange<SequenceNumber>] = []
    for row in rows.map({ SequenceNumber($0) }) {
      if let last = runs.last, last.upperBound.next == row {
        runs[runs.count - 1] = last.lowerBound...row
      } else {
        runs.append(row...row)
      }
    }
    let texts = runs.prefix(runCountMax).map {
      $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }
    return texts + (runs.count > runCountMax ? ["…"] : [])
  }
}
