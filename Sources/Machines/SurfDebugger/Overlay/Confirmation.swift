import SurfViewer
import SurfWire

/// A question that Enter answers with yes, and Esc with no.
struct Confirmation: Equatable, Sendable {
  enum Deed: Equatable, Sendable {
    /// To put the app into the state of these octets.
    case put(SessionID, [UInt8])
    /// Into the state in a file.
    case load(SessionID, path: String)
    /// To edit what is no state yet.
    case edit(SessionID, path: String)
  }

  let text: String
  let deed: Deed
}
