import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

/// What a viewer keeps at most, over all apps, and what a gateway keeps over all of its clients.
package enum MemoryCheck {
  /// A sum that has a bound.
  package struct Bound: Equatable, Sendable {
    /// What is kept, in a few words.
    package let name: String
    /// Octets.
    package let size: Int

    package init(_ name: String, _ size: Int) { (self.name, self.size) = (name, size) }

    /// `newestStatesMax` for "newest states".
    fileprivate var member: JSONObject.Member {
      let words = name.split(separator: " ").map(String.init)
      let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let key = ([words.first ?? ""] + rest + ["Max"]).joined()
      return JSONObject.Member(key: key, value: .number(size))
    }

    fileprivate var text: String { "\(name) \(byteText(size))" }
  }

  private static let viewer = [
    Bound("histories", Catalog.Bounds().byteCountMax),
    Bound("newest states", Catalog.Bounds().headByteCountMax),
    Bound("unfinished", Limits.unfinishedSizeMax),
  ]

  /// - Parameter gateway: the sums of a gateway.
  package static func of(_ gateway: [Bound]) -> DoctorCheck {
    func list(_ bounds: [Bound]) -> String { bounds.map(\.text).joined(separator: ", ") }
    return DoctorCheck(
      "memory", isFine: true,
      "at most, over all apps: \(list(viewer)); in a gateway: \(list(gateway))", mend: "",
      figures: JSONObject((viewer + gateway).map(\.member)))
  }
}
