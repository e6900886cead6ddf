/// A short message about what just happened, shown for a few seconds.
struct Notice: Equatable, Sendable {
  enum Tone: Equatable, Sendable {
    case done, failed, note
  }

  let text: String
  let tone: Tone
  let end: Duration

  static let duration = Duration.seconds(5)
}
