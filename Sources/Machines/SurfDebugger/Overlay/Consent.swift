import SurfControl
import SurfWire

/// What cannot be undone, and waits for a person's yes.
struct Consent: Equatable, Sendable {
  enum Deed: Equatable, Sendable {
    /// What it is called once it is done.
    case command(HistoryCommand<SequenceNumber>, done: String)
    case load(path: String)
    case replace(path: String)
  }

  let session: SessionID
  let deed: Deed
  /// What is to be done, as a question.
  let question: String
  /// What is lost by it, and who will see it; a paragraph each.
  let facts: [String]
}
