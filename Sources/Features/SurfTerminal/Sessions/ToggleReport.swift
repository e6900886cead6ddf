import SurfControl
import SurfObserver
import SurfWire

/// What a toggle came to. Only the app knows: its answer names the record that tells.
struct ToggleReport {
  /// The record of the revision.
  let revision: SequenceNumber
  private let row: SequenceNumber
  private let answer: ResetAnswer

  static func isNeeded(_ command: HistoryCommand<SequenceNumber>) -> Bool {
    if case .toggle(_, nil) = command { true } else { false }
  }

  /// Nil if there is nothing to be read.
  init?(_ answer: ResetAnswer, to question: AnswerReport.Question) {
    guard case .command(.toggle(let row, nil)) = question,
      case .answered(.applied, .record(let revision)) = answer
    else { return nil }
    (self.revision, self.row, self.answer) = (revision, row, answer)
  }

  /// - Parameter record: The revision; nil if it did not come.
  func actions(_ label: String, told record: Record? = nil) -> [CommandAction] {
    let command = HistoryCommand.toggle(row, skipped: record.flatMap(isSkipped))
    return AnswerReport(answer, to: .command(command), label: label).actions
  }

  private func isSkipped(in record: Record) -> Bool? {
    guard let payload = record.payload else { return nil }
    do throws(ControlError) {
      let staging = try Revision(parsing: payload.bytes).staging
      return staging?.items.first { SequenceNumber($0.row) == row }?.isSkipped
    } catch {
      return nil
    }
  }
}
