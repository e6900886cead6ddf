import SurfTimeline
import SurfViewer
import SurfWire

/// A short message, shown for a few seconds, or until it is no longer true.
struct Notice: Equatable, Sendable {
  enum Tone: Equatable, Sendable {
    case done, failed, note
  }

  /// The subject of a message.
  enum Ground: Equatable, Sendable {
    /// Something that happened.
    case event
    /// That no app is on screen.
    case noApp
    /// That this app is not here.
    case absent(SessionID)
    /// That this key does nothing.
    case key
    /// That this command cannot run, for this reason.
    case refusal(ViewerCommand, reason: String)
    /// The place under the cursor, in the app on screen.
    case cursor(SessionID?, ListPlace?)
    /// That a step leads no further, in these words.
    case end(ViewerCommand, SessionID, String)
    /// That an app has not answered this request.
    case unanswered(serial: Int)
    /// That a search looks among rows that were not here.
    case hunting(SessionID)
    /// That an app's rows have this filter.
    case filter(SessionID, String)
    /// That a search has found nothing.
    case noHits(SessionID)

    /// Whether a key makes it out of date: pressing it again repeats it.
    var endsWithKey: Bool {
      switch self {
      case .key, .refusal: true
      default: false
      }
    }
  }

  let text: String
  let tone: Tone
  let end: Duration
  let ground: Ground

  static let duration = Duration.seconds(5)
}

extension Debugger {
  mutating func tell(
    _ text: String, _ tone: Notice.Tone = .note, while ground: Notice.Ground = .event
  ) {
    notices = [Notice(text: text, tone: tone, end: now + Notice.duration, ground: ground)]
  }

  mutating func reportSlowApps(in catalog: Catalog) {
    while let (serial, request) = pendingMoves.takeUnanswered(at: now) {
      let label = catalog[request.session]?.label ?? "the app"
      let text =
        request.file.map { "\(Excerpt.text($0, limit: 60)) is not ready yet" }
        ?? "waiting for \(label) to answer"
      tell(text, while: .unanswered(serial: serial))
    }
  }

  /// The ground of a message about the row under the cursor.
  var atCursor: Notice.Ground { .cursor(app, app.flatMap { views[$0]?.selection.place }) }

  mutating func dropStaleNotices(in catalog: Catalog) {
    notices = notices.filter { holds($0.ground, in: catalog) }
  }

  private func holds(_ ground: Notice.Ground, in catalog: Catalog) -> Bool {
    switch ground {
    case .event, .key: true
    case .noApp: app == nil
    case .absent(let session): !catalog.contains(session)
    case .refusal(let command, let reason):
      refusal(of: command, met: met(in: catalog)) == reason
    case .cursor: atCursor == ground
    // A busy app at the tip goes on, and is at the tip again.
    case .end(let command, let session, let text):
      catalog[session].map { step(command, $0).end == text } ?? true
    case .unanswered(let serial): pendingMoves.isPending(serial)
    case .hunting(let session): views[session]?.hunt != nil
    case .filter(let session, let text): views[session]?.filter?.text == text
    case .noHits(let session): views[session]?.find?.hits.isEmpty == true
    }
  }
}
