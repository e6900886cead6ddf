import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

/// Reports the result of a rewrite. Only the app knows it: its answer names the record of the
/// revision, which contains the result.
struct RewriteReport {
  /// The record of the revision.
  let revision: SequenceNumber
  private let command: HistoryCommand<SequenceNumber>
  private let answer: ResetAnswer

  /// Nil if there is no revision to wait for.
  init?(_ answer: ResetAnswer, to question: AnswerReport.Question) {
    guard case .command(let command) = question, command.replays,
      case .answered(.applied, .record(let revision)) = answer
    else { return nil }
    (self.revision, self.command, self.answer) = (revision, command, answer)
  }

  /// - Parameter record: The revision; nil if it did not arrive.
  func actions(_ label: String, told record: Record? = nil) -> [CommandAction] {
    let revision = record.flatMap(Self.revision(in:))
    let question = AnswerReport.Question.command(done(by: revision))
    return AnswerReport(
      answer, to: question, label: label, note: " \(note(of: revision?.replay))"
    ).actions
  }

  private static func revision(in record: Record) -> Revision? {
    guard let payload = record.payload else { return nil }
    do throws(ControlError) {
      return try Revision(parsing: payload.bytes)
    } catch {
      return nil
    }
  }

  /// With `toggle`, the app decides whether the row is left out or taken in again.
  private func done(by revision: Revision?) -> HistoryCommand<SequenceNumber> {
    guard case .toggle(let row, nil) = command else { return command }
    let item = revision?.staging?.items.first { SequenceNumber($0.row) == row }
    return .toggle(row, skipped: item?.isSkipped)
  }

  private func note(of replay: Revision.Replay?) -> String {
    guard let replay else {
      return "(row \(revision), which says whether that is exact, did not arrive)"
    }
    return "(\(replay.doubt ?? "exact"))"
  }
}
