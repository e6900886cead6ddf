import SurfNetwork
import SurfSeal
import SurfTimeline

/// How many apps are sealed under which of our keys: when nobody uses an old one any more, its line
/// can go.
struct SealingCheck {
  private let ring: [KeyFingerprint]

  /// - Parameter ring: of the keys that are here, in their order.
  init(_ ring: [KeyFingerprint]) {
    self.ring = ring.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Nothing without keys.
  func all(_ live: [Instance], _ counters: NetworkCounters) -> [DoctorCheck] {
    guard !ring.isEmpty else { return [] }
    let used = live.map { counters.sealedUnder[$0.session] }
    let parts = ring.map { key in "\(used.count { $0 == key }) under \(key)" }
    let idle = ring.dropFirst().filter { !used.contains($0) }.map(\.description)
    let mend =
      idle.isEmpty ? "" : "remove the line of \(idle.joined(separator: ", ")), if no app needs it"
    return [
      DoctorCheck(
        "sealed apps", isFine: true,
        (parts + ["\(used.count { $0 == nil }) open"]).joined(separator: ", "), mend: mend)
    ]
  }
}
