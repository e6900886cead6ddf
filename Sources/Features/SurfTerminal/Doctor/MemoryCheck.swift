import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

/// `doctor`'s list of memory limits: of a viewer over all apps, and of a gateway over all clients.
package enum MemoryCheck {
  package struct Bound: Equatable, Sendable {
    /// What the memory is for, such as "newest states".
    package let name: String
    /// In octets.
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

  package static func of(_ gateway: [Bound]) -> DoctorCheck {
    func list(_ bounds: [Bound]) -> String { bounds.map(\.text).joined(separator: ", ") }
    return DoctorCheck(
      "memory", isFine: true,
      "at most, over all apps: \(list(viewer)); in a gateway: \(list(gateway))", fix: "",
      figures: JSONObject((viewer + gateway).map(\.member)))
  }
}
